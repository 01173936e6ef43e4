// Text searches in the enclosing function for a check of the reported value. A textual match is not proof.
// Rules use it to avoid false positives where these cost more than a missed finding.
import type { EventContext } from '../rule.ts'

/** Whether the enclosing function contains a match before this position. */
export function matchesBefore(
  { functions, text }: EventContext,
  at: { readonly start: number },
  words: RegExp,
): boolean {
  const from = functions.at(0)?.at.start ?? Math.max(0, at.start - LOOKBACK_LENGTH)
  return words.test(text.slice(Math.min(from, at.start), at.start))
}

/** Outside functions, only this many characters before the position are searched. */
const LOOKBACK_LENGTH = 2_000

/** Whether the enclosing function contains a match anywhere. At top level the whole file is searched. */
export function matchesInFunction({ functions, text }: EventContext, words: RegExp): boolean {
  const at = functions.at(0)?.at
  return words.test(at ? text.slice(at.start, at.end) : text)
}
