// How much meaning should count beside words, measured on the code itself: functions are looked for by what their own comments
// say of them, while they are shown without those.
import { embedQuery, embedText } from '../platform/embedding/embedding.ts'
import { type Chunk, embeddedText } from './chunk.ts'
import { fuse, RANKED_MAX, VECTOR_WEIGHTS } from './fusion.ts'
import { createLexical } from './lexical.ts'
import { createTop, type Scored } from './top.ts'
import { cosineOf, dot } from './vectors.ts'

export type Sample = Pick<Chunk, 'scope' | 'symbol'> & {
  readonly path: string
  readonly content: string
  /** What it is looked for by; null for one that is only in the way. */
  readonly question: string | null
}

export type CalibrateInput = { readonly samples: readonly Sample[] }

export type Calibration = {
  readonly weight: number
  readonly queries: number
  /** Mean reciprocal rank by weight. */
  readonly ranks: Readonly<Record<string, number>>
}

const MEASURE_MS = 400
/** A weight must be better by this to be worth more than a lighter one. */
const MARGIN = 0.002

export function run({ samples }: CalibrateInput): Calibration {
  const lexical = createLexical(
    samples.map(({ path, scope, symbol, content }) => ({ body: content, header: scope, symbol, path })),
  )
  const vectors = samples.map((sample) =>
    embedText(embeddedText(sample.path, { ...sample, kind: 'code', startLine: 1, endLine: 1 })),
  )
  // From here on: what came before is bounded by how many samples there are.
  const endMs = performance.now() + MEASURE_MS
  const sums: number[] = VECTOR_WEIGHTS.map(() => 0)
  let queries = 0
  for (const [at, { question }] of samples.entries()) {
    if (question === null) continue
    if (performance.now() > endMs) break
    queries += 1
    const byWords = lexical.search(question, RANKED_MAX).map(({ doc, score }) => ({ at: doc, score }))
    const byMeaning = nearest(embedQuery(question), vectors)
    for (const [i, weight] of VECTOR_WEIGHTS.entries())
      sums[i] = (sums[i] ?? 0) + reciprocalRank(at, fuse(byWords, byMeaning, weight))
  }
  const ranks = sums.map((sum) => (queries === 0 ? 0 : sum / queries))
  const enough = Math.max(...ranks) - MARGIN
  const chosen = ranks.findIndex((rank) => rank >= enough)
  const named = VECTOR_WEIGHTS.map((weight, i) => [String(weight), Number((ranks[i] ?? 0).toFixed(4))])
  return { weight: VECTOR_WEIGHTS[chosen] ?? 0, queries, ranks: Object.fromEntries(named) }
}

function nearest(question: Int8Array, vectors: readonly Int8Array[]): Scored[] {
  const top = createTop(RANKED_MAX)
  for (const [at, vector] of vectors.entries()) top.offer(at, cosineOf(dot(question, vector, 0)))
  return top.list()
}

function reciprocalRank(wanted: number, ranking: readonly { readonly at: number }[]): number {
  const rank = ranking.findIndex(({ at }) => at === wanted)
  return rank === -1 ? 0 : 1 / (rank + 1)
}
