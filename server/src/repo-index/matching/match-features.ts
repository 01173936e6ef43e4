// Measures how well a chunk matches a query. Each feature is a number from 0 to about 1. Shares of the query terms are weighted by
// their rarity.
import { embedQuery, embedText } from '@cowrie/models/embedding/embedding.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { tokenize } from '../ranking/tokenize.ts'
import {
  bestOf,
  isVerb,
  lastPartOf,
  lettersOf,
  lettersShare,
  namesOf,
  shareOf,
  sumOf,
  wordsOf,
} from './name-match.ts'
import type { QueryProfile } from './query-profile.ts'
import { createTermMatcher } from './term-matcher.ts'

export type NamedChunk = {
  readonly path: string
  readonly kind: string
  readonly symbol: string
  /** The scores of the first ranking; 0 if the chunk is not among its best. */
  readonly lexical: number
  readonly vector: number
  /** From 0 to 1: whether similar commits changed the file. */
  readonly history: number
}

export type ReadChunk = NamedChunk & {
  /** Enclosing classes or headings. */
  readonly scope: string
  readonly content: string
}

/** Known without the text of the chunk. */
export type NameFeatures = {
  /** The BM25 score relative to the best one, and the rank by it. */
  readonly lexical: number
  readonly lexicalRank: number
  /** The same for vectors, relative to the best and the worst. */
  readonly vector: number
  readonly vectorRank: number
  /** The same for the history of the file. */
  readonly history: number
  readonly historyRank: number
  /** Shares of the query terms that occur in the name and in the path. */
  readonly symbol: number
  readonly path: number
  /** The share of the name that occurs in the query. */
  readonly symbolPrecision: number
  /** Query terms that are not in the name, but begin like a word of it, mean the same, or are a part of it. */
  readonly symbolPrefix: number
  readonly symbolRelated: number
  readonly symbolPart: number
  /** The file or folder has the name of the area of a change, such as `wallet` in `wallet: fix rounding`. */
  readonly area: number
  /** The kind of the chunk. */
  readonly file: number
  readonly class: number
  readonly function: number
  readonly section: number
  readonly window: number
  /** In a test, unless the query is about tests. */
  readonly test: number
  readonly private: number
}

export type MatchFeatures = NameFeatures & {
  /** Shares of the query terms that occur in a part of the chunk. */
  readonly scope: number
  readonly signature: number
  readonly body: number
  readonly anywhere: number
  /** The share of the query terms in the text, all weighted alike. */
  readonly plainBody: number
  /** Neighbouring query terms that are neighbours in the text too. */
  readonly pairs: number
  /** The best lexical score of another chunk of the file. */
  readonly neighbours: number
  /** The similarity of the name and its scope to the query. */
  readonly nameVector: number
  /** The share of the name that occurs in the query, is abbreviated there, or means the same as a word of it. */
  readonly symbolNear: number
  /** Whether a name begins with the verb of the query. */
  readonly verb: number
  /** The share of three-letter groups of the name that occur in the query. */
  readonly letters: number
  /** The logarithm of the number of definitions in the chunk. */
  readonly definitions: number
  readonly length: number
}

const TEST_PATH =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|fixtures?|e2e|examples?|benchmarks?)\/|[._-](test|spec|fixture|bench)s?\.|(^|\/)test_/i
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#|@|"""|''')/

export function nameFeatures(
  query: QueryProfile,
  chunks: readonly NamedChunk[],
  matcher = createTermMatcher(query),
): NameFeatures[] {
  const ranks = { lexical: ranksBy(chunks, 'lexical'), vector: ranksBy(chunks, 'vector') }
  const bestLexical = Math.max(1e-9, ...chunks.map(({ lexical }) => lexical))
  const vectors = chunks.flatMap(({ vector }) => (vector > 0 ? [vector] : []))
  const [low, high] = [Math.min(...vectors), Math.max(...vectors)]
  const historyRank = fileRanks(chunks)
  return chunks.map(({ path, kind, symbol, lexical, vector, history }, i) => {
    const names = namesOf(symbol)
    const words = wordsOf(symbol)
    const near = matcher.nearShares(words)
    return {
      lexical: lexical / bestLexical,
      lexicalRank: ranks.lexical[i] ?? 0,
      vector: vector > 0 && high > low ? (vector - low) / (high - low) : 0,
      vectorRank: ranks.vector[i] ?? 0,
      history,
      historyRank: historyRank.get(path) ?? 0,
      symbol: matcher.coverage(matcher.find(tokenize(symbol))),
      path: matcher.coverage(matcher.findInPath(path)),
      symbolPrecision: bestOf(names, (name) =>
        shareOf(names.length === 1 ? words : wordsOf(name), (word) => query.terms.includes(word)),
      ),
      symbolPrefix: near.prefix,
      symbolRelated: near.related,
      symbolPart: near.part,
      area: query.areaMatch(path),
      file: Number(kind === 'file'),
      class: Number(kind === 'class'),
      function: Number(kind === 'function'),
      section: Number(kind === 'section'),
      window: Number(kind === 'window'),
      test: Number(!query.isAboutTests && TEST_PATH.test(path)),
      private: Number(/^[_#]/.test(symbol)),
    }
  })
}

export function matchFeatures(query: QueryProfile, chunks: readonly ReadChunk[]): MatchFeatures[] {
  const matcher = createTermMatcher(query)
  const known = nameFeatures(query, chunks, matcher)
  const bestLexical = Math.max(1e-9, ...chunks.map(({ lexical }) => lexical))
  const bestTwo = bestTwoByFile(chunks)
  const queryVector = embedQuery(query.text)
  const queryLetters = lettersOf(query.terms)
  return chunks.map(({ path, symbol, scope, content, lexical }, i) => {
    const text = matcher.matchText(content)
    const [best = 0, second = 0] = bestTwo.get(path) ?? []
    const name = `${symbol} ${scope}`.trim()
    const names = namesOf(symbol).map((each) => wordsOf(lastPartOf(each)))
    return {
      ...(known[i] as NameFeatures),
      scope: matcher.coverage(matcher.find(tokenize(scope))),
      signature: bestOf(signaturesOf(content, namesOf(symbol)), (line) =>
        matcher.coverage(matcher.find(tokenize(line))),
      ),
      body: matcher.coverage(text.found),
      anywhere: matcher.coverage(text.found, matcher.find(tokenize(name)), matcher.findInPath(path)),
      plainBody: sumOf([...text.found]) / Math.max(1, text.found.length),
      pairs: text.pairs,
      neighbours: (lexical === best ? second : best) / bestLexical,
      nameVector:
        name === ''
          ? 0
          : bestOf(namesOf(symbol), (each) =>
              cosineOf(dot(queryVector, embedText(`${each} ${scope}`.trim()), 0)),
            ),
      symbolNear: bestOf(names, matcher.nearPrecision),
      verb: Number(names.some(([first]) => first !== undefined && isVerb(query.verb, first))),
      letters: bestOf(names, (words) => lettersShare(queryLetters, words)),
      definitions: Math.log(names.length),
      length: Math.log(1 + text.length) / 6,
    }
  })
}

const firstCodeLine = (content: string): string =>
  content.split('\n').find((line) => /\w/.test(line) && !COMMENT_LINE.test(line)) ?? ''

/** The first line of each definition. */
function signaturesOf(content: string, names: readonly string[]): string[] {
  if (names.length < 2) return [firstCodeLine(content)]
  const lines = content.split('\n')
  return names.map((name) => lines.find((line) => line.includes(name) && !COMMENT_LINE.test(line)) ?? '')
}

/** 1 for the first, and 0 without a score. */
function ranksBy(chunks: readonly NamedChunk[], by: 'lexical' | 'vector'): number[] {
  const ranks = chunks.map(() => 0)
  const order = chunks.map((_, i) => i).filter((i) => (chunks[i]?.[by] ?? 0) > 0)
  order.sort((a, b) => (chunks[b]?.[by] ?? 0) - (chunks[a]?.[by] ?? 0) || a - b)
  for (const [rank, i] of order.entries()) ranks[i] = 10 / (10 + rank)
  return ranks
}

/** The ranks of the files by their history. */
function fileRanks(chunks: readonly NamedChunk[]): Map<string, number> {
  const files = new Map(chunks.flatMap(({ path, history }) => (history > 0 ? [[path, history]] : [])))
  const order = [...files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return new Map(order.map(([path], rank) => [path, 10 / (10 + rank)]))
}

function bestTwoByFile(chunks: readonly NamedChunk[]): Map<string, [number, number]> {
  const bestOf = new Map<string, [number, number]>()
  for (const { path, lexical } of chunks) {
    const [best, second] = bestOf.get(path) ?? [0, 0]
    bestOf.set(path, lexical > best ? [lexical, best] : [best, Math.max(second, lexical)])
  }
  return bestOf
}
