// Reads the change set of a pull request at the expected head, within size limits. Files that are left out are listed.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { type ChangedFile, type Forge, isRefusal, type PullSnapshot } from '../../forge/forge.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { assembleText, type Hunks, InvalidPatch, parsePatch } from '../diff/hunks.ts'
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
  /** Added lines by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<number>>
  /** Lines of the diff by path: the only lines on which hosts accept comments. */
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  readonly notReviewed: readonly UnreviewedFile[]
  readonly policy: RepoPolicy
  readonly notes: readonly string[]
  /** Sentences that say which part of the change was not read. */
  readonly gaps: readonly string[]
}

export type PullRef = Pick<ReviewRun, 'orgId' | 'pr' | 'headSha' | 'baseSha'>
/** Read permissions of the installation. */
export type ReadAccess = { readonly contents: boolean; readonly pulls: boolean }

const FILES_MAX = 300
const FILE_BYTES_MAX = 1024 * 1024
const TOTAL_BYTES_MAX = 8 * 1024 * 1024
const CONCURRENT_READS = 6
/** GitHub lists at most this many files of a pull request, and at most 300 between two commits. */
const LISTED_MAX = 3_000
const COMPARED_MAX = 300
const TOO_MANY = 'too_many_files'

/** The pull request has another head by now, or is closed. */
export type MovedHead = {
  readonly movedTo: { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }
}

export async function readChangeSet(
  forge: Forge,
  ref: PullRef,
  { signal, ...access }: ReadAccess & { readonly signal?: AbortSignal | undefined },
): Promise<ChangeSet | MovedHead> {
  const before = await readPullState(forge, ref.pr, access)
  if (before && hasMoved(before, ref)) return toMovedHead(before)
  const { changed, isWhole } = await listChanges(forge, ref, access)
  // The host lists the files of the current head, so the list is valid only if the head has not moved.
  const after = await readPullState(forge, ref.pr, access)
  if (after && hasMoved(after, ref)) return toMovedHead(after)
  const branch = after?.defaultBranch ?? null
  const limits = { signal, owner: ref.orgId }
  const { policy, notes } = await readPolicy(forge, branch, access, changed, limits)
  const sorted = sortFiles(changed, policy)
  const files = await readTexts(forge, ref.headSha, sorted.patched, access)
  const notReviewed = [...sorted.notReviewed, ...files.notReviewed]
  return {
    files: files.texts,
    added: new Map(sorted.patched.map(({ path, hunks }) => [path, hunks.added])),
    commentable: new Map(sorted.patched.map(({ path, hunks }) => [path, new Set(hunks.shown.keys())])),
    notReviewed,
    policy,
    notes,
    gaps: findGaps(isWhole && !sorted.notReviewed.some(({ reason }) => reason === TOO_MANY), access),
  }
}

const findGaps = (isWhole: boolean, access: ReadAccess): string[] => [
  ...(isWhole ? [] : [`Only the first ${FILES_MAX} files were reviewed.`]),
  ...(access.contents ? [] : ['Whole files could not be read, so only the changed lines were reviewed.']),
]

/** Null without permission to read pull requests. The commits are compared instead. */
async function readPullState(forge: Forge, pr: number, access: ReadAccess): Promise<PullSnapshot | null> {
  if (!access.pulls) return null
  try {
    return await forge.fetchPull(pr)
  } catch (error) {
    if (isRefusal(error, 403)) return null
    throw error
  }
}

const hasMoved = ({ isOpen, headSha }: PullSnapshot, ref: PullRef): boolean =>
  !isOpen || headSha !== ref.headSha

const toMovedHead = ({ isOpen, headSha, baseSha }: PullSnapshot): MovedHead => ({
  movedTo: { headSha, baseSha, isOpen },
})

async function listChanges(forge: Forge, ref: PullRef, access: ReadAccess) {
  if (access.pulls)
    try {
      const { files: changed, isWhole } = await forge.listChangedFiles(ref.pr, LISTED_MAX)
      return { changed, isWhole }
    } catch (error) {
      if (!isRefusal(error, 403, 404) || !access.contents) throw error
    }
  const changed = await forge.compareCommits(ref.baseSha, ref.headSha)
  return { changed, isWhole: changed.length < COMPARED_MAX }
}

async function readPolicy(
  forge: Forge,
  branch: string | null,
  access: ReadAccess,
  changed: readonly ChangedFile[],
  limits: { readonly signal: AbortSignal | undefined; readonly owner: OrgId },
) {
  const notes: string[] = []
  const text = access.contents ? await forge.fetchFile(POLICY_PATH, branch, POLICY_BYTES_MAX) : null
  const file = text === null ? null : parsePolicyFile(text)
  if (text !== null && !file) notes.push(`${POLICY_PATH} on the default branch is invalid and was ignored.`)
  const paths = changed.map(({ filename }) => filename)
  const ignored = await findIgnoredPaths(paths, file?.ignore ?? [], limits)
  if (ignored === null)
    notes.push(`The ignore patterns in ${POLICY_PATH} take too long to match and were not applied.`)
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
    else if (patched.length >= FILES_MAX) notReviewed.push({ path, reason: TOO_MANY })
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

async function readTexts(forge: Forge, sha: string, patched: readonly PatchedFile[], access: ReadAccess) {
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
      const content = access.contents ? await forge.fetchFile(path, sha, FILE_BYTES_MAX) : assembleText(hunks)
      bytes += content?.length ?? 0
      if (content === null) notReviewed.push({ path, reason: 'unreadable_or_too_large' })
      else texts.push({ path, content })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_READS }, readNext))
  return { texts, notReviewed }
}
