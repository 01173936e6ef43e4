// The right of an installation to read a repository, and what GitHub's refusals mean to the caller.
import {
  createInstallationToken,
  fetchRepositoryInfo,
  GithubRefusal,
  GithubUnavailable,
  isRefusal,
  parseRepositoryName,
  type Repository,
  type RepositoryInfo,
  TreeTooLarge,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Installation } from '../../review/review.ts'
import { tooLarge } from './plan-files.ts'

/** The part of an installation that reading needs. */
export type RepositoryInstallation = Pick<Installation, 'externalId' | 'status'> &
  Partial<Pick<Installation, 'forge'>>
type AccessInput = {
  readonly installation: RepositoryInstallation
  /** `owner/name`. */
  readonly repository: string
  readonly signal: AbortSignal
}

/** How long a confirmed right is not checked again. */
const CONFIRMED_MS = 5 * 60_000
const CONFIRMED_MAX = 1_000
const CONTENTS = { contents: 'read' } as const
const METADATA = { metadata: 'read' } as const

type Confirmed = { readonly info: RepositoryInfo; readonly at: number }
const confirmed = new WeakMap<App, Map<string, Confirmed>>()

/** The repository, if the installation may read its contents. */
export async function confirmAccess(app: App, input: AccessInput): Promise<RepositoryInfo> {
  const { installation, signal } = input
  requireActive(app, installation)
  const name = parseRepositoryName(input.repository)
  if (name === null) throw new ApiError('repository_not_found')
  const known = confirmed.get(app) ?? new Map<string, Confirmed>()
  confirmed.set(app, known)
  const key = `${installation.externalId} ${name.toLowerCase()}`
  const now = app.clock.now().getTime()
  const recent = known.get(key)
  if (recent && recent.at > now - CONFIRMED_MS) return recent.info
  known.delete(key)
  const info = await findRepository(app, installation, name, signal)
  await openContents(app, installation, info, signal)
  if (known.size >= CONFIRMED_MAX) known.clear()
  known.set(key, { info, at: now })
  return info
}

/** The next request asks GitHub again. */
export function forgetAccess(app: App, { installation, repository }: AccessInput): void {
  confirmed.get(app)?.delete(`${installation.externalId} ${repository.toLowerCase()}`)
}

/** A token for the contents of this repository alone. */
export async function openContents(
  app: App,
  installation: RepositoryInstallation,
  { id, name }: RepositoryInfo,
  signal: AbortSignal,
): Promise<Repository> {
  const scope = { repositoryIds: [id], permissions: CONTENTS }
  try {
    const token = await createInstallationToken(app, Number(installation.externalId), scope, signal)
    return { app, token, name, signal }
  } catch (error) {
    if (!isRefusal(error, 422)) throw toTokenError(error)
    await requireSelected(app, installation, id, signal)
    throw permissionMissing()
  }
}

/** GitHub refuses a token in the same way for a missing permission and for a repository outside the installation. */
async function requireSelected(
  app: App,
  { externalId }: RepositoryInstallation,
  repositoryId: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const scope = { repositoryIds: [repositoryId], permissions: METADATA }
    await createInstallationToken(app, Number(externalId), scope, signal)
  } catch (error) {
    if (isRefusal(error, 422)) throw withCause('repository_not_found', error)
    throw toTokenError(error)
  }
}

async function findRepository(
  app: App,
  { externalId }: RepositoryInstallation,
  name: string,
  signal: AbortSignal,
): Promise<RepositoryInfo> {
  const token = await createInstallationToken(
    app,
    Number(externalId),
    { permissions: METADATA },
    signal,
  ).catch((error: unknown) => {
    throw toTokenError(error)
  })
  try {
    return await fetchRepositoryInfo(app, token, name, signal)
  } catch (error) {
    // 451: blocked for legal reasons.
    if (isRefusal(error, 403, 404, 451) && !isSuspension(error))
      throw withCause('repository_not_found', error)
    throw toReadingError(error)
  }
}

/** Tasks work with GitHub only. */
function requireActive(app: App, { status, forge = 'github' }: RepositoryInstallation): void {
  if (!app.config.github) throw new ApiError('not_configured')
  if (status !== 'active' || forge !== 'github') throw new ApiError('installation_unavailable')
}

const permissionMissing = (): ApiError =>
  new ApiError('permission_missing', {
    permissions: ['contents: read'],
    error: 'The GitHub App lacks contents: read. Grant it in the installation settings on GitHub.',
  })

const toTokenError = (error: unknown): unknown =>
  isRefusal(error) ? withCause('installation_unavailable', error) : toReadingError(error)

/** The error for the caller. Rate limits, cancellations and bugs stay as they are. */
export function toReadingError(error: unknown): unknown {
  if (error instanceof TreeTooLarge) return Object.assign(tooLarge(), { cause: error })
  if (error instanceof GithubUnavailable) return withCause('github_unavailable', error)
  if (!(error instanceof GithubRefusal)) return error
  if (error.status === 401 || isSuspension(error)) return withCause('installation_unavailable', error)
  if (error.status === 403) return Object.assign(permissionMissing(), { cause: error })
  if (error.status === 413) return Object.assign(tooLarge(), { cause: error })
  // 409: the repository is empty.
  return withCause([404, 409, 422].includes(error.status) ? 'ref_not_found' : 'github_unavailable', error)
}

const isSuspension = (error: unknown): boolean =>
  error instanceof GithubRefusal && /suspended/i.test(error.reason)

const withCause = (code: ConstructorParameters<typeof ApiError>[0], cause: unknown): ApiError =>
  Object.assign(new ApiError(code), { cause })
