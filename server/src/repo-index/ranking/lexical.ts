// Lexical ranking: BM25 over the weighted fields of a chunk.
import { createPostings, type QueryTerms, type TermCounts } from './postings.ts'
import { countTerms } from './tokenize.ts'

/** The text fields of a chunk. */
export type LexicalDocument = {
  readonly body: string
  /** Enclosing classes or headings. */
  readonly header?: string
  readonly symbol?: string
  readonly path?: string
}

export type LexicalIndex = {
  /** The best first. `doc` is the position in the list of documents. */
  search(query: string, most: number): { readonly doc: number; readonly score: number }[]
  /** The weight of a term; 0 if no document contains it. */
  rarityOf(term: string): number
}

const WEIGHTS = { body: 1, header: 2, symbol: 4, path: 2 } as const
const QUERY_TERMS_PARSED = 1_000

export function createLexicalIndex(documents: readonly LexicalDocument[]): LexicalIndex {
  const postings = createPostings()
  for (const [at, document] of documents.entries()) postings.add(at, termCounts(document))
  return {
    search: (query, most) =>
      postings.search(queryTerms(query), most).map(({ at, score }) => ({ doc: at, score })),
    rarityOf: (term) => postings.rarityOf(term),
  }
}

/** The weighted terms of all fields. Only the body counts for the length. */
export function termCounts({ body, header = '', symbol = '', path = '' }: LexicalDocument): TermCounts {
  const counts = countTerms(body)
  const length = counts.values().reduce((sum, count) => sum + count, 0)
  countTerms(header, counts, WEIGHTS.header)
  countTerms(symbol, counts, WEIGHTS.symbol)
  countTerms(path, counts, WEIGHTS.path)
  return { counts, length }
}

/** The terms of a query. Repeated terms weigh slightly more. */
export function queryTerms(query: string): QueryTerms {
  const terms = new Map<string, number>()
  for (const [term, count] of countTerms(query)) {
    if (terms.size === QUERY_TERMS_PARSED) break
    terms.set(term, 1 + Math.log(count))
  }
  return terms
}
