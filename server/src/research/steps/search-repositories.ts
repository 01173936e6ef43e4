// Searches the indexed repositories of the organisation. Excerpts of one file make one source; they are read at once.
import { findOrg } from '../../orgs/orgs.ts'
import { type Excerpt, retrieve } from '../../repo-index/repo-index.ts'
import type { RunContext } from '../engine/run-context.ts'
import type { RunLimits } from '../pricing/run-limits.ts'
import { createSnapshot } from '../reading/snapshot.ts'
import type { ResearchSource, SourceContent } from '../sources-sql.ts'
import type { SearchQuery } from '../types.ts'

const EXCERPTS_PER_QUERY = 4
const TOKENS_PER_QUERY = 4_000
/** The share of the pages of a pass that repositories may take beside the web. */
const REPOSITORY_SHARE = 0.5

export type RepositoryFile = { readonly url: string; readonly path: string; readonly text: string }

/** The files with the best excerpts first. Searches of the index are free. */
export async function searchRepositories(
  { app, orgId, run }: RunContext,
  queries: readonly SearchQuery[],
): Promise<RepositoryFile[]> {
  const { repositories } = run.options
  const org = repositories.length > 0 ? await app.db.tx(orgId, (tx) => findOrg(tx, orgId)) : undefined
  if (!org) return []
  const found = new Map<string, { repo: string; path: string; excerpts: Map<string, Excerpt> }>()
  for (const repo of repositories)
    for (const { text: query } of queries) {
      const asked = { query, repo, limit: EXCERPTS_PER_QUERY, tokensMax: TOKENS_PER_QUERY }
      for (const excerpt of await retrieve(app, { orgId, org: { ...org, suspended: false } }, asked)) {
        const key = `${repo}\n${excerpt.path}`
        const file = found.get(key) ?? { repo, path: excerpt.path, excerpts: new Map() }
        file.excerpts.set(excerpt.lines, excerpt)
        found.set(key, file)
      }
    }
  return Array.from(found.values(), ({ repo, path, excerpts }) => ({
    url: `repository:${encodeURIComponent(repo)}/${path.split('/').map(encodeURIComponent).join('/')}`,
    path,
    text: joinExcerpts([...excerpts.values()]),
  }))
}

const joinExcerpts = (excerpts: readonly Excerpt[]): string =>
  excerpts
    .toSorted((one, other) => Number.parseInt(one.lines, 10) - Number.parseInt(other.lines, 10))
    .map(({ text }) => text)
    .join('\n\n[…]\n\n')

/** Numbers the files that are new to the run, within the pages that it may still read. */
export function selectExcerpts(
  files: readonly RepositoryFile[],
  known: readonly ResearchSource[],
  { pages, pagesPerPass }: RunLimits,
  pass: number,
): (SourceContent & { readonly pass: number })[] {
  const urls = new Set(known.map(({ url }) => url))
  const taken = known.filter(({ status }) => status === 'read' || status === 'queued').length
  const most = Math.max(0, Math.min(Math.ceil(pagesPerPass * REPOSITORY_SHARE), pages - taken))
  const before = known.at(-1)?.n ?? 0
  return files
    .filter(({ url }) => !urls.has(url))
    .flatMap(({ url, path, text }) => {
      const page = createSnapshot({ title: path, text, language: null, publishedOn: null, isCut: false })
      return 'reason' in page ? [] : [{ url, page }]
    })
    .slice(0, most)
    .map(({ url, page }, at) => ({
      ...page,
      ...{ n: before + at + 1, pass, finalUrl: url, contentType: 'text/plain', characters: page.text.length },
    }))
}
