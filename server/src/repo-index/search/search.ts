// Searching an index: by words and by meaning over what is in memory, and the texts of the best from the database.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { embedderFor } from '../embedding/embedder.ts'
import { maskText } from '../filter/mask-secrets.ts'
import { DEFAULT_VECTOR_WEIGHT, type FusedHit } from '../ranking/fusion.ts'
import { removeDuplicates, rerank } from '../ranking/rerank.ts'
import type { RepoKey } from '../repo-key.ts'
import type { SearchReply, SearchRequest } from '../schema.ts'
import * as sql from '../sql.ts'
import { searchNearest } from '../vector-store/vector-search.ts'
import { vectorStoreOf } from '../vector-store/vector-store.ts'
import { fullScan, type Ranking } from './full-scan.ts'
import { indexCacheOf } from './index-cache.ts'
import type { IndexedChunk, SearchQuestion } from './memory-index.ts'
import { readContents } from './read-sql.ts'

export async function searchIndex(
  app: App,
  actor: Actor,
  { query, repo, limit, paths }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchReply> {
  if (app.config.retrieval === 'off') throw new ApiError('retrieval_not_vector')
  const isAllowed = paths && ((path: string) => paths.some((prefix) => path.startsWith(prefix)))
  const { hits, mode } = await findHits(app, actor, { query, repo, limit, isAllowed }, signal)
  return {
    hits: hits.map(({ indexed: { file, startLine, endLine, symbol }, score, content, lexical, vector }) => ({
      path: file.path,
      startLine,
      endLine,
      content,
      symbol,
      score: round(score),
      why: { lexical: round(lexical), vector: round(vector) },
    })),
    mode,
  }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000

export type SearchOptions = {
  readonly query: string
  readonly repo: string
  readonly limit: number
  readonly isAllowed?: ((path: string) => boolean) | undefined
}

export type SearchHit = FusedHit & { readonly indexed: IndexedChunk; readonly content: string }

type ResolvedSearch = SearchOptions & RepoKey & { readonly model: string; readonly vector: Int8Array | null }
type SearchResult = { readonly hits: SearchHit[]; readonly mode: 'vector' | 'lexical' }

/** What another replica has committed before this was called is found. */
export async function findHits(
  app: App,
  { orgId, org }: Pick<Actor, 'orgId' | 'org'>,
  wanted: SearchOptions,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { model, embedQuery } = embedderFor(app, org)
  // The embedding model may be someone else's.
  const query = maskText(wanted.query, true).text
  const vector = app.config.retrieval === 'vector' ? await embedQuery(query, signal) : null
  const sought: ResolvedSearch = { ...wanted, org: orgId, model, vector }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const found = await app.db.tx(orgId, (tx) => searchMemory(app, tx, sought))
    if (found) return found
    const isTooLarge = (await indexCacheOf(app).refresh(sought, model)) === null
    const nearest = isTooLarge ? await searchVectorStore(app, sought) : undefined
    if (nearest) return nearest
    if (isTooLarge) break
  }
  // Too large for memory, or changed faster than it is read.
  return app.db.tx(orgId, (tx) => searchByScan(tx, sought))
}

const ATTEMPTS_MAX = 3

/** Undefined when what is in memory is not what is committed. */
async function searchMemory(app: App, tx: Tx, sought: ResolvedSearch): Promise<SearchResult | undefined> {
  const state = await sql.findIndexVersions(tx, sought)
  if (!state) return { hits: [], mode: 'lexical' }
  const index = indexCacheOf(app).known(sought, sought.model)
  if (index?.version !== state.version) return undefined
  const ranking = index.search(toQuestion(sought, state))
  return readHits(tx, sought, { ranking, at: index.at, hasVectors: index.hasVectors })
}

/** Undefined where the database has no approximate index, or it is not ready. That is never the caller's trouble. */
async function searchVectorStore(app: App, sought: ResolvedSearch): Promise<SearchResult | undefined> {
  const { org, model, vector } = sought
  const store = vectorStoreOf(app)
  if (!vector || !(await store.isReady(vector.length))) return undefined
  try {
    return await app.db.tx(org, async (tx) => {
      const state = await sql.findIndexVersions(tx, sought)
      // Once the transaction has come to content, what is believed about its place is so.
      if (!state || app.db.batchScope(org) !== 'platform') return undefined
      const scanned = await searchNearest(tx, sought, model, { ...toQuestion(sought, state), vector })
      return scanned && readHits(tx, sought, scanned)
    })
  } catch (error) {
    store.disable(error)
    return undefined
  }
}

async function searchByScan(tx: Tx, sought: ResolvedSearch): Promise<SearchResult> {
  const state = await sql.findIndexVersions(tx, sought)
  if (!state) return { hits: [], mode: 'lexical' }
  return readHits(tx, sought, await fullScan(tx, sought, sought.model, toQuestion(sought, state)))
}

const toQuestion = (
  { query, vector, isAllowed }: ResolvedSearch,
  { vectorWeight }: sql.IndexVersions,
): SearchQuestion => ({
  text: query,
  vector,
  vectorWeight: vectorWeight ?? DEFAULT_VECTOR_WEIGHT,
  isAllowed,
})

/** More than are wanted, because some of them repeat others. */
const candidatesFor = (limit: number): number => 2 * limit + 10

/** The texts of the best. One that was replaced since it was ranked is left out. */
async function readHits(
  tx: Tx,
  { org, query, limit, vector }: ResolvedSearch,
  scanned: Ranking,
): Promise<SearchResult> {
  const candidates = scanned.ranking.flatMap((each) => {
    const indexed = scanned.at(each.at)
    return indexed ? { ...each, indexed } : []
  })
  const best = rerank(query, candidates).slice(0, candidatesFor(limit))
  const places = best.map(({ indexed: { file, ord } }) => ({ fileId: file.id, ord }))
  const rows = new Map((await readContents(tx, org, places)).map((row) => [`${row.fileId} ${row.ord}`, row]))
  const hits = best.flatMap((each) => {
    const row = rows.get(`${each.indexed.file.id} ${each.indexed.ord}`)
    if (row?.version !== each.indexed.file.version) return []
    return { ...each, content: row.content }
  })
  return { hits: removeDuplicates(hits, limit), mode: vector && scanned.hasVectors ? 'vector' : 'lexical' }
}
