// Searching an index: by words and by meaning over what is in memory, and the texts of the best from the database.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { embedderFor } from '../embedding/embedder.ts'
import { maskedText } from '../filter/mask-secrets.ts'
import { type Fused, VECTOR_WEIGHT_USUAL } from '../ranking/fusion.ts'
import { reranked, withoutRepeats } from '../ranking/rerank.ts'
import type { RepoKey } from '../repo-key.ts'
import type { SearchReply, SearchRequest } from '../schema.ts'
import * as sql from '../sql.ts'
import { scanNearest } from '../vector-store/vector-search.ts'
import { vectorStoreOf } from '../vector-store/vector-store.ts'
import { type Scanned, scan } from './full-scan.ts'
import { cacheOf } from './index-cache.ts'
import type { Indexed, Question } from './memory-index.ts'
import { contentsOf } from './read-sql.ts'

export async function searchIndex(
  app: App,
  actor: Actor,
  { query, repo, limit, paths }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchReply> {
  if (app.config.retrieval === 'off') throw new ApiError('retrieval_not_vector')
  const isAllowed = paths && ((path: string) => paths.some((prefix) => path.startsWith(prefix)))
  const { hits, mode } = await find(app, actor, { query, repo, limit, isAllowed }, signal)
  return {
    hits: hits.map(({ indexed: { file, startLine, endLine, symbol }, score, content, lexical, vector }) => ({
      path: file.path,
      startLine,
      endLine,
      content,
      symbol,
      score: rounded(score),
      why: { lexical: rounded(lexical), vector: rounded(vector) },
    })),
    mode,
  }
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

export type Wanted = {
  readonly query: string
  readonly repo: string
  readonly limit: number
  readonly isAllowed?: ((path: string) => boolean) | undefined
}

export type Hit = Fused & { readonly indexed: Indexed; readonly content: string }

type Sought = Wanted & RepoKey & { readonly model: string; readonly vector: Int8Array | null }
type Found = { readonly hits: Hit[]; readonly mode: 'vector' | 'lexical' }

/** What another replica has committed before this was called is found. */
export async function find(
  app: App,
  { orgId, org }: Pick<Actor, 'orgId' | 'org'>,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Found> {
  const { model, embedQuery } = embedderFor(app, org)
  // The embedding model may be someone else's.
  const query = maskedText(wanted.query, true).text
  const vector = app.config.retrieval === 'vector' ? await embedQuery(query, signal) : null
  const sought: Sought = { ...wanted, org: orgId, model, vector }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const found = await app.db.tx(orgId, (tx) => findInMemory(app, tx, sought))
    if (found) return found
    const isTooLarge = (await cacheOf(app).refresh(sought, model)) === null
    const nearest = isTooLarge ? await findNearest(app, sought) : undefined
    if (nearest) return nearest
    if (isTooLarge) break
  }
  // Too large for memory, or changed faster than it is read.
  return app.db.tx(orgId, (tx) => findByScan(tx, sought))
}

const ATTEMPTS_MAX = 3

/** Undefined when what is in memory is not what is committed. */
async function findInMemory(app: App, tx: Tx, sought: Sought): Promise<Found | undefined> {
  const state = await sql.stateOf(tx, sought)
  if (!state) return { hits: [], mode: 'lexical' }
  const index = cacheOf(app).known(sought, sought.model)
  if (index?.version !== state.version) return undefined
  const ranking = index.search(questionOf(sought, state))
  return foundAt(tx, sought, { ranking, at: index.at, hasVectors: index.hasVectors })
}

/** Undefined where the database has no approximate index, or it is not ready. That is never the caller's trouble. */
async function findNearest(app: App, sought: Sought): Promise<Found | undefined> {
  const { org, model, vector } = sought
  const store = vectorStoreOf(app)
  if (!vector || !(await store.isReady(vector.length))) return undefined
  try {
    return await app.db.tx(org, async (tx) => {
      const state = await sql.stateOf(tx, sought)
      // Once the transaction has come to content, what is believed about its place is so.
      if (!state || app.db.reachTogether(org) !== 'platform') return undefined
      const scanned = await scanNearest(tx, sought, model, { ...questionOf(sought, state), vector })
      return scanned && foundAt(tx, sought, scanned)
    })
  } catch (error) {
    store.distrust(error)
    return undefined
  }
}

async function findByScan(tx: Tx, sought: Sought): Promise<Found> {
  const state = await sql.stateOf(tx, sought)
  if (!state) return { hits: [], mode: 'lexical' }
  return foundAt(tx, sought, await scan(tx, sought, sought.model, questionOf(sought, state)))
}

const questionOf = ({ query, vector, isAllowed }: Sought, { vectorWeight }: sql.State): Question => ({
  text: query,
  vector,
  vectorWeight: vectorWeight ?? VECTOR_WEIGHT_USUAL,
  isAllowed,
})

/** More than are wanted, because some of them repeat others. */
const candidatesFor = (limit: number): number => 2 * limit + 10

/** The texts of the best. One that was replaced since it was ranked is left out. */
async function foundAt(tx: Tx, { org, query, limit, vector }: Sought, scanned: Scanned): Promise<Found> {
  const candidates = scanned.ranking.flatMap((each) => {
    const indexed = scanned.at(each.at)
    return indexed ? { ...each, indexed } : []
  })
  const best = reranked(query, candidates).slice(0, candidatesFor(limit))
  const places = best.map(({ indexed: { file, ord } }) => ({ fileId: file.id, ord }))
  const rows = new Map((await contentsOf(tx, org, places)).map((row) => [`${row.fileId} ${row.ord}`, row]))
  const hits = best.flatMap((each) => {
    const row = rows.get(`${each.indexed.file.id} ${each.indexed.ord}`)
    if (row?.version !== each.indexed.file.version) return []
    return { ...each, content: row.content }
  })
  return { hits: withoutRepeats(hits, limit), mode: vector && scanned.hasVectors ? 'vector' : 'lexical' }
}
