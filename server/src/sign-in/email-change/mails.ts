// Mails about a change of the address of an account.
import type { App } from '../../platform/app.ts'
import { type MailMessage, plainMail } from '../../platform/mail/mail.ts'

const linkTo = ({ config }: App, kind: string, token: string): string =>
  `${config.baseUrl}/app/sign-in/link#token=${token}&kind=${kind}`

export const confirmEmailMail = (app: App, to: string, token: string): MailMessage => ({
  to,
  ...plainMail(
    'Confirm your new email address',
    [
      'Your Cowrie account asks to use this address from now on. Sign in to it and confirm that the address is yours. The link works once, for 24 hours.',
      'If you did not ask for this, there is nothing to do: the link works only in the account that asked.',
    ],
    { label: 'Confirm address', url: linkTo(app, 'email', token) },
  ),
})

export const emailInUseMail = ({ config }: App, to: string): MailMessage => ({
  to,
  ...plainMail(
    'This address already has a Cowrie account',
    [
      'Another Cowrie account asked to use this address, which already has an account. Nothing was changed.',
      'If it was you, first change the address of the account that has it. If it was not you, there is nothing to do.',
    ],
    { label: 'Sign in', url: `${config.baseUrl}/app` },
  ),
})

export const changeRequestedMail = (
  app: App,
  to: string,
  { email, token, from }: { email: string; token: string; from: string },
): MailMessage => ({
  to,
  ...plainMail(
    'A new email address was requested for your account',
    [
      `Your Cowrie account will use ${email} once that mailbox confirms it within 24 hours. The request came from the address ${from}.`,
      'If this was not you, cancel it with the link and change your password now.',
    ],
    { label: 'This was not me', url: linkTo(app, 'email-revert', token) },
  ),
})

export const emailChangedMail = (
  app: App,
  to: string,
  { email, token }: { email: string; token: string },
): MailMessage => ({
  to,
  ...plainMail(
    'The email address of your account was changed',
    [
      `Your Cowrie account now uses ${email}. Other sessions have ended. API keys still work.`,
      'If this was not you, undo the change with the link within 7 days. That restores this address, ends every session and removes the password.',
    ],
    { label: 'Undo the change', url: linkTo(app, 'email-revert', token) },
  ),
})

export const emailRestoredMail = ({ config }: App, to: string, resetToken: string): MailMessage => ({
  to,
  ...plainMail(
    'Your email address is restored',
    [
      'Your Cowrie account uses this address again. Every session has ended, and the password does not work any more. Choose a new one: the link works once, for one hour.',
      'Then check your API keys, passkeys and two-step sign-in, and remove those you do not know.',
    ],
    { label: 'Choose a new password', url: `${config.baseUrl}/app/reset#token=${resetToken}` },
  ),
})
