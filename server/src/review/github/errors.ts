// The three ways in which GitHub does not do what we ask.

/** It said no, and would again: a permission is missing, or what we name is not there. */
export class GithubRefusal extends Error {
  readonly status: number
  constructor(status: number, what: string) {
    super(`GitHub answered ${status} to ${what}`)
    this.name = 'GithubRefused'
    this.status = status
  }
}

/** It asks us to wait. */
export class GithubRateLimit extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(`GitHub asks for a pause of ${retryAfterSeconds} seconds`)
    this.name = 'GithubLimited'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** It was not reached, broke off, or gave no usable answer. */
export class GithubUnavailable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`GitHub gave no usable answer to ${what}`, { cause })
    this.name = 'GithubUnavailable'
  }
}

export const isRefusal = (error: unknown, ...statuses: number[]): error is GithubRefusal =>
  error instanceof GithubRefusal && (statuses.length === 0 || statuses.includes(error.status))
