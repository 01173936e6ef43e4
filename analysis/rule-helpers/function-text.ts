// Checks that stand before a place in the same function and speak of what is checked by name. They are no proof, but whoever
// wrote one has thought of it: where being wrong costs more than being silent, the place is left alone.
import type { EventContext } from '../rule.ts'

/** Whether the function around says something like this before it gets there. */
export function matchesBefore(
  { functions, text }: EventContext,
  at: { readonly start: number },
  words: RegExp,
): boolean {
  const from = functions.at(0)?.at.start ?? Math.max(0, at.start - LOOKBACK_LENGTH)
  return words.test(text.slice(Math.min(from, at.start), at.start))
}

/** How far back the top of a file is read. */
const LOOKBACK_LENGTH = 2_000

/** Whether the function around says something like this anywhere. */
export function matchesInFunction({ functions, text }: EventContext, words: RegExp): boolean {
  const at = functions.at(0)?.at
  return words.test(at ? text.slice(at.start, at.end) : text)
}
