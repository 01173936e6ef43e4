// Reading: several pages at once, kept in the order of their numbers, so that which of two copies counts does not depend on
// which of them came first.
import { fetchPage, PageRefused, type WebRules } from '../../platform/web/web.ts'
import { tell } from '../events.ts'
import type { Step } from '../next.ts'
import { canonicalUrl, isNearDuplicate, type ReadPage, readPage } from '../reading/reading.ts'
import { keepRead, keepUnread, type Source, sourcesOf } from '../sources-sql.ts'
import { enter, readingUntil, untilInstant, type Working, whileWanted } from '../working.ts'
import { inOrder } from './in-order.ts'

type Got =
  | { readonly kind: 'read'; readonly url: string; readonly contentType: string; readonly page: ReadPage }
  | { readonly kind: 'unread'; readonly status: 'failed' | 'skipped'; readonly reason: string }
  /** Nobody waits for it any more. */
  | { readonly kind: 'ended' }

/** Reasons that are a decision of ours rather than a failure of theirs. */
const SKIPPED = new Set(['robots', 'private_address', 'port_refused', 'bad_address', 'not_text', 'paywall'])

export async function read(working: Working, { pass }: Step & { kind: 'read' }): Promise<void> {
  const { app, run, cancelled, work } = working
  await enter(working, 'read', pass)
  const sources = await app.db.tx(run.orgId, (tx) => sourcesOf(tx, run))
  const queued = sources.filter(({ status }) => status === 'queued')
  const until = untilInstant(working, readingUntil(run, app.clock.now()))
  const ended = AbortSignal.any([cancelled, work.signal, until])
  await inOrder(
    queued,
    run.limits.fetchPool,
    (source) => get(working, source, ended),
    async (source, got) => {
      work.signal.throwIfAborted()
      if (got.kind === 'ended') return
      await keep(working, source, got)
    },
  )
}

async function get({ app, orgId }: Working, { url }: Source, signal: AbortSignal): Promise<Got> {
  try {
    const fetched = await fetchPage(url, rulesOf(app.config), signal)
    const page = await readPage(fetched, { signal, owner: orgId })
    if ('reason' in page) return unread(page.reason)
    return { kind: 'read', url: fetched.url, contentType: fetched.contentType, page }
  } catch (error) {
    if (signal.aborted) return { kind: 'ended' }
    if (error instanceof PageRefused) return unread(error.reason)
    app.log.warn({ err: error, host: URL.parse(url)?.host }, 'research.page.read_failed')
    return unread('unreadable')
  }
}

const unread = (reason: string): Got => ({
  kind: 'unread',
  status: SKIPPED.has(reason) ? 'skipped' : 'failed',
  reason,
})

export const rulesOf = ({ fetchAllow, baseUrl }: Working['app']['config']): WebRules => ({
  allow: fetchAllow,
  userAgent: `CowrieResearch/1.0 (+${baseUrl})`,
})

/** A copy of what is there already counts as that, whatever address it came from. */
async function keep(working: Working, source: Source, got: Exclude<Got, { kind: 'ended' }>): Promise<void> {
  const { run } = working
  await whileWanted(working, async (tx) => {
    const known = await sourcesOf(tx, run)
    const { n, url, title } = source
    const twin = got.kind === 'read' ? twinOf(got, known, n) : undefined
    if (got.kind === 'read' && twin === undefined) {
      const { page, contentType } = got
      const shown = page.title || title
      const characters = page.text.length
      const isKept = await keepRead(tx, run, {
        ...page,
        n,
        title: shown,
        finalUrl: got.url,
        contentType,
        characters,
      })
      if (isKept)
        await tell(tx, run.id, [{ kind: 'source', n, url, title: shown, status: 'read', reason: null }])
      return
    }
    const ending =
      got.kind === 'unread' ? got : { status: 'skipped' as const, reason: `duplicate_of_${twin ?? 0}` }
    const { status, reason } = ending
    if (await keepUnread(tx, run, n, { status, reason }))
      await tell(tx, run.id, [{ kind: 'source', n, url, title, status, reason }])
  })
}

function twinOf(got: Got & { kind: 'read' }, known: readonly Source[], n: number): number | undefined {
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
