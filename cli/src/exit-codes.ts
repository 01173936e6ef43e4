// Exit codes. Where gh has the same code, it has the same meaning.
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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Shown in the help. */
export const EXIT_LABELS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed or rejected'],
  [EXIT.cancelled, 'cancelled by you'],
  [EXIT.signIn, 'sign-in required'],
  [EXIT.money, 'balance, cap or card is insufficient'],
  [EXIT.notAllowed, 'not permitted'],
  [EXIT.network, 'service unreachable or busy: retry'],
  [EXIT.pending, 'still in progress'],
  [EXIT.conflict, 'edits conflict; no file was written'],
  [EXIT.unverified, 'finished, not verified'],
  [EXIT.usage, 'invalid usage'],
]

/** The exit code for an error of the service. */
export function exitCodeOf({ status, code }: CowrieError): ExitCode {
  // The response did not come from the service.
  if (code === 'malformed_reply' || code === 'unexpected_redirect') return EXIT.network
  if (status === 401) return EXIT.signIn
  if (status === 402) return EXIT.money
  if (status === 403 || status === 451) return EXIT.notAllowed
  if (status === 0 || status === 429 || status >= 500) return EXIT.network
  return EXIT.failed
}
