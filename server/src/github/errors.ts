// The three kinds of failed GitHub requests: refused, rate limited, unavailable.
import { ForgeRateLimit, ForgeRefusal, ForgeUnavailable } from '../forge/forge.ts'

export { isRefusal } from '../forge/forge.ts'

const HOST = 'GitHub'

/** A permission is missing or the resource does not exist. Retrying does not help. */
export class GithubRefusal extends ForgeRefusal {
  constructor(status: number, request: string, reason = '') {
    super(HOST, status, request, reason)
    this.name = 'GithubRefusal'
  }
}

/** GitHub asks the caller to wait. */
export class GithubRateLimit extends ForgeRateLimit {
  constructor(retryAfterSeconds: number) {
    super(HOST, retryAfterSeconds)
    this.name = 'GithubRateLimit'
  }
}

/** The connection failed, or the response was unusable. */
export class GithubUnavailable extends ForgeUnavailable {
  constructor(request: string, cause?: unknown) {
    super(HOST, request, cause)
    this.name = 'GithubUnavailable'
  }
}

export const isGithubError = (error: unknown): boolean =>
  [GithubRefusal, GithubRateLimit, GithubUnavailable].some((kind) => error instanceof kind)
