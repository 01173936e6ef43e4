// Searches an index: ranks the chunks in memory by terms and vectors, then reads the texts of the best from the database.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { embedderFor } from '../embedding/embedder.ts'
import { maskText } from '../filter/mask-secrets.ts'
import { removeDuplicates } from '../matching/duplicates.ts'
import { rankByMatch, selectByName } from '../matching/match-ranking.ts'
import { profileQuery } from '../matching/query-profile.ts'
import { DEFAULT_VECTOR_WEIGHT, type FusedHit } from '../ranking/fusion.ts'
import { fileIdOf, type RepoKey } from '../repo-key.ts'
import type { SearchReply, SearchRequest } from '../schema.ts'
import * as sql from '../sql.ts'
import { searchNearest } from '../vector-store/vector-search.ts'
import { vectorStoreOf } from '../vector-store/vector-store.ts'
import { candidatesOf } from './candidates.ts'
import { fullScan, type Ranking } from './full-scan.ts'
import { indexCacheOf } from './index-cache.ts'
import type { IndexedChunk, SearchQuestion } from './memory-index.ts'
import { readContents } from './read-sql.ts'

/** Free of charge. */
export async function searchIndex(
  app: App,
  actor: Actor,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchReply> {
  return toSearchReply(await findHits(app, actor, searchOptions(request), signal))
}

export const searchOptions = ({ query, repo, limit, paths }: SearchRequest): SearchOptions => ({
  query,
  repo,
  limit,
  isAllowed: paths && ((path: string) => paths.some((prefix) => path.startsWith(prefix))),
})

export const toSearchReply = ({ hits, mode }: SearchResult): SearchReply => ({
  hits: hits.map(({ indexed: { file, startLine, endLine, symbol }, ...hit }) => ({
    path: file.path,
    startLine,
    endLine,
    content: hit.content,
    symbol,
    score: round(hit.score),
    why: { lexical: round(hit.lexical), vector: round(hit.vector), history: round(hit.history) },
  })),
  mode,
})

const round = (value: number): number => Math.round(value * 10_000) / 10_000

export type SearchOptions = {
  readonly query: string
  readonly repo: string
  readonly limit: number
  readonly isAllowed?: ((path: string) => boolean) | undefined
}

export type CodeHit = FusedHit & {
  readonly indexed: IndexedChunk
  readonly content: string
  readonly history: number
}

type ResolvedSearch = SearchOptions & RepoKey & { readonly model: string; readonly vector: Int8Array | null }
export type SearchResult = { readonly hits: CodeHit[]; readonly mode: 'vector' | 'lexical' }

/** Finds everything that any replica committed before the call. */
export async function findHits(
  app: App,
  { orgId, org }: Pick<Actor, 'orgId' | 'org'>,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { model, embedQuery } = embedderFor(app, org)
  // The embedding model may belong to a third party, so secrets in the query are masked.
  const query = maskText(options.query, true).text
  const vector = app.config.retrieval === 'vector' ? await embedQuery(query, signal) : null
  const search: ResolvedSearch = { ...options, org: orgId, model, vector }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const found = await app.db.tx(orgId, (tx) => searchMemory(app, tx, search))
    if (found) return found
    const isTooLarge = (await indexCacheOf(app).refresh(search, model)) === null
    const nearest = isTooLarge ? await searchVectorStore(app, search) : undefined
    if (nearest) return nearest
    if (isTooLarge) break
  }
  // The index is too large for memory, or changes faster than it loads.
  return app.db.tx(orgId, (tx) => searchByScan(tx, search))
}

const ATTEMPTS_MAX = 3

/** Undefined when the cached index is outdated. */
async function searchMemory(app: App, tx: Tx, search: ResolvedSearch): Promise<SearchResult | undefined> {
  const state = await sql.findIndexVersions(tx, search)
  if (!state) return { hits: [], mode: 'lexical' }
  const index = indexCacheOf(app).known(search, search.model)
  if (index?.version !== state.version) return undefined
  const ranking = index.search(toQuestion(search, state))
  const { at, rarityOf, hasVectors, history } = index
  return readHits(tx, search, {
    ...{ ranking, at, rarityOf, hasVectors },
    history: history
      ? {
          scoreFiles: history.files.scoreFiles,
          nearestChunk: (path) => index.nearestChunk(fileIdOf(search, path), search.vector),
        }
      : undefined,
  })
}

/** Undefined when the database has no vector index or it is not ready. Errors never reach the caller. */
async function searchVectorStore(app: App, search: ResolvedSearch): Promise<SearchResult | undefined> {
  const { org, model, vector } = search
  const store = vectorStoreOf(app)
  if (!vector || !(await store.isReady(vector.length))) return undefined
  try {
    return await app.db.tx(org, async (tx) => {
      const state = await sql.findIndexVersions(tx, search)
      // The placement is known for certain only after the first content query.
      if (!state || app.db.batchScope(org) !== 'platform') return undefined
      const ranked = await searchNearest(tx, search, model, { ...toQuestion(search, state), vector })
      return ranked && readHits(tx, search, ranked)
    })
  } catch (error) {
    store.disable(error)
    return undefined
  }
}

async function searchByScan(tx: Tx, search: ResolvedSearch): Promise<SearchResult> {
  const state = await sql.findIndexVersions(tx, search)
  if (!state) return { hits: [], mode: 'lexical' }
  return readHits(tx, search, await fullScan(tx, search, search.model, toQuestion(search, state)))
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

/** The second ranking reads the texts of this many candidates. Duplicates are removed after it. */
const CANDIDATES = 100

/** Reads the texts of the best chunks and ranks them again. Chunks that were replaced since the first ranking are left out. */
async function readHits(
  tx: Tx,
  { org, query, limit, vector, isAllowed }: ResolvedSearch,
  ranked: Ranking,
): Promise<SearchResult> {
  const profile = profileQuery(query, ranked.rarityOf)
  const candidates = candidatesOf(ranked, profile, isAllowed)
  const best = selectByName(profile, candidates, Math.max(CANDIDATES, 2 * limit))
  const refs = best.map(({ indexed: { file, ord } }) => ({ fileId: file.id, ord }))
  const rows = new Map((await readContents(tx, org, refs)).map((row) => [`${row.fileId} ${row.ord}`, row]))
  const read = best.flatMap((each) => {
    const row = rows.get(`${each.indexed.file.id} ${each.indexed.ord}`)
    if (row?.version !== each.indexed.file.version) return []
    return { ...each, content: row.content, scope: row.scope }
  })
  const hits = rankByMatch(profile, read)
  return { hits: removeDuplicates(hits, limit), mode: vector && ranked.hasVectors ? 'vector' : 'lexical' }
}
