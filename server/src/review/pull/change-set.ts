// What a pull request changes, exactly as it is at the head that we were told of, within bounds. What is left out is named.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { assembled, type Hunks, hunksOf, PatchUnreadable } from '../diff/hunks.ts'
import { isRefusal } from '../github/errors.ts'
import {
  type ChangedFile,
  contentOf,
  filesBetween,
  filesOf,
  pullOf,
  type Repository,
} from '../github/repository.ts'
import type { Run } from '../runs/runs-sql.ts'
import { ignoredAmong } from './ignore-patterns.ts'
import { POLICY_BYTES_MAX, POLICY_PATH, type Policy, policyFileOf, policyFrom } from './repo-policy.ts'

export type NotReviewed = { readonly path: string; readonly reason: string }

export type Subject = {
  readonly files: readonly ScannedFile[]
  /** Lines that the change brought, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<number>>
  /** Lines of the diff, on which alone GitHub takes comments. */
  readonly commentable: ReadonlyMap<string, ReadonlySet<number>>
  readonly notReviewed: readonly NotReviewed[]
  readonly policy: Policy
  readonly notes: readonly string[]
  /** What keeps all of the change from being seen, as sentences. */
  readonly gaps: readonly string[]
}

export type Asked = Pick<Run, 'orgId' | 'pr' | 'headSha' | 'baseSha'>
/** What the installation allows us to read. */
export type Readable = { readonly contents: boolean; readonly pulls: boolean }

const FILES_MAX = 300
const FILE_BYTES_MAX = 1024 * 1024
const TOTAL_BYTES_MAX = 8 * 1024 * 1024
const AT_ONCE = 6
const NOT_REVIEWED_MAX = 500

/** The pull request has gone on: another head is there, or it is closed. */
export type Elsewhere = {
  readonly elsewhere: { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }
}

export async function subjectOf(
  repository: Repository,
  asked: Asked,
  may: Readable,
): Promise<Subject | Elsewhere> {
  const before = await standingOf(repository, asked.pr, may)
  if (before && isElsewhere(before, asked)) return elsewhere(before)
  const changed = await changedFiles(repository, asked, may)
  // The list is of whatever is the head by now, so it counts only if that is still ours.
  const after = await standingOf(repository, asked.pr, may)
  if (after && isElsewhere(after, asked)) return elsewhere(after)
  const branch = after?.base?.repo?.default_branch ?? null
  const { policy, notes } = await policyOf(repository, branch, may, changed, asked.orgId)
  const sorted = sortOut(changed, policy)
  const files = await textsOf(repository, asked.headSha, sorted.patched, may)
  const notReviewed = [...sorted.notReviewed, ...files.notReviewed]
  return {
    files: files.texts,
    added: new Map(sorted.patched.map(({ path, hunks }) => [path, hunks.added])),
    commentable: new Map(sorted.patched.map(({ path, hunks }) => [path, new Set(hunks.shown.keys())])),
    notReviewed: notReviewed.slice(0, NOT_REVIEWED_MAX),
    policy,
    notes,
    gaps: gapsOf(changed.length, may),
  }
}

const gapsOf = (changed: number, may: Readable): string[] => [
  ...(changed >= FILES_MAX ? [`Only the first ${FILES_MAX} files were looked at.`] : []),
  ...(may.contents ? [] : ['Files could not be read whole, so only the lines of the change were reviewed.']),
]

type Standing = Awaited<ReturnType<typeof pullOf>>

/** Null where pull requests may not be read: then the commits themselves are compared. */
async function standingOf(repository: Repository, pr: number, may: Readable): Promise<Standing | null> {
  if (!may.pulls) return null
  try {
    return await pullOf(repository, pr)
  } catch (error) {
    if (isRefusal(error, 403)) return null
    throw error
  }
}

const isElsewhere = ({ state, head }: Standing, { headSha }: Asked): boolean =>
  state !== 'open' || head.sha !== headSha

const elsewhere = ({ state, head, base }: Standing): Elsewhere => ({
  elsewhere: { headSha: head.sha, baseSha: base?.sha ?? '', isOpen: state === 'open' },
})

async function changedFiles(repository: Repository, asked: Asked, may: Readable): Promise<ChangedFile[]> {
  if (may.pulls)
    try {
      return await filesOf(repository, asked.pr, FILES_MAX)
    } catch (error) {
      if (!isRefusal(error, 403, 404) || !may.contents) throw error
    }
  return (await filesBetween(repository, asked.baseSha, asked.headSha)).slice(0, FILES_MAX)
}

async function policyOf(
  repository: Repository,
  branch: string | null,
  may: Readable,
  changed: readonly ChangedFile[],
  owner: OrgId,
) {
  const notes: string[] = []
  const text = may.contents ? await contentOf(repository, POLICY_PATH, branch, POLICY_BYTES_MAX) : null
  const file = text === null ? null : policyFileOf(text)
  if (text !== null && !file)
    notes.push(`${POLICY_PATH} on the default branch is not valid and was not followed.`)
  const paths = changed.map(({ filename }) => filename)
  const ignored = await ignoredAmong(paths, file?.ignore ?? [], { signal: repository.signal, owner })
  if (ignored === null)
    notes.push(`What ${POLICY_PATH} says to ignore takes too long to look for and was not followed.`)
  return { policy: policyFrom(file, ignored ?? new Set()), notes }
}

type Patched = { readonly path: string; readonly hunks: Hunks }

function sortOut(changed: readonly ChangedFile[], policy: Policy) {
  const patched: Patched[] = []
  const notReviewed: NotReviewed[] = []
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
  patched: Patched[],
  notReviewed: NotReviewed[],
) {
  try {
    const hunks = hunksOf(patch)
    if (hunks.added.size > 0) patched.push({ path, hunks })
    else notReviewed.push({ path, reason: 'only_deleted_lines' })
  } catch (error) {
    if (!(error instanceof PatchUnreadable)) throw error
    notReviewed.push({ path, reason: 'patch_unreadable' })
  }
}

async function textsOf(repository: Repository, sha: string, patched: readonly Patched[], may: Readable) {
  const texts: ScannedFile[] = []
  const notReviewed: NotReviewed[] = []
  let bytes = 0
  const queue = patched.values()
  const readInTurn = async () => {
    for (const { path, hunks } of queue) {
      if (bytes >= TOTAL_BYTES_MAX) {
        notReviewed.push({ path, reason: 'pull_request_too_large' })
        continue
      }
      const content = may.contents ? await contentOf(repository, path, sha, FILE_BYTES_MAX) : assembled(hunks)
      bytes += content?.length ?? 0
      if (content === null) notReviewed.push({ path, reason: 'unreadable_or_too_large' })
      else texts.push({ path, content })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readInTurn))
  return { texts, notReviewed }
}
