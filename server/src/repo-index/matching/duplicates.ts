// Removes near duplicates of a better hit.
import { tokenize } from '../ranking/tokenize.ts'

const DUPLICATE_SIMILARITY = 0.9

/** Keeps the first of several hits with nearly the same terms. */
export function removeDuplicates<T extends { readonly content: string }>(
  hits: readonly T[],
  most: number,
): T[] {
  const unique: { hit: T; terms: ReadonlySet<string> }[] = []
  for (const hit of hits) {
    if (unique.length === most) break
    const terms = new Set(tokenize(hit.content))
    if (!unique.some((other) => similarity(terms, other.terms) > DUPLICATE_SIMILARITY))
      unique.push({ hit, terms })
  }
  return unique.map(({ hit }) => hit)
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  if (many.size === 0) return 1
  if (few.size < many.size * DUPLICATE_SIMILARITY) return 0
  let both = 0
  for (const term of few) if (many.has(term)) both += 1
  return both / (few.size + many.size - both)
}
