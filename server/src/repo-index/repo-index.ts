// Public API of the index. Retrieves excerpts of an organisation's code for a prompt.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { batchLoaderPerDb } from '../platform/db/batch-loader.ts'
import type { Actor } from '../platform/http/actor.ts'
import { estimateMaxPromptTokens } from '../platform/inference/inference.ts'
import { DEFAULT_REPO } from './repo-key.ts'
import { type CodeHit, findHits } from './search/search.ts'
import { findRepoRanges, type RepoRange } from './sql.ts'

export { tokenize } from './ranking/tokenize.ts'
export { repoName } from './schema.ts'
export { listRepos } from './sql.ts'
export { findDefinitionsIn, type RankedExcerpt, rankExcerptsOf } from './unindexed/unindexed.ts'

/** An excerpt of a file for a prompt. */
export type Excerpt = { readonly path: string; readonly lines: string; readonly text: string }

export type RetrievalRequest = {
  readonly query: string
  /** The repository of the task. If undefined, see `chooseRepo`. */
  readonly repo: string | undefined
  readonly limit: number
  /** The limit for all excerpts together. */
  readonly tokensMax: number
  /** Files that the prompt already contains. */
  readonly exclude?: readonly string[]
}

// A task can be very long. Its beginning and end describe it best.
const QUERY_END_CHARACTERS = 2_000
/** Hits that score below this share of the best hit are irrelevant. */
const SCORE_SHARE = 0.35
const TIMEOUT_MS = 5_000

/** The best excerpts first. Never throws: without a readable index the result is empty. */
export async function retrieve(
  app: App,
  actor: Pick<Actor, 'orgId' | 'org'>,
  { query, repo: requestedRepo, limit, tokensMax, exclude = [] }: RetrievalRequest,
): Promise<Excerpt[]> {
  if (app.config.retrieval === 'off' || tokensMax <= 0) return []
  try {
    const repo = requestedRepo ?? (await chooseRepo(app, actor.orgId))
    if (repo === undefined) return []
    const shown = new Set(exclude)
    const options = { query: shortenQuery(query), repo, limit, isAllowed: (path: string) => !shown.has(path) }
    const { hits } = await findHits(app, actor, options, AbortSignal.timeout(TIMEOUT_MS))
    return selectWithin(hits, tokensMax).map(({ indexed: { file, startLine, endLine }, content }) => ({
      path: file.path,
      lines: `${startLine}-${endLine}`,
      text: content,
    }))
  } catch (error) {
    app.log.warn({ err: error, orgId: actor.orgId }, 'repo_index.retrieval.failed')
    return []
  }
}

/**
 * The repository of a task without one: the only indexed repository, else `default`. With several repositories none of them is
 * guessed, so that no prompt contains code of another project. Undefined without an index.
 */
async function chooseRepo(app: App, org: OrgId): Promise<string | undefined> {
  const range = await rangeLoader(app.db)(org)
  return range?.first === range?.last ? range?.first : DEFAULT_REPO
}

/** One statement answers the tasks that start at the same time. */
const rangeLoader = batchLoaderPerDb<OrgId, RepoRange>(async (db, orgs) => {
  const found = new Map<OrgId, RepoRange | undefined>()
  for (const [scope, members] of Map.groupBy(new Set(orgs), (org) => db.batchScope(org))) {
    const ranges = await db.tx(scope, (tx) => findRepoRanges(tx, members))
    for (const [n, org] of members.entries()) found.set(org, ranges[n])
  }
  return orgs.map((org) => found.get(org))
})

const shortenQuery = (query: string): string =>
  query.length <= 2 * QUERY_END_CHARACTERS
    ? query
    : `${query.slice(0, QUERY_END_CHARACTERS)}\n${query.slice(-QUERY_END_CHARACTERS)}`

// The fence, path and line numbers around an excerpt.
const FRAME_TOKENS = 100

/** Counts tokens with an upper bound that holds for every tokenizer. */
function selectWithin(hits: readonly CodeHit[], tokensMax: number): CodeHit[] {
  const best = hits[0]?.score ?? 0
  let remaining = tokensMax
  return hits.filter(({ score, content }) => {
    const tokens = estimateMaxPromptTokens([{ role: 'user', content }]) + FRAME_TOKENS
    if (score < best * SCORE_SHARE || tokens > remaining) return false
    remaining -= tokens
    return true
  })
}
