// The types of the page fetcher: its rules, its result and its error.

export type WebRules = {
  /** `host:port` entries that may be fetched although they are not public: the operator's own hosts. */
  readonly allow: readonly string[]
  /** The part before the first slash is our agent name in robots.txt. */
  readonly userAgent: string
}

export type FetchedPage = {
  /** The final URL, after redirects. */
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

/** A page could not be fetched. `reason` is a code. */
export class PageRefused extends Error {
  readonly reason: PageRefusalReason
  /** The HTTP status, where it is the reason. */
  readonly status?: number
  constructor(reason: PageRefusalReason, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(`the page was not read: ${reason}`, { cause })
    this.name = 'PageRefused'
    this.reason = reason
    if (status !== undefined) this.status = status
  }
}

export type WebLimits = {
  /** DNS lookup, TCP connection and TLS handshake together. */
  readonly connectMs: number
  /** From the request to the last response header. */
  readonly headersMs: number
  /** The whole fetch, redirects included, without the time in the queue. */
  readonly pageMs: number
  /** The total time in the queue of the host, robots.txt included. */
  readonly queueMs: number
  readonly headerBytes: number
  /** After decompression. */
  readonly textBytes: number
  readonly pdfBytes: number
  /** A longer robots.txt is truncated. */
  readonly robotsBytes: number
}
