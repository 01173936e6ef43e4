// The token that publishes a pull request, and what GitHub's refusals mean to the caller.
import {
  createInstallationToken,
  fetchInstallation,
  findMissingPermissions,
  GithubRateLimit,
  GithubRefusal,
  GithubUnavailable,
  isRefusal,
  publishingPermissions,
  type Repository,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { PublishInput } from './types.ts'

const WORKFLOWS = '.github/workflows/'

/** GitHub refuses commits that change workflows without a separate permission. */
const neededPermissions = ({ changes }: PublishInput) =>
  publishingPermissions(changes.some(({ path }) => path.startsWith(WORKFLOWS)))

/** A token for this repository and these permissions only. */
export async function openForPublishing(app: App, input: PublishInput): Promise<Repository> {
  const { installation, repository: name, repositoryId, signal } = input
  if (!app.config.github) throw new ApiError('not_configured')
  if (installation.status !== 'active') throw new ApiError('installation_unavailable')
  const permissions = neededPermissions(input)
  if (findMissingPermissions(installation.permissions, permissions).length > 0)
    await requireGranted(app, input)
  const scope = { repositoryIds: [repositoryId], permissions }
  try {
    const token = await createInstallationToken(app, Number(installation.externalId), scope, signal)
    return { app, token, name, signal }
  } catch (error) {
    // A permission was revoked, or the repository is no longer selected.
    if (isRefusal(error, 422)) await requireGranted(app, input)
    if (isRefusal(error)) throw Object.assign(new ApiError('installation_unavailable'), { cause: error })
    throw error
  }
}

/** Asks GitHub, because the stored permissions can be out of date. */
async function requireGranted(app: App, input: PublishInput): Promise<void> {
  const { installation, signal } = input
  const { permissions, suspended_at } = await fetchInstallation(app, Number(installation.externalId), signal)
  if (suspended_at) throw new ApiError('installation_unavailable')
  const missing = findMissingPermissions(permissions, neededPermissions(input))
  if (missing.length > 0) throw permissionMissing(missing)
}

const permissionMissing = (permissions: readonly string[]): ApiError =>
  new ApiError('permission_missing', {
    permissions,
    error: `The GitHub App lacks ${permissions.join(' and ')}. Grant it in the installation settings on GitHub. The patch stays downloadable.`,
  })

export const pushRefused = (refusal: GithubRefusal): ApiError =>
  Object.assign(new ApiError('push_refused', { reason: refusal.reason }), { cause: refusal })

/** The error for the caller. Bugs stay as they are. */
export function toPublishingError(error: unknown, input: PublishInput): unknown {
  if (error instanceof GithubRateLimit)
    return Object.assign(new ApiError('github_unavailable', { retryAfter: error.retryAfterSeconds }), {
      cause: error,
    })
  if (error instanceof GithubUnavailable)
    return Object.assign(new ApiError('github_unavailable'), { cause: error })
  if (!(error instanceof GithubRefusal)) return error
  if (/`?workflows?`? (permission|scope)/i.test(error.reason)) return permissionMissing(['workflows: write'])
  if (/not accessible by integration/i.test(error.reason)) {
    const needed = Object.entries(neededPermissions(input))
    return permissionMissing(needed.map(([permission, access]) => `${permission}: ${access}`))
  }
  if (isRefusal(error, 401, 404))
    return Object.assign(new ApiError('installation_unavailable'), { cause: error })
  return pushRefused(error)
}
