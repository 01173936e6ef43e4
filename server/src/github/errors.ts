// The three kinds of failed GitHub requests: refused, rate limited, unavailable.

/** A permission is missing or the resource does not exist. Retrying does not help. */
export class GithubRefusal extends Error {
  readonly status: number
  /** GitHub's explanation, shortened; empty if there is none. */
  readonly reason: string
  constructor(status: number, request: string, reason = '') {
    super(`GitHub answered ${status} to ${request}`)
    this.name = 'GithubRefusal'
    this.status = status
    this.reason = reason
  }
}

/** GitHub asks the caller to wait. */
export class GithubRateLimit extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(`GitHub asks to retry after ${retryAfterSeconds} seconds`)
    this.name = 'GithubRateLimit'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The connection failed, or the response was unusable. */
export class GithubUnavailable extends Error {
  constructor(request: string, cause?: unknown) {
    super(`GitHub gave no usable response to ${request}`, { cause })
    this.name = 'GithubUnavailable'
  }
}

export const isRefusal = (error: unknown, ...statuses: number[]): error is GithubRefusal =>
  error instanceof GithubRefusal && (statuses.length === 0 || statuses.includes(error.status))

export const isGithubError = (error: unknown): boolean =>
  [GithubRefusal, GithubRateLimit, GithubUnavailable].some((kind) => error instanceof kind)
