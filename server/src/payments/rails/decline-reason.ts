// Why a payment did not happen, in words for the person who tried. What networks and banks write is not for their eyes.

/** The first of the provider's remarks that we understand decides. */
export function declineReason(...remarks: (string | null | undefined)[]): string {
  for (const remark of remarks)
    for (const [pattern, reason] of REASONS) if (remark && pattern.test(remark)) return reason
  return 'The payment was declined.'
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/insufficient|low balance|not enough/i, 'There was not enough money in the account.'],
  [/expired card|card.*expired/i, 'The card has expired.'],
  [/cancel/i, 'The payment was cancelled.'],
  [/time[d ]?-?out|expired|did not respond|not completed/i, 'The payment was not approved in time.'],
  [/incorrect pin|wrong pin|invalid pin/i, 'The PIN was not right.'],
  [/limit/i, 'The payment is over a limit of the account.'],
]
