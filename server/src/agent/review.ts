// What our rules say about a change. Findings come with a result where the change touches code that moves money.
import type { FileEdit } from './edits/edits.ts'

export type Review = { readonly findings: readonly object[] }

/** Null where no rule has anything to say. No rule looks at changes yet. */
export async function reviewOf(_edits: readonly FileEdit[]): Promise<Review | null> {
  return null
}
