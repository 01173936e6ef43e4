// Text from and for providers: log details, decline reasons and plain descriptions.

const DETAIL_CHARACTERS_MAX = 200

/** The provider's codes and message for the log, without email addresses and long numbers, which may be personal. */
export const redactedDetail = (...parts: (string | number | null | undefined)[]): string =>
  parts
    .filter((each) => each !== null && each !== undefined && each !== '')
    .join(', ')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[^\s@]+@[^\s@]+/g, '…')
    .replace(/\+?\d[\d ()-]{6,}\d/g, '…')
    .slice(0, DETAIL_CHARACTERS_MAX)

/** A decline reason for the payer: the first recognised message of the provider decides. */
export function declineReason(...messages: (string | null | undefined)[]): string {
  for (const message of messages)
    for (const [pattern, reason] of REASONS) if (message && pattern.test(message)) return reason
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

/** Only letters, digits, dots and dashes, truncated and never empty: some providers reject other characters. */
export const plainAscii = (text: string, charactersMax: number): string =>
  text
    .replace(/[^A-Za-z0-9.-]+/g, ' ')
    .trim()
    .slice(0, charactersMax)
    .trim() || 'Top-up'

/** The note of a refund at providers that take no reference of ours. It identifies the refund in their lists. */
export const refundNote = ({ id }: { readonly id: string }): string => `Cowrie refund ${id}`

/** Our id in such a note; null in all other texts. */
export const refundIdIn = (note: unknown): string | null =>
  typeof note === 'string' ? (/\bsrf_[0-9a-z]{26}\b/.exec(note)?.[0] ?? null) : null
