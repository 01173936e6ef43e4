// Messages for a sign-in that returned from another page.
import { msg, t } from '../../i18n/t.ts'

const PROBLEMS: Record<string, string> = {
  sso_failed: msg('Sign-in with your identity provider failed. Start again.'),
  sso_unknown: msg('This address has no single sign-on. Check it or sign in another way.'),
  sso_unreachable: msg('Your identity provider does not respond. Try again in a moment.'),
  github_failed: msg('Sign-in with GitHub failed. Start again.'),
  github_taken: msg('This GitHub account is linked to another account.'),
  github_denied: msg('You did not allow the sign-in at GitHub.'),
  github_email: msg(
    'Your GitHub account has no verified primary address. Verify it there, or sign in another way.',
  ),
  github_other_site: msg(
    'Another website started a sign-in with GitHub. It was stopped; you are still signed in to this account.',
  ),
  signups_disabled: msg('Registration is closed. Ask for an invitation.'),
  seats_exceeded: msg('Your organisation has no free seat for you. Ask an owner or administrator.'),
  sso_required: msg('Your organisation requires single sign-on.'),
  link_invalid: msg('This link is wrong, expired or already used.'),
  verification_required: msg('Confirm your email address first, with the link in our email.'),
}

const DONE: Record<string, string> = {
  verified: msg('Your address is confirmed. Sign in to continue.'),
  github_mail: msg(
    'You have an account with this address. Confirm the link to GitHub in the email that we sent you.',
  ),
  github: msg('GitHub is linked. Sign in with it.'),
  reset: msg('Your new password is set. Sign in.'),
}

/** Null without a code. Unknown codes get a general message. */
export const problemText = (code: string | null): string | null =>
  code === null ? null : t(PROBLEMS[code] ?? msg('Sign-in failed. Try again or use another method.'))

export function doneText(code: string | null | undefined): string | null {
  const words = DONE[code ?? '']
  return words === undefined ? null : t(words)
}
