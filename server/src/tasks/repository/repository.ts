// Public API of repository workspaces: the files of one commit of a GitHub repository, read through the GitHub App. The git
// program is never used, so nothing in a repository can make this machine run a command.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Installation } from '../../review/review.ts'
import type { SkippedFile } from '../types.ts'

/** The part of an installation that reading needs. */
export type RepositoryInstallation = Pick<Installation, 'externalId' | 'status'>

export type RefInput = {
  readonly installation: RepositoryInstallation
  /** `owner/name`. */
  readonly repository: string
  /** A branch, a tag or a commit. Null or absent: the default branch. */
  readonly ref?: string | null | undefined
  readonly signal: AbortSignal
}
export type ResolvedRef = {
  readonly commit: string
  readonly repositoryId: number
  readonly defaultBranch: string
}

export type OpenRepositoryInput = {
  readonly orgId: OrgId
  readonly installation: RepositoryInstallation
  /** `owner/name`. */
  readonly repository: string
  /** The full SHA of a commit. */
  readonly commit: string
  readonly signal: AbortSignal
}
export type RepositoryFile = { readonly bytes: number; readonly isExecutable: boolean }
export type RepositorySnapshot = {
  readonly commit: string
  /** An absolute path. Never write to it: files are shared with other snapshots. */
  readonly folder: string
  /** Sorted by path. */
  readonly files: ReadonlyMap<string, RepositoryFile>
  readonly skipped: readonly SkippedFile[]
  /** Allows the removal of the files. May be called more than once. */
  release(): void
}

/** The commit that a ref points to now. Throws `GithubRateLimit` if GitHub asks to wait for long. */
export async function resolveRef(_app: App, _input: RefInput): Promise<ResolvedRef> {
  throw new ApiError('not_configured')
}

/** The files of a commit, from the cache or from GitHub. Throws `GithubRateLimit` if GitHub asks to wait for long. */
export async function openRepository(_app: App, _input: OpenRepositoryInput): Promise<RepositorySnapshot> {
  throw new ApiError('not_configured')
}

/** Deletes all files of an organisation from the disk of this replica. */
export async function deleteRepositories(_app: App, _orgId: OrgId): Promise<void> {
  throw new ApiError('not_configured')
}
