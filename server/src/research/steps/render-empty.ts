// Reads a page without text again after its scripts have run, where the operator has set a browser.
import type { App } from '../../platform/app.ts'
import { type FetchedPage, fetchPagePart, renderPage, type WebRules } from '../../platform/web/web.ts'
import type { RunContext } from '../engine/run-context.ts'
import { type PageSnapshot, readPage, type UnreadablePage } from '../reading/read-page.ts'

const EMPTY: UnreadablePage = { reason: 'empty' }
/** Browsers at once in this process. Further pages wait. */
const BROWSERS_MAX = 2
let running = 0
const queue: (() => void)[] = []

type RenderContext = Pick<RunContext, 'orgId'> & {
  readonly app: {
    readonly config: Pick<App['config'], 'chromium' | 'environment'>
    readonly log: Pick<App['log'], 'warn'>
  }
}

/** The reason of the first reading stays if the browser fails. */
export async function renderEmpty(
  { app, orgId }: RenderContext,
  page: FetchedPage,
  rules: WebRules,
  signal: AbortSignal,
): Promise<PageSnapshot | UnreadablePage> {
  const { chromium, environment } = app.config
  if (chromium === null || !/html/.test(page.contentType)) return EMPTY
  await enter(signal)
  try {
    const html = await renderPage({
      ...{ page, executable: chromium, signal },
      isSandboxed: environment === 'production' || process.getuid?.() !== 0,
      fetchPart: (url, aborted) => fetchPagePart(url, rules, aborted),
    })
    const bytes = Buffer.from(html)
    return await readPage(
      { url: page.url, contentType: 'text/html', charset: 'utf-8', bytes },
      { signal, owner: orgId },
    )
  } catch (error) {
    signal.throwIfAborted()
    app.log.warn({ err: error, host: new URL(page.url).host }, 'research.page.render_failed')
    return EMPTY
  } finally {
    leave()
  }
}

async function enter(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (running < BROWSERS_MAX) {
    running += 1
    return
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => {
    const at = queue.indexOf(resolve)
    // Otherwise the place is already taken, and given back below.
    if (at < 0) return
    queue.splice(at, 1)
    reject(signal.reason)
  }
  queue.push(resolve)
  signal.addEventListener('abort', giveUp)
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The place of this page goes to the next one. */
function leave(): void {
  const next = queue.shift()
  if (next) next()
  else running -= 1
}
