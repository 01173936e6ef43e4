// Fetches pages from untrusted addresses and never reaches the internal network. It obeys robots.txt, limits the requests
// per host, and reports every failure as one reason code.
import type { Destination } from './destination.ts'
import { followRedirects } from './follow-redirects.ts'
import { createHostLimiter, type LimiterOptions } from './host-limiter.ts'
import type { WebResponse } from './http-request.ts'
import { type FetchedPage, PageRefused, type WebLimits, type WebRules } from './page.ts'
import {
  ACCEPT,
  PART_TYPES,
  PDF,
  readBody,
  readTextType,
  rejectMislabelled,
  TEXT_TYPES,
} from './page-content.ts'
import { createRobotsCache, type RobotsText } from './robots.ts'
import { waitUnlessAborted } from './time-budget.ts'
import { WEB_ENVIRONMENT, type WebEnvironment } from './web-environment.ts'

export { type FetchedPage, type PageRefusalReason, PageRefused, type WebRules } from './page.ts'
export { type RenderRequest, renderPage } from './render/render-page.ts'

export type FetchPage = (address: string, rules: WebRules, signal: AbortSignal) => Promise<FetchedPage>

/** A fetcher with its own limits per host. The process uses one, below. */
export function createPageFetcher(
  environment: WebEnvironment,
  types = TEXT_TYPES,
  pace: LimiterOptions = {},
): FetchPage {
  const context = { environment, limiter: createHostLimiter(environment.timer, pace) }
  const robots = createRobotsCache(environment.timer.now)

  // Several pages may wait for the same robots.txt, so the abort of one page does not end the download.
  const loadRobots = ({ url }: Destination, rules: WebRules): Promise<RobotsText> => {
    const { signal } = new AbortController()
    const read = (response: WebResponse) => readRobots(response, environment.limits)
    const request = { rules, accept: 'text/plain, */*;q=0.5', signal, admit: async () => 0, read }
    return followRedirects(`${url.origin}/robots.txt`, request, context).then(
      ({ content }) => content,
      toRobotsText,
    )
  }

  return async (address, rules, signal) => {
    const admit = (to: Destination, either: AbortSignal) =>
      waitUnlessAborted(
        robots.admit(to.url, rules.userAgent, () => loadRobots(to, rules)),
        either,
      )
    const read = (response: WebResponse) => readPage(response, environment.limits, types)
    signal.throwIfAborted()
    const request = { rules, accept: ACCEPT, signal, admit, read }
    const { content, url, redirects } = await followRedirects(address, request, context)
    return { url: url.href, redirects, ...content }
  }
}

/** Fetches a page. Throws `PageRefused`, or the abort reason of the caller. */
export const fetchPage: FetchPage = createPageFetcher(WEB_ENVIRONMENT)

/** A page has many parts, and a browser asks for several at once. */
const PART_PACE: LimiterOptions = { intervalMs: 100, openAtHostMax: 4 }

/** Fetches a script of a page or its data, under the same rules. */
export const fetchPagePart: FetchPage = createPageFetcher(WEB_ENVIRONMENT, PART_TYPES, PART_PACE)

async function readPage(
  response: WebResponse,
  limits: WebLimits,
  types: ReadonlySet<string>,
): Promise<Omit<FetchedPage, 'url' | 'redirects'>> {
  const { status, headers } = response
  if (status === 204 || status === 205) throw new PageRefused('empty', { status })
  if (status !== 200 && status !== 203) throw new PageRefused(`http_${status}`, { status })
  const type = readTextType(headers, types)
  const bytesMax = type.mime === PDF ? limits.pdfBytes : limits.textBytes
  const bytes = await readBody(response, { bytesMax, overflow: 'refuse' })
  if (bytes.length === 0) throw new PageRefused('empty', { status })
  rejectMislabelled(bytes, type)
  return { status, contentType: type.mime, charset: type.charset, bytes }
}

// RFC 9309: a 4xx status allows every page. Any other failure forbids every page.
async function readRobots(response: WebResponse, limits: WebLimits): Promise<RobotsText> {
  const { status } = response
  if (status >= 400 && status < 500) return { text: null }
  if (status < 200 || status > 299) return { refused: new PageRefused('robots', { status }) }
  const bytes = await readBody(response, { bytesMax: limits.robotsBytes, overflow: 'cut' })
  return { text: new TextDecoder().decode(bytes) }
}

const UNREACHABLE_REASONS: ReadonlySet<string> = new Set(['timeout', 'unreachable'])
const ADDRESS_REASONS: ReadonlySet<string> = new Set(['bad_address', 'port_refused', 'private_address'])

/** An unreachable host is unreachable for the page as well. Address problems are thrown and never cached. */
function toRobotsText(error: unknown): RobotsText {
  if (!(error instanceof PageRefused) || ADDRESS_REASONS.has(error.reason)) throw error
  if (error.reason === 'too_many_redirects') return { text: null }
  return {
    refused: UNREACHABLE_REASONS.has(error.reason) ? error : new PageRefused('robots', { cause: error }),
  }
}
