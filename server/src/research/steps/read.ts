// Reads sources concurrently and saves them in the order of their numbers, so that duplicates are resolved
// deterministically.

import { fetchPage, PageRefused, type WebRules } from '../../platform/web/web.ts'
import { type ResearchStep, stepName } from '../engine/next-step.ts'
import {
  abortAt,
  enterPhase,
  type RunContext,
  readingDeadline,
  SupersededError,
  withFenceUnlessCancelled,
} from '../engine/run-context.ts'
import { canonicalUrl, isNearDuplicate, type PageSnapshot, readPage } from '../reading/read-page.ts'
import { appendEvents } from '../run-events.ts'
import { finishStep } from '../runs-sql.ts'
import {
  listSources,
  type ResearchSource,
  requeueSources,
  saveReadSource,
  saveUnreadSource,
} from '../sources-sql.ts'
import { processInOrder } from './process-in-order.ts'
import { renderEmpty } from './render-empty.ts'

type FetchResult =
  | { readonly kind: 'read'; readonly url: string; readonly contentType: string; readonly page: PageSnapshot }
  | { readonly kind: 'unread'; readonly status: 'failed' | 'skipped'; readonly reason: string }
  /** The read was aborted. */
  | { readonly kind: 'ended' }

/** Reasons that are our decision rather than an error of the site. */
const SKIP_REASONS = new Set([
  'robots',
  'private_address',
  'port_refused',
  'bad_address',
  'not_text',
  'paywall',
])

export async function readSources(
  context: RunContext,
  { pass }: ResearchStep & { kind: 'read' },
): Promise<void> {
  const { app, run, cancelled, work } = context
  await enterPhase(context, 'read', pass)
  const sources = await app.db.tx(run.orgId, (tx) => listSources(tx, run))
  const queued = sources.filter(({ status }) => status === 'queued')
  const until = abortAt(context, readingDeadline(run, app.clock.now()))
  const ended = AbortSignal.any([cancelled, work.signal, until])
  await processInOrder(
    queued,
    run.limits.fetchPool,
    (source) => fetchSource(context, source, ended),
    async (source, got) => {
      work.signal.throwIfAborted()
      if (got.kind === 'ended') return
      await saveResult(context, source, got)
    },
  )
}

async function fetchSource(
  context: RunContext,
  { url }: ResearchSource,
  signal: AbortSignal,
): Promise<FetchResult> {
  const { app, orgId } = context
  try {
    const rules = webRulesOf(app.config)
    const fetched = await fetchPage(url, rules, signal)
    const page = await readPage(fetched, { signal, owner: orgId })
    const shown =
      'reason' in page && page.reason === 'empty' ? await renderEmpty(context, fetched, rules, signal) : page
    if ('reason' in shown) return toUnread(shown.reason)
    return { kind: 'read', url: fetched.url, contentType: fetched.contentType, page: shown }
  } catch (error) {
    if (signal.aborted) return { kind: 'ended' }
    if (error instanceof PageRefused) return toUnread(error.reason)
    app.log.warn({ err: error, host: URL.parse(url)?.host }, 'research.page.read_failed')
    return toUnread('unreadable')
  }
}

const toUnread = (reason: string): FetchResult => ({
  kind: 'unread',
  status: SKIP_REASONS.has(reason) ? 'skipped' : 'failed',
  reason,
})

export const webRulesOf = ({ fetchAllow, baseUrl }: RunContext['app']['config']): WebRules => ({
  allow: fetchAllow,
  userAgent: `CowrieResearch/1.0 (+${baseUrl})`,
})

/** A copy of a read page is skipped as its duplicate, whatever its URL. */
async function saveResult(
  context: RunContext,
  source: ResearchSource,
  got: Exclude<FetchResult, { kind: 'ended' }>,
): Promise<void> {
  const { run } = context
  await withFenceUnlessCancelled(context, async (tx) => {
    const known = await listSources(tx, run)
    const { n, url, title } = source
    const twin = got.kind === 'read' ? findDuplicate(got, known, n) : undefined
    if (got.kind === 'read' && twin === undefined) {
      const { page, contentType } = got
      const shown = page.title || title
      const characters = page.text.length
      const isKept = await saveReadSource(tx, run, {
        ...page,
        n,
        title: shown,
        finalUrl: got.url,
        contentType,
        characters,
      })
      if (isKept)
        await appendEvents(tx, run.id, [
          { kind: 'source', n, url, title: shown, status: 'read', reason: null },
        ])
      return
    }
    const ending =
      got.kind === 'unread' ? got : { status: 'skipped' as const, reason: `duplicate_of_${twin ?? 0}` }
    const { status, reason } = ending
    if (await saveUnreadSource(tx, run, n, { status, reason }))
      await appendEvents(tx, run.id, [{ kind: 'source', n, url, title, status, reason }])
  })
}

function findDuplicate(
  got: FetchResult & { kind: 'read' },
  known: readonly ResearchSource[],
  n: number,
): number | undefined {
  const canonical = canonicalUrl(got.url)
  return known.find(
    (other) =>
      other.n !== n &&
      other.status === 'read' &&
      (other.sha256 === got.page.sha256 ||
        canonicalUrl(other.finalUrl ?? other.url) === canonical ||
        (other.fingerprint !== null && isNearDuplicate(other.fingerprint, got.page.fingerprint))),
  )?.n
}

export function refillSources(
  context: RunContext,
  { pass, numbers }: ResearchStep & { kind: 'refill' },
): Promise<void> {
  const { run } = context
  return withFenceUnlessCancelled(context, async (tx) => {
    if (!(await finishStep(tx, run, stepName.refill(pass), { numbers }))) throw new SupersededError()
    await requeueSources(tx, run, numbers, pass)
  })
}
