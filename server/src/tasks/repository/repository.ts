// Public API of repository workspaces: the files of one commit of a GitHub repository, read through the GitHub App. The git
// program is never used, so nothing in a repository can make this machine run a command.
import { isFullSha, listTree, resolveCommit } from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { createSemaphore } from '../../platform/db/semaphore.ts'
import type { SkippedFile } from '../types.ts'
import {
  confirmAccess,
  forgetAccess,
  openContents,
  type RepositoryInstallation,
  toReadingError,
} from './access.ts'
import { diskFull, type HeldSnapshot, RepositoryCache } from './cache.ts'
import { codeOf } from './error-code.ts'
import { fetchFiles } from './fetch-files.ts'
import { CACHE_LIMITS, DOWNLOADS_MAX, DOWNLOADS_WAITING_MAX, FILES_MAX, OPEN_TIMEOUT_MS } from './limits.ts'
import { planFiles } from './plan-files.ts'
import { SharedWork } from './shared-work.ts'
import { diskBytes } from './snapshot-index.ts'

export type { RepositoryInstallation } from './access.ts'

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

const REF_MAX = 255
/** Refs that git refuses. Some of them would address another endpoint. */
const INVALID_REF = /\.\.|^[-/]|[/.]$|\/\/|@\{|\.lock$|[\p{Cc} ~^:?*[\\]/u
const BASES_MAX = 3
const OPEN_ATTEMPTS = 3

/** The commit that a ref points to now. Throws `GithubRateLimit` if GitHub asks to wait for long. */
export async function resolveRef(app: App, input: RefInput): Promise<ResolvedRef> {
  const { installation, signal } = input
  try {
    const info = await confirmAccess(app, input)
    const ref = input.ref ?? info.defaultBranch
    if (ref === '' || ref.length > REF_MAX || INVALID_REF.test(ref) || !ref.isWellFormed())
      throw new ApiError('ref_not_found')
    const commit = await resolveCommit(await openContents(app, installation, info, signal), ref)
    return { commit, repositoryId: info.id, defaultBranch: info.defaultBranch }
  } catch (error) {
    forgetAccess(app, input)
    throw toReadingError(error)
  }
}

/** The files of a commit, from the cache or from GitHub. Throws `GithubRateLimit` if GitHub asks to wait for long. */
export async function openRepository(app: App, input: OpenRepositoryInput): Promise<RepositorySnapshot> {
  const { orgId, commit, signal } = input
  if (!isFullSha(commit)) throw new ApiError('ref_not_found')
  const { cache, downloads } = storeOf(app)
  await cache.prepare()
  try {
    const { id } = await confirmAccess(app, input)
    const target = cache.targetOf(orgId, id, commit)
    for (let attempt = 1; attempt <= OPEN_ATTEMPTS; attempt++) {
      const held = await cache.acquire(target)
      if (held) return toSnapshot(app, held)
      await downloads.run(target, signal, (shared) => download(app, { ...input, signal: shared }, target))
    }
    // Other processes remove it as fast as it appears.
    throw new ApiError('busy')
  } catch (error) {
    forgetAccess(app, input)
    throw toReadingError(error)
  }
}

/** Deletes all files of an organisation from the disk of this replica. */
export async function deleteRepositories(app: App, orgId: OrgId): Promise<void> {
  await storeOf(app).cache.deleteOrg(orgId)
}

type Store = {
  readonly cache: RepositoryCache
  readonly downloads: SharedWork
  readonly slots: ReturnType<typeof createSemaphore>
}
const stores = new WeakMap<App, Store>()

function storeOf(app: App): Store {
  const known = stores.get(app)
  if (known) return known
  const slots = createSemaphore(DOWNLOADS_MAX, OPEN_TIMEOUT_MS, DOWNLOADS_WAITING_MAX)
  const store = { cache: new RepositoryCache(app, CACHE_LIMITS), downloads: new SharedWork(), slots }
  stores.set(app, store)
  return store
}

async function download(app: App, input: OpenRepositoryInput, target: string): Promise<void> {
  const { cache, slots } = storeOf(app)
  await slots.acquire()
  const timeout = AbortSignal.timeout(OPEN_TIMEOUT_MS)
  const signal = AbortSignal.any([input.signal, timeout])
  try {
    signal.throwIfAborted()
    await downloadInto(app, { ...input, signal }, target, cache)
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw diskFull(app)
    if (timeout.aborted && !input.signal.aborted) throw new ApiError('github_unavailable')
    throw error
  } finally {
    slots.release()
  }
}

async function downloadInto(
  app: App,
  input: OpenRepositoryInput,
  target: string,
  cache: RepositoryCache,
): Promise<void> {
  const { orgId, installation, commit, signal } = input
  const repository = await openContents(app, installation, await confirmAccess(app, input), signal)
  const plan = planFiles(await listTree(repository, commit, FILES_MAX))
  const bases = await cache.acquireBases(target, BASES_MAX)
  try {
    await cache.makeRoom(orgId, diskBytes(plan.files.values()))
    const staging = await cache.createStaging()
    try {
      const fetched = await fetchFiles({ repository, commit, plan, folder: staging.folder, bases })
      await cache.publish(staging, target, { commit, ...fetched })
    } catch (error) {
      await staging.discard()
      throw error
    }
  } finally {
    await Promise.all(bases.map((base) => base.release()))
  }
}

function toSnapshot(app: App, { index, folder, release }: HeldSnapshot): RepositorySnapshot {
  const { commit, files, skipped } = index
  return {
    commit,
    folder,
    files,
    skipped,
    release: () =>
      void release().catch((error: unknown) => app.log.warn({ error }, 'tasks.repository.release_failed')),
  }
}
