// Reorders hits with rules: exact names rank higher, tests rank lower unless the query is about tests, and near duplicates of a
// better hit are removed.
import type { IndexedChunk } from '../search/memory-index.ts'
import { tokenize } from './tokenize.ts'

export type RankedChunk = { readonly indexed: IndexedChunk; readonly score: number }

const NAMED_BONUS = 0.5
const PATH_BONUS = 0.25
const TEST_SHARE = 0.8
/** The chunk of a whole file contains terms of many other chunks. */
const FILE_SHARE = 0.9

const TEST_PATH =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|fixtures?|e2e|examples?|benchmarks?)\/|[._-](test|spec|fixture|bench)s?\.|(^|\/)test_/i
const ABOUT_TESTS = /\b(tests?|testing|spec|fixtures?|mocks?|examples?|benchmarks?)\b/i
const NAME = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu

export function rerank<T extends RankedChunk>(query: string, ranked: readonly T[]): T[] {
  const names = new Set([...query.matchAll(NAME)].map(([name]) => name.toLowerCase()))
  const isAboutTests = ABOUT_TESTS.test(query)
  const lower = query.toLowerCase()
  const score = ({ indexed: { symbol, file, kind }, score }: T): number => {
    const isNamed = symbol
      .split(/[^\p{L}\p{N}_$]+/u)
      .some((name) => looksLikeIdentifier(name) && names.has(name.toLowerCase()))
    const isPathNamed = lower.includes(file.path.slice(file.path.lastIndexOf('/') + 1).toLowerCase())
    const share =
      (!isAboutTests && TEST_PATH.test(file.path) ? TEST_SHARE : 1) * (kind === 'file' ? FILE_SHARE : 1)
    return score * share + (isNamed ? NAMED_BONUS : 0) + (isPathNamed ? PATH_BONUS : 0)
  }
  return ranked
    .map((each) => ({ ...each, score: Math.min(1, score(each)), order: score(each) }))
    .sort((a, b) => b.order - a.order)
}

/** `get` can be a name or a word. Camel case, underscores or digits show that a name is meant. */
const looksLikeIdentifier = (name: string): boolean =>
  name.length > 3 && /[a-z][A-Z]|_|[A-Z]{2}|\d/.test(name)

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
