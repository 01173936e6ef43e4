// Mails about sign-in. Links use the configured origin, never the request's host.
import type { App } from '../../platform/app.ts'
import { type MailMessage, plainMail } from '../../platform/mail/mail.ts'

export function verifyMail({ config }: App, to: string, token: string): MailMessage {
  const url = `${config.baseUrl}/auth/verify?token=${token}`
  return {
    to,
    ...plainMail(
      'Confirm your email address',
      [
        'Welcome to Cowrie. Confirm that this address is yours to open your account. The link works once, for 24 hours. In the browser in which you registered it also signs you in.',
        'If you did not register, do not use the link: without it nothing happens.',
      ],
      { label: 'Confirm address', url },
    ),
  }
}

/** For an unconfirmed address that was registered again with the same password. */
export function confirmAgainMail({ config }: App, to: string, token: string): MailMessage {
  return {
    to,
    ...plainMail(
      'You already have a Cowrie account: confirm your address',
      [
        'This address was registered again with the same password, and its account is not confirmed yet. Confirm that the address is yours to open it. The link works once, for 24 hours; the earlier link no longer works.',
        'If you did not register, do not use the link: without it nothing happens.',
      ],
      { label: 'Confirm address', url: `${config.baseUrl}/auth/verify?token=${token}` },
    ),
  }
}

/** For an unconfirmed address that was registered with another password or invited by a team. */
export function choosePasswordMail({ config }: App, to: string, token: string): MailMessage {
  return {
    to,
    ...plainMail(
      'You already have a Cowrie account: choose your password',
      [
        'This address was registered at Cowrie, and its account is not confirmed yet: it was registered before with another password, or a team has invited it. We cannot know which password is yours, so we keep none. Choose one now to confirm the address and open the account. The link works once, for one hour.',
        'If you did not register, do not use the link: without it nothing happens.',
      ],
      { label: 'Choose a password', url: `${config.baseUrl}/app/reset#token=${token}` },
    ),
  }
}

export function accountExistsMail({ config }: App, to: string): MailMessage {
  return {
    to,
    ...plainMail(
      'You already have a Cowrie account',
      [
        'A registration was attempted with this address, which already has an account. Nothing was changed.',
        'If it was you, sign in; if you forgot the password, ask for a new one or for a sign-in link there. If it was not you, there is nothing to do.',
      ],
      { label: 'Sign in', url: `${config.baseUrl}/app` },
    ),
  }
}

export function resetMail({ config }: App, to: string, token: string): MailMessage {
  return {
    to,
    ...plainMail(
      'Choose a new password',
      [
        'A new password was requested for your Cowrie account. The link works once, for one hour.',
        'If it was not you, there is nothing to do: the password stays as it is.',
      ],
      { label: 'Choose a new password', url: `${config.baseUrl}/app/reset#token=${token}` },
    ),
  }
}

export function magicMail({ config }: App, to: string, token: string): MailMessage {
  const url = `${config.baseUrl}/auth/magic/consume?token=${token}`
  return {
    to,
    ...plainMail(
      'Your sign-in link',
      [
        'Use this link to sign in to Cowrie. It works once, for 15 minutes, best in the browser in which you asked for it.',
        'If you did not ask for it, there is nothing to do. Do not pass it on: it opens your account.',
      ],
      { label: 'Sign in', url },
    ),
  }
}

/** `unlinked` is the GitHub account that the change unlinked. */
export function passwordChangedMail(
  { config }: App,
  to: string,
  { at, address, unlinked }: { at: Date; address: string; unlinked: string | null },
): MailMessage {
  return {
    to,
    ...plainMail(
      'Your password was changed',
      [
        `The password of your Cowrie account was changed at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC from the address ${address}. All other sessions have ended. API keys and passkeys still work: check them in the app, under Keys and Security, and remove those you do not know.`,
        ...(unlinked === null
          ? []
          : [
              `The GitHub account ${unlinked} was unlinked and no longer opens your account. If it is yours, link it again in the app, under Security.`,
            ]),
        'If this was not you, ask for a new password on the sign-in page now.',
      ],
      { label: 'See your passkeys', url: `${config.baseUrl}/app/security` },
    ),
  }
}

/** For an address that was confirmed, but whose password may come from a stranger. */
export function passwordDroppedMail({ config }: App, to: string): MailMessage {
  return {
    to,
    ...plainMail(
      'Your account has no password',
      [
        'Your address is confirmed. The password that was given when it was registered does not work any more, because we cannot know that it was yours.',
        'You can sign in with links, or ask for a new password on the sign-in page.',
      ],
      { label: 'Go to Cowrie', url: `${config.baseUrl}/app` },
    ),
  }
}
