// Messages for a sign-in that returned from another page.
import { msg, t } from '../../i18n/t.ts'

const PROBLEMS: Record<string, string> = {
  sso_failed: msg('The sign-in with your identity provider did not succeed. Start it again.'),
  sso_unknown: msg('No single sign-on is set up for this address. Check it, or sign in another way.'),
  sso_unreachable: msg('Your identity provider does not answer. Try again in a moment.'),
  seats_exceeded: msg('Your organisation has no free seat for you. Ask an owner or administrator.'),
  sso_required: msg('Your organisation requires single sign-on.'),
  link_invalid: msg('This link is wrong, has expired or was used already.'),
  verification_required: msg('Confirm your email address first. Use the link in the mail we sent you.'),
}

const DONE: Record<string, string> = {
  verified: msg('Your address is confirmed. Sign in to go on.'),
  reset: msg('Your new password is set. Sign in with it.'),
}

/** Null without a code. Unknown codes get a general message. */
export const problemText = (code: string | null): string | null =>
  code === null ? null : t(PROBLEMS[code] ?? msg('That sign-in did not succeed. Try again, or another way.'))

export function doneText(code: string | null | undefined): string | null {
  const words = DONE[code ?? '']
  return words === undefined ? null : t(words)
}
