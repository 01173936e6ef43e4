// What of an organisation's code belongs beside a task: for those who ask a model about it.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'
import { DEFAULT_REPO } from '../repo-key.ts'
import { listRepos } from '../sql.ts'
import { findHits, type SearchHit } from './search.ts'

/** A piece of a file as a prompt shows it. */
export type Excerpt = { readonly path: string; readonly lines: string; readonly text: string }

export type RetrievalRequest = {
  readonly query: string
  /** The repository that the task is about. Undefined: see `repoFor`. */
  readonly repo: string | undefined
  readonly limit: number
  /** What all of them may have together. */
  readonly tokensMax: number
  /** Files that are shown already. */
  readonly exclude?: readonly string[]
}

// A task can be a book; what it is about is said where it begins and where it ends.
const QUERY_END_CHARACTERS = 2_000
/** A hit that scores below this share of the best has little to do with it. */
const SCORE_SHARE = 0.35
const TIMEOUT_MS = 5_000

/** The best first. Never fails: without an index, or when it cannot be read, there is nothing. */
export async function retrieve(
  app: App,
  actor: Pick<Actor, 'orgId' | 'org'>,
  { query, repo: named, limit, tokensMax, exclude = [] }: RetrievalRequest,
): Promise<Excerpt[]> {
  if (app.config.retrieval === 'off' || tokensMax <= 0) return []
  try {
    const repo = named ?? (await chooseRepo(app, actor.orgId))
    const shown = new Set(exclude)
    const wanted = { query: shortenQuery(query), repo, limit, isAllowed: (path: string) => !shown.has(path) }
    const { hits } = await findHits(app, actor, wanted, AbortSignal.timeout(TIMEOUT_MS))
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
 * The repository of a task that names none: `default`, or the only one that is indexed. Among several no choice is made, so that
 * no prompt shows the code of another project.
 */
async function chooseRepo(app: App, org: OrgId): Promise<string> {
  const repos = await app.db.tx(org, (tx) => listRepos(tx, org))
  return repos.length === 1 ? (repos[0]?.repo ?? DEFAULT_REPO) : DEFAULT_REPO
}

const shortenQuery = (query: string): string =>
  query.length <= 2 * QUERY_END_CHARACTERS
    ? query
    : `${query.slice(0, QUERY_END_CHARACTERS)}\n${query.slice(-QUERY_END_CHARACTERS)}`

// What a prompt puts around an excerpt: its marks, its path and its lines.
const FRAME_TOKENS = 100

/** Counted as a prompt is: at most, whatever the tokenizer. */
function selectWithin(hits: readonly SearchHit[], tokensMax: number): SearchHit[] {
  const best = hits[0]?.score ?? 0
  let left = tokensMax
  return hits.filter(({ score, content }) => {
    const tokens = estimateMaxPromptTokens([{ role: 'user', content }]) + FRAME_TOKENS
    if (score < best * SCORE_SHARE || tokens > left) return false
    left -= tokens
    return true
  })
}
