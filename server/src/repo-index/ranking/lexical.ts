// Ranking by words: BM25 over the fields of a chunk, each counting as much as it says about it.
import { createPostings, type QueryTerms, type TermCounts } from './postings.ts'
import { countTerms } from './tokenize.ts'

/** A piece of a repository as words. */
export type LexicalDocument = {
  readonly body: string
  /** What it stands in: classes, headings. */
  readonly header?: string
  readonly symbol?: string
  readonly path?: string
}

export type LexicalIndex = {
  /** The best first, by their place in the list that this was made from. */
  search(query: string, most: number): { readonly doc: number; readonly score: number }[]
}

const WEIGHTS = { body: 1, header: 2, symbol: 4, path: 2 } as const
const QUERY_TERMS_READ = 1_000

export function createLexicalIndex(documents: readonly LexicalDocument[]): LexicalIndex {
  const postings = createPostings()
  for (const [at, document] of documents.entries()) postings.add(at, termCounts(document))
  return {
    search: (query, most) =>
      postings.search(queryTerms(query), most).map(({ at, score }) => ({ doc: at, score })),
  }
}

/** The terms of all fields with their weights. Only the body makes a text long. */
export function termCounts({ body, header = '', symbol = '', path = '' }: LexicalDocument): TermCounts {
  const counts = countTerms(body)
  const length = counts.values().reduce((sum, count) => sum + count, 0)
  countTerms(header, counts, WEIGHTS.header)
  countTerms(symbol, counts, WEIGHTS.symbol)
  countTerms(path, counts, WEIGHTS.path)
  return { counts, length }
}

/** What is looked for, each term once: said twice it counts a little more. */
export function queryTerms(query: string): QueryTerms {
  const terms = new Map<string, number>()
  for (const [term, count] of countTerms(query)) {
    if (terms.size === QUERY_TERMS_READ) break
    terms.set(term, 1 + Math.log(count))
  }
  return terms
}
