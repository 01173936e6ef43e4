// Publishes the changes of a task as a pull request, or updates the existing one.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { PublishedPullRequest, PublishInput } from './types.ts'

export type {
  ExistingPullRequest,
  PublishedPullRequest,
  PublishInput,
  PublishingInstallation,
} from './types.ts'

/** Can be repeated after a crash or a lost reply: commits and pull requests that exist already are found again. */
export async function publishPullRequest(_app: App, _input: PublishInput): Promise<PublishedPullRequest> {
  throw new ApiError('not_configured')
}
