// The three kinds of failed requests to a code host: refused, rate limited, unavailable.

/** A permission is missing or the resource does not exist. Retrying does not help. */
export class ForgeRefusal extends Error {
  readonly status: number
  /** The explanation of the host, shortened; empty if there is none. */
  readonly reason: string
  constructor(host: string, status: number, request: string, reason = '') {
    super(`${host} answered ${status} to ${request}`)
    this.name = 'ForgeRefusal'
    this.status = status
    this.reason = reason
  }
}

/** The host asks the caller to wait. */
export class ForgeRateLimit extends Error {
  readonly retryAfterSeconds: number
  constructor(host: string, retryAfterSeconds: number) {
    super(`${host} asks to retry after ${retryAfterSeconds} seconds`)
    this.name = 'ForgeRateLimit'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The connection failed, or the response was unusable. */
export class ForgeUnavailable extends Error {
  constructor(host: string, request: string, cause?: unknown) {
    super(`${host} gave no usable response to ${request}`, { cause })
    this.name = 'ForgeUnavailable'
  }
}

export const isRefusal = (error: unknown, ...statuses: number[]): error is ForgeRefusal =>
  error instanceof ForgeRefusal && (statuses.length === 0 || statuses.includes(error.status))

export const isForgeError = (error: unknown): boolean =>
  [ForgeRefusal, ForgeRateLimit, ForgeUnavailable].some((kind) => error instanceof kind)
