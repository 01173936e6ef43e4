// Fetches pages from untrusted addresses and never reaches the internal network. It obeys robots.txt, limits the requests
// per host, and reports every failure as one reason code.
import { connect } from 'node:net'
import type { Destination } from './destination.ts'
import { followRedirects } from './follow-redirects.ts'
import { createHostLimiter } from './host-limiter.ts'
import type { WebResponse } from './http-request.ts'
import { type FetchedPage, PageRefused, type WebEnvironment, type WebLimits, type WebRules } from './page.ts'
import { ACCEPT, PDF, readBody, readTextType, rejectMislabelled } from './page-content.ts'
import { resolveHost } from './resolve-host.ts'
import { createRobotsCache, type RobotsText } from './robots.ts'
import { waitUnlessAborted } from './time-budget.ts'

export { type FetchedPage, type PageRefusalReason, PageRefused, type WebRules } from './page.ts'

export type FetchPage = (address: string, rules: WebRules, signal: AbortSignal) => Promise<FetchedPage>

/** A fetcher with its own limits per host. The process uses one, below. */
export function createPageFetcher(world: WebEnvironment): FetchPage {
  const ways = { world, pace: createHostLimiter(world.timer) }
  const robots = createRobotsCache(world.timer.now)

  // Several pages may wait for the same robots.txt, so no signal of a single page aborts it.
  const robotsOf = ({ url }: Destination, rules: WebRules): Promise<RobotsText> => {
    const { signal } = new AbortController()
    const read = (answer: WebResponse) => readRobots(answer, world.limits)
    const errand = { rules, accept: 'text/plain, */*;q=0.5', signal, admit: async () => 0, read }
    return followRedirects(`${url.origin}/robots.txt`, errand, ways).then(({ found }) => found, toRobotsText)
  }

  return async (address, rules, signal) => {
    const admit = (to: Destination, either: AbortSignal) =>
      waitUnlessAborted(
        robots.admit(to.url, rules.userAgent, () => robotsOf(to, rules)),
        either,
      )
    const read = (answer: WebResponse) => readPage(answer, world.limits)
    signal.throwIfAborted()
    const errand = { rules, accept: ACCEPT, signal, admit, read }
    const { found, url, redirects } = await followRedirects(address, errand, ways)
    return { url: url.href, redirects, ...found }
  }
}

export const WEB_ENVIRONMENT: WebEnvironment = {
  resolve: resolveHost,
  dial: connect,
  timer: {
    now: () => performance.now(),
    after: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
  },
  limits: {
    connectMs: 5_000,
    headersMs: 10_000,
    pageMs: 15_000,
    queueMs: 20_000,
    headerBytes: 16 * 1024,
    textBytes: 3 * 1024 * 1024,
    pdfBytes: 8 * 1024 * 1024,
    robotsBytes: 512 * 1024,
  },
  ports: new Set([80, 443]),
}

/** Fetches a page. Throws `PageRefused`, or the abort reason of the caller. */
export const fetchPage: FetchPage = createPageFetcher(WEB_ENVIRONMENT)

async function readPage(
  answer: WebResponse,
  limits: WebLimits,
): Promise<Omit<FetchedPage, 'url' | 'redirects'>> {
  const { status, headers } = answer
  if (status === 204 || status === 205) throw new PageRefused('empty', { status })
  if (status !== 200 && status !== 203) throw new PageRefused(`http_${status}`, { status })
  const type = readTextType(headers)
  const bytesMax = type.mime === PDF ? limits.pdfBytes : limits.textBytes
  const bytes = await readBody(answer, { bytesMax, overflow: 'refuse' })
  if (bytes.length === 0) throw new PageRefused('empty', { status })
  rejectMislabelled(bytes, type)
  return { status, contentType: type.mime, charset: type.charset, bytes }
}

// RFC 9309: a 4xx status allows everything, a server error forbids everything.
async function readRobots(answer: WebResponse, limits: WebLimits): Promise<RobotsText> {
  const { status } = answer
  if (status >= 400 && status < 500) return { text: null }
  if (status < 200 || status > 299) return { refused: new PageRefused('robots', { status }) }
  const bytes = await readBody(answer, { bytesMax: limits.robotsBytes, overflow: 'cut' })
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
