// The words of the wall to the public web: what may be asked of it, what it brings back and why it refuses.
import type { Dial } from './connection.ts'
import type { Timer } from './host-limiter.ts'
import type { ResolveHost } from './resolve-host.ts'

export type WebRules = {
  /** `host:port` that may be reached although it is not public: the operator's own. */
  readonly allow: readonly string[]
  /** What comes before its first slash is our name in robots.txt. */
  readonly userAgent: string
}

export type FetchedPage = {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly status: number
  /** Lower case, without parameters. */
  readonly contentType: string
  readonly charset: string | null
  readonly bytes: Uint8Array
  readonly redirects: number
}

export type PageRefusalReason =
  | 'bad_address'
  | 'port_refused'
  | 'private_address'
  | 'robots'
  | 'timeout'
  | 'unreachable'
  | 'too_many_redirects'
  | 'not_text'
  | 'too_large'
  | 'empty'
  | 'unreadable'
  | `http_${number}`

/** Why a page did not come, in one word. */
export class PageRefused extends Error {
  readonly reason: PageRefusalReason
  /** What the other side answered, where that is the reason. */
  readonly status?: number
  constructor(reason: PageRefusalReason, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(`the page was not read: ${reason}`, { cause })
    this.name = 'PageRefused'
    this.reason = reason
    if (status !== undefined) this.status = status
  }
}

export type WebLimits = {
  /** From the question to the name server until the connection stands, TLS included. */
  readonly connectMs: number
  /** From the request until all headers are there. */
  readonly headersMs: number
  /** Everything of a page, redirects included; waiting for one's turn is not in it. */
  readonly pageMs: number
  /** How long a page waits for its turn and for robots.txt, all in all. */
  readonly queueMs: number
  readonly headerBytes: number
  /** After inflating. */
  readonly textBytes: number
  readonly pdfBytes: number
  /** Of a longer robots.txt the beginning counts. */
  readonly robotsBytes: number
}

/** What the wall touches: names, sockets and time come from outside. */
export type WebEnvironment = {
  readonly resolve: ResolveHost
  readonly dial: Dial
  readonly timer: Timer
  readonly limits: WebLimits
  /** Where strangers may be asked. */
  readonly ports: ReadonlySet<number>
}
