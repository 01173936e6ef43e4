// What a pull request changes, exactly as it is at the head that we were told of, within bounds. What is left out is named.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { assembleText, type Hunks, InvalidPatch, parsePatch } from '../diff/hunks.ts'
import { isRefusal } from '../github/errors.ts'
import {
  type ChangedFile,
  compareCommits,
  fetchFile,
  fetchPull,
  listChangedFiles,
  type Repository,
} from '../github/repository.ts'
import type { ReviewRun } from '../runs/runs-sql.ts'
import { findIgnoredPaths } from './ignore-patterns.ts'
import {
  createRepoPolicy,
  POLICY_BYTES_MAX,
  POLICY_PATH,
  parsePolicyFile,
  type RepoPolicy,
} from './repo-policy.ts'

export type UnreviewedFile = { readonly path: string; readonly reason: string }

export type ChangeSet = {
  readonly files: readonly ScannedFile[]
  /** Lines that the change brought, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<number>>
  /** Lines of the diff, on which alone GitHub takes comments. */
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  readonly notReviewed: readonly UnreviewedFile[]
  readonly policy: RepoPolicy
  readonly notes: readonly string[]
  /** What keeps all of the change from being seen, as sentences. */
  readonly gaps: readonly string[]
}

export type PullRef = Pick<ReviewRun, 'orgId' | 'pr' | 'headSha' | 'baseSha'>
/** What the installation allows us to read. */
export type ReadAccess = { readonly contents: boolean; readonly pulls: boolean }

const FILES_MAX = 300
const FILE_BYTES_MAX = 1024 * 1024
const TOTAL_BYTES_MAX = 8 * 1024 * 1024
const AT_ONCE = 6
const NOT_REVIEWED_MAX = 500

/** The pull request has gone on: another head is there, or it is closed. */
export type MovedHead = {
  readonly movedTo: { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }
}

export async function readChangeSet(
  repository: Repository,
  asked: PullRef,
  may: ReadAccess,
): Promise<ChangeSet | MovedHead> {
  const before = await readPullState(repository, asked.pr, may)
  if (before && hasMoved(before, asked)) return toMovedHead(before)
  const changed = await listChanges(repository, asked, may)
  // The list is of whatever is the head by now, so it counts only if that is still ours.
  const after = await readPullState(repository, asked.pr, may)
  if (after && hasMoved(after, asked)) return toMovedHead(after)
  const branch = after?.base?.repo?.default_branch ?? null
  const { policy, notes } = await readPolicy(repository, branch, may, changed, asked.orgId)
  const sorted = sortFiles(changed, policy)
  const files = await readTexts(repository, asked.headSha, sorted.patched, may)
  const notReviewed = [...sorted.notReviewed, ...files.notReviewed]
  return {
    files: files.texts,
    added: new Map(sorted.patched.map(({ path, hunks }) => [path, hunks.added])),
    commentable: new Map(sorted.patched.map(({ path, hunks }) => [path, new Set(hunks.shown.keys())])),
    notReviewed: notReviewed.slice(0, NOT_REVIEWED_MAX),
    policy,
    notes,
    gaps: findGaps(changed.length, may),
  }
}

const findGaps = (changed: number, may: ReadAccess): string[] => [
  ...(changed >= FILES_MAX ? [`Only the first ${FILES_MAX} files were looked at.`] : []),
  ...(may.contents ? [] : ['Files could not be read whole, so only the lines of the change were reviewed.']),
]

type PullState = Awaited<ReturnType<typeof fetchPull>>

/** Null where pull requests may not be read: then the commits themselves are compared. */
async function readPullState(repository: Repository, pr: number, may: ReadAccess): Promise<PullState | null> {
  if (!may.pulls) return null
  try {
    return await fetchPull(repository, pr)
  } catch (error) {
    if (isRefusal(error, 403)) return null
    throw error
  }
}

const hasMoved = ({ state, head }: PullState, { headSha }: PullRef): boolean =>
  state !== 'open' || head.sha !== headSha

const toMovedHead = ({ state, head, base }: PullState): MovedHead => ({
  movedTo: { headSha: head.sha, baseSha: base?.sha ?? '', isOpen: state === 'open' },
})

async function listChanges(repository: Repository, asked: PullRef, may: ReadAccess): Promise<ChangedFile[]> {
  if (may.pulls)
    try {
      return await listChangedFiles(repository, asked.pr, FILES_MAX)
    } catch (error) {
      if (!isRefusal(error, 403, 404) || !may.contents) throw error
    }
  return (await compareCommits(repository, asked.baseSha, asked.headSha)).slice(0, FILES_MAX)
}

async function readPolicy(
  repository: Repository,
  branch: string | null,
  may: ReadAccess,
  changed: readonly ChangedFile[],
  owner: OrgId,
) {
  const notes: string[] = []
  const text = may.contents ? await fetchFile(repository, POLICY_PATH, branch, POLICY_BYTES_MAX) : null
  const file = text === null ? null : parsePolicyFile(text)
  if (text !== null && !file)
    notes.push(`${POLICY_PATH} on the default branch is not valid and was not followed.`)
  const paths = changed.map(({ filename }) => filename)
  const ignored = await findIgnoredPaths(paths, file?.ignore ?? [], { signal: repository.signal, owner })
  if (ignored === null)
    notes.push(`What ${POLICY_PATH} says to ignore takes too long to look for and was not followed.`)
  return { policy: createRepoPolicy(file, ignored ?? new Set()), notes }
}

type PatchedFile = { readonly path: string; readonly hunks: Hunks }

function sortFiles(changed: readonly ChangedFile[], policy: RepoPolicy) {
  const patched: PatchedFile[] = []
  const notReviewed: UnreviewedFile[] = []
  for (const { filename: path, status, patch, changes } of changed) {
    if (status === 'removed') notReviewed.push({ path, reason: 'deleted' })
    else if (patch === undefined && changes === 0 && status === 'renamed')
      notReviewed.push({ path, reason: 'renamed' })
    else if (policy.isIgnored(path)) notReviewed.push({ path, reason: 'ignored_by_policy' })
    else if (patch === undefined) notReviewed.push({ path, reason: 'binary_or_too_large' })
    else addPatched({ path, patch }, patched, notReviewed)
  }
  return { patched, notReviewed }
}

function addPatched(
  { path, patch }: { path: string; patch: string },
  patched: PatchedFile[],
  notReviewed: UnreviewedFile[],
) {
  try {
    const hunks = parsePatch(patch)
    if (hunks.added.size > 0) patched.push({ path, hunks })
    else notReviewed.push({ path, reason: 'only_deleted_lines' })
  } catch (error) {
    if (!(error instanceof InvalidPatch)) throw error
    notReviewed.push({ path, reason: 'patch_unreadable' })
  }
}

async function readTexts(
  repository: Repository,
  sha: string,
  patched: readonly PatchedFile[],
  may: ReadAccess,
) {
  const texts: ScannedFile[] = []
  const notReviewed: UnreviewedFile[] = []
  let bytes = 0
  const queue = patched.values()
  const readNext = async () => {
    for (const { path, hunks } of queue) {
      if (bytes >= TOTAL_BYTES_MAX) {
        notReviewed.push({ path, reason: 'pull_request_too_large' })
        continue
      }
      const content = may.contents
        ? await fetchFile(repository, path, sha, FILE_BYTES_MAX)
        : assembleText(hunks)
      bytes += content?.length ?? 0
      if (content === null) notReviewed.push({ path, reason: 'unreadable_or_too_large' })
      else texts.push({ path, content })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readNext))
  return { texts, notReviewed }
}
