// Renders a page whose text is made by its scripts, in a separate browser process. The browser has no network: every
// request is answered by the caller's fetcher, which applies the rules for untrusted addresses, and only for the host of
// the page.
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchedPage } from '../page.ts'
import { endBrowser, killBrowser, limitMemory, startBrowser } from './browser-process.ts'
import { connectDevtools, type Devtools } from './devtools-pipe.ts'

export type RenderRequest = {
  /** The page as it was fetched. */
  readonly page: FetchedPage
  /** The path of Chromium. */
  readonly executable: string
  /** False only in development as root, where Chromium cannot use its sandbox. */
  readonly isSandboxed: boolean
  /** Fetches a script or its data. Throws if the rules forbid it. */
  readonly fetchPart: (url: string, signal: AbortSignal) => Promise<FetchedPage>
  readonly signal: AbortSignal
  readonly limits?: RenderLimits
}
export type RenderLimits = {
  readonly ms: number
  /** After this time the page is taken as it is, although it still loads. */
  readonly loadMs: number
  readonly memoryBytes: number
}

const LIMITS: RenderLimits = { ms: 15_000, loadMs: 9_000, memoryBytes: 1024 ** 3 }

/** The page is complete after this long without a request. */
const QUIET_MS = 700
const POLL_MS = 100
const PARTS_MAX = 80
const PART_BYTES_MAX = 12 * 1024 * 1024
const HTML_CHARACTERS_MAX = 3_000_000
const RENDERED_TYPES: ReadonlySet<string> = new Set(['Script', 'Stylesheet', 'XHR', 'Fetch'])

/** The HTML after the scripts of the page have run. Throws if the browser fails or the time is over. */
export async function renderPage({ limits = LIMITS, ...request }: RenderRequest): Promise<string> {
  request.signal.throwIfAborted()
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-page-'))
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.ms)])
  const browser = startBrowser({ ...request, folder })
  const kill = () => killBrowser(browser)
  const stopWatching = limitMemory(browser, limits.memoryBytes)
  signal.addEventListener('abort', kill)
  try {
    return await renderIn(browser, { ...request, limits }, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
    stopWatching()
    await endBrowser(browser)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function renderIn(
  browser: ChildProcess,
  request: RenderRequest & { readonly limits: RenderLimits },
  signal: AbortSignal,
): Promise<string> {
  const loadedBy = performance.now() + request.limits.loadMs
  const answerer = createAnswerer(request, signal)
  const devtools: Devtools = connectDevtools(
    browser.stdio[3] as Writable,
    browser.stdio[4] as Readable,
    (method, params) => answerer.take(devtools, method, params),
  )
  browser.on('error', (error) => devtools.close(error))
  const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank' })
  const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true })
  const session = String(attached.sessionId)
  answerer.session = session
  await devtools.send('Browser.setDownloadBehavior', { behavior: 'deny' })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session)
  await devtools.send('Page.enable', {}, session)
  await devtools.send('Page.navigate', { url: request.page.url }, session)
  while (!answerer.isQuiet() && performance.now() < loadedBy) await sleep(POLL_MS, undefined, { signal })
  const expression = `document.documentElement.outerHTML.slice(0, ${HTML_CHARACTERS_MAX})`
  const { result } = await devtools.send('Runtime.evaluate', { expression, returnByValue: true }, session)
  const { value } = result as { value?: unknown }
  if (typeof value !== 'string') throw new Error('the browser returned no page')
  return value
}

/** Answers the requests of the page, and knows when it is complete. */
function createAnswerer({ page, fetchPart }: RenderRequest, signal: AbortSignal) {
  const { host } = new URL(page.url)
  let isLoaded = false
  let open = 0
  let changedAt = performance.now()
  let parts = 0
  let bytes = 0
  let isDelivered = false

  async function answerOf(url: string, method: string, type: string): Promise<FetchedPage | null> {
    if (type === 'Document' && !isDelivered) {
      isDelivered = true
      return page
    }
    parts += 1
    if (method !== 'GET' || !RENDERED_TYPES.has(type) || parts > PARTS_MAX || bytes > PART_BYTES_MAX)
      return null
    if (URL.parse(url)?.host !== host) return null
    const part = await fetchPart(url, signal).catch(() => null)
    bytes += part?.bytes.length ?? 0
    // A redirect may have left the host.
    return part && new URL(part.url).host === host ? part : null
  }

  const answerer = {
    session: '',
    isQuiet: () => isLoaded && open === 0 && performance.now() - changedAt > QUIET_MS,
    take(devtools: Devtools, method: string, params: Record<string, unknown>): void {
      if (method === 'Page.loadEventFired') isLoaded = true
      if (method !== 'Fetch.requestPaused') return
      const { requestId, resourceType } = params
      const { url, method: verb } = params.request as { url: string; method: string }
      open += 1
      const answered = answerOf(url, verb, String(resourceType)).then((part) =>
        part
          ? devtools.send('Fetch.fulfillRequest', toResponse(requestId, part), answerer.session)
          : devtools.send(
              'Fetch.failRequest',
              { requestId, errorReason: 'BlockedByClient' },
              answerer.session,
            ),
      )
      void answered
        .catch(() => undefined)
        .then(() => {
          open -= 1
          changedAt = performance.now()
        })
    },
  }
  return answerer
}

const toResponse = (requestId: unknown, { contentType, charset, bytes }: FetchedPage) => ({
  requestId,
  responseCode: 200,
  responseHeaders: [
    { name: 'content-type', value: charset === null ? contentType : `${contentType}; charset=${charset}` },
  ],
  body: Buffer.from(bytes).toString('base64'),
})
