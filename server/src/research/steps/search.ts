// Runs the queries of a pass and selects pages. Every considered page gets its source number here.
import { present } from '../../kernel/assert.ts'
import { type ResearchStep, type SearchOutcome, stepName } from '../engine/next-step.ts'
import {
  enterPhase,
  type RunContext,
  readingDeadline,
  SupersededError,
  withFenceUnlessCancelled,
} from '../engine/run-context.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { finishStep } from '../runs-sql.ts'
import {
  createSearchClient,
  type PageCandidate,
  type QueryResult,
  searchAll,
  selectPages,
} from '../search/search.ts'
import {
  insertReadSources,
  insertSources,
  listSources,
  type NewSource,
  type ResearchSource,
  requeueSources,
  type SourceContent,
} from '../sources-sql.ts'
import type { SearchQuery } from '../types.ts'
import { searchRepositories, selectExcerpts } from './search-repositories.ts'

const RESULTS_PER_QUERY = 20
const PER_DOMAIN = 3
/** Considered pages per page that may be read; further ones are dropped. */
const CONSIDERED_PER_PAGE = 3

export async function searchWeb(
  context: RunContext,
  { pass, queries }: ResearchStep & { kind: 'search' },
): Promise<void> {
  const { run } = context
  await enterPhase(context, 'search', pass)
  const { limits, options } = run
  const [own, searched] = await Promise.all([
    searchRepositories(context, queries),
    options.searchWeb ? searchProvider(context, queries) : [],
  ])
  await withFenceUnlessCancelled(context, async (tx) => {
    const excerpts = selectExcerpts(own, await listSources(tx, run), limits, pass)
    if (excerpts.length > 0) await insertReadSources(tx, run, excerpts)
    const { added, again } = selectSources(context, searched, await listSources(tx, run), pass)
    const isFailed = options.searchWeb && searched.every(({ trouble }) => trouble !== null)
    const outcome: SearchOutcome = { isFailed }
    if (!(await finishStep(tx, run, stepName.search(pass), outcome))) throw new SupersededError()
    if (added.length > 0) await insertSources(tx, run, added)
    if (again.length > 0) await requeueSources(tx, run, again, pass)
    await appendEvents(tx, run.id, [
      ...searched.map((each) => toSearchEvent(each, pass)),
      ...excerpts.map(toReadEvent),
      ...added.flatMap(toSkippedEvents),
    ])
  })
}

async function searchProvider(
  { app, run, cancelled, work }: RunContext,
  queries: readonly SearchQuery[],
): Promise<QueryResult[]> {
  const provider = present(
    createSearchClient(app.config),
    'runs with a web search start only if a provider is configured',
  )
  const { limits } = run
  const now = app.clock.now()
  const leftMs = Math.max(1, readingDeadline(run, now).getTime() - now.getTime())
  return searchAll(provider, queries, {
    concurrency: limits.searchConcurrency,
    timeoutMs: limits.searchTimeoutMs,
    // Results found before the reading deadline are kept.
    deadlineMs: Math.min(limits.searchDeadlineMs, leftMs),
    retries: limits.searchRetries,
    perQuery: RESULTS_PER_QUERY,
    signal: AbortSignal.any([cancelled, work.signal]),
  })
}

const toReadEvent = ({ n, finalUrl: url, title }: SourceContent): RunEvent => ({
  ...{ kind: 'source', n, url, title, status: 'read', reason: null },
})

/** Known pages keep their number: a low-relevance source that is selected now is read under the same number. */
function selectSources(
  { run }: RunContext,
  searched: readonly QueryResult[],
  known: readonly ResearchSource[],
  pass: number,
) {
  const { limits, plan, question } = run
  const taken = known.filter(({ status }) => status === 'read' || status === 'queued').length
  const passedOver = new Map(known.filter(isLowRelevance).map(({ n, canonical }) => [canonical, n]))
  const chosen = selectPages(searched, {
    question,
    plan: present(plan, 'a run with searches has a plan'),
    known: new Map(known.filter((each) => !isLowRelevance(each)).map(({ n, canonical }) => [canonical, n])),
    pagesMax: Math.max(0, Math.min(limits.pagesPerPass, limits.pages - taken)),
    perDomain: PER_DOMAIN,
  })
  const before = known.at(-1)?.n ?? 0
  const again = chosen.flatMap(({ canonical, reason }) => {
    const n = reason === null ? passedOver.get(canonical) : undefined
    return n === undefined ? [] : [n]
  })
  const added = chosen
    .filter(({ canonical, reason }) => !passedOver.has(canonical) && !reason?.startsWith('duplicate'))
    .slice(0, limits.pagesPerPass * CONSIDERED_PER_PAGE)
    .map((each, at) => toNewSource(each, before + at + 1, pass))
  return { added, again }
}

const isLowRelevance = ({ status, reason }: ResearchSource): boolean =>
  status === 'skipped' && reason === 'low_relevance'

const toNewSource = (
  { hit, canonical, subs, reason }: PageCandidate,
  n: number,
  pass: number,
): NewSource => ({
  n,
  pass,
  url: hit.url,
  canonical,
  title: hit.title,
  snippet: hit.snippet,
  subs: [...subs],
  status: reason === null ? 'queued' : 'skipped',
  reason,
})

const toSearchEvent = ({ query, hits, trouble }: QueryResult, pass: number): RunEvent => ({
  kind: 'search',
  pass,
  query: query.text,
  hits: hits.length,
  trouble,
})

const toSkippedEvents = ({ n, url, title, status, reason }: NewSource): RunEvent[] =>
  status === 'skipped' ? [{ kind: 'source', n, url, title, status, reason }] : []
