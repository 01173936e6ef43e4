// What a sign-in that began elsewhere came back with, in words.

const PROBLEMS: Record<string, string> = {
  sso_failed: 'The sign-in with your identity provider did not succeed. Start it again.',
  sso_unknown: 'No single sign-on is set up for this address. Check it, or sign in another way.',
  sso_unreachable: 'Your identity provider does not answer. Try again in a moment.',
  seats_exceeded: 'Your organisation has no free seat for you. Ask an owner or administrator.',
  sso_required: 'Your organisation asks you to sign in with single sign-on.',
  link_invalid: 'This link is wrong, has expired or was used already.',
  verification_required: 'Confirm your email address first. Use the link in the mail we sent you.',
}

const DONE: Record<string, string> = {
  verified: 'Your address is confirmed. Sign in to go on.',
  reset: 'Your new password is set. Sign in with it.',
}

/** Null where nothing was said. A problem we have no words for is still one. */
export const problemWords = (code: string | null): string | null =>
  code === null ? null : (PROBLEMS[code] ?? 'That sign-in did not succeed. Try again, or another way.')

export const doneWords = (code: string | null | undefined): string | null => DONE[code ?? ''] ?? null
