// How a command ends, as a number for scripts. Those that gh has too mean the same here.
import type { CowrieError } from '@cowrie/sdk'

export const EXIT = {
  ok: 0,
  failed: 1,
  cancelled: 2,
  signIn: 4,
  money: 5,
  notAllowed: 6,
  network: 7,
  pending: 8,
  conflict: 9,
  unverified: 10,
  usage: 64,
} as const

export type Exit = (typeof EXIT)[keyof typeof EXIT]

/** For the help. */
export const EXIT_WORDS: readonly (readonly [Exit, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed or refused'],
  [EXIT.cancelled, 'cancelled by you'],
  [EXIT.signIn, 'sign in first'],
  [EXIT.money, 'balance, cap or card does not cover it'],
  [EXIT.notAllowed, 'not allowed for you'],
  [EXIT.network, 'not reached, or busy: try again'],
  [EXIT.pending, 'still under way'],
  [EXIT.conflict, 'edits do not apply; nothing was written'],
  [EXIT.unverified, 'ran, but is not verified'],
  [EXIT.usage, 'not understood'],
]

/** What a refusal of the service means to a script. */
export function exitOf({ status, code }: CowrieError): Exit {
  // Whatever answered, it was not the service.
  if (code === 'malformed_reply' || code === 'unexpected_redirect') return EXIT.network
  if (status === 401) return EXIT.signIn
  if (status === 402) return EXIT.money
  if (status === 403 || status === 451) return EXIT.notAllowed
  if (status === 0 || status === 429 || status >= 500) return EXIT.network
  return EXIT.failed
}
