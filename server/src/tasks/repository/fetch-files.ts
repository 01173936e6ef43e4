// Brings the files of a plan to disk: from older snapshots of the repository where nothing changed, else from GitHub.
import { join } from 'node:path'
import { GithubUnavailable, openArchive, type Repository, readBlob } from '../../github/github.ts'
import type { SkippedFile } from '../types.ts'
import type { HeldSnapshot } from './cache.ts'
import { codeOf } from './error-code.ts'
import { FileSink } from './file-sink.ts'
import { inParallel } from './in-parallel.ts'
import { CHANGED_BLOBS_MAX, REPAIRED_BLOBS_MAX } from './limits.ts'
import type { FilePlan, PlannedFile } from './plan-files.ts'
import { HostileArchive, unpackArchive } from './unpack-archive.ts'

export type FetchInput = {
  readonly repository: Repository
  readonly commit: string
  readonly plan: FilePlan
  /** Exists and is empty. */
  readonly folder: string
  /** Newest first. */
  readonly bases: readonly HeldSnapshot[]
}
export type FetchedFiles = {
  readonly files: ReadonlyMap<string, PlannedFile>
  readonly skipped: readonly SkippedFile[]
  readonly lfs: ReadonlySet<string>
}

const LINKS_AT_ONCE = 16
const BLOBS_AT_ONCE = 8
const ATTEMPTS = 2
/** An archive is one request. A few blobs are cheaper, unless they are most of the repository. */
const CHANGED_SHARE = 1 / 4
const FEW_BLOBS = 4

export async function fetchFiles(input: FetchInput): Promise<FetchedFiles> {
  const { plan, folder, bases } = input
  const knownLfs = new Set(bases.flatMap(({ index }) => [...index.lfs]))
  const sink = new FileSink(folder, withoutLfs(plan.files, knownLfs))
  await sink.createFolders()
  await acceptEmptyFiles(sink)
  for (const base of bases) await linkUnchanged(sink, base)
  if (sink.wanted.size > 0 && (bases.length === 0 || !areFew(sink, plan))) await fetchArchive(input, sink)
  await fetchBlobs(input, sink)
  return listFetched(plan, sink, knownLfs.union(sink.lfs))
}

const withoutLfs = (files: ReadonlyMap<string, PlannedFile>, lfs: ReadonlySet<string>) =>
  lfs.size === 0 ? files : new Map([...files].filter(([, { sha }]) => !lfs.has(sha)))

async function acceptEmptyFiles(sink: FileSink): Promise<void> {
  const empty = [...sink.wanted.values()].filter(({ bytes }) => bytes === 0)
  await inParallel(empty, LINKS_AT_ONCE, (file) => sink.accept(file, Buffer.alloc(0)))
}

async function linkUnchanged(sink: FileSink, { index, folder }: HeldSnapshot): Promise<void> {
  if (sink.wanted.size === 0) return
  const known = new Map([...index.files.values()].map((file) => [contentKey(file), file]))
  await inParallel([...sink.wanted.values()], LINKS_AT_ONCE, async (file) => {
    const same = known.get(contentKey(file))
    if (same) await sink.acceptLink(file, join(folder, same.path))
  })
}

/** Files with another mode cannot be the same file on disk. */
const contentKey = ({ sha, isExecutable }: PlannedFile): string => `${sha}${isExecutable ? '*' : ''}`

function areFew({ wanted }: FileSink, { files }: FilePlan): boolean {
  const blobs = new Set([...wanted.values()].map(({ sha }) => sha)).size
  return blobs <= FEW_BLOBS || blobs <= Math.min(CHANGED_BLOBS_MAX, files.size * CHANGED_SHARE)
}

/** A broken download is repeated once. Files that arrived whole are not written again. */
async function fetchArchive({ repository, commit, plan }: FetchInput, sink: FileSink): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await unpackArchive(await openArchive(repository, commit), plan, sink)
    } catch (error) {
      repository.signal?.throwIfAborted()
      if (!isBroken(error)) throw error
      if (attempt === ATTEMPTS) throw new GithubUnavailable('an archive', error)
    }
  }
}

const isBroken = (error: unknown): boolean =>
  error instanceof GithubUnavailable
    ? !(error instanceof HostileArchive)
    : /^(UND_ERR|ECONN|EPIPE|ETIMEDOUT|ERR_STREAM)/.test(codeOf(error))

/** Blobs that the archive lacks, or has with another content, as attributes in the repository can demand. */
async function fetchBlobs({ repository }: FetchInput, sink: FileSink): Promise<void> {
  const missing = Map.groupBy(sink.wanted.values(), contentKey)
  const groups = [...missing.values()].slice(0, REPAIRED_BLOBS_MAX)
  await inParallel(groups, BLOBS_AT_ONCE, async ([file, ...copies]) => {
    if (!file) return
    await fetchBlob(repository, sink, file)
    if (sink.wanted.has(file.path)) return
    for (const copy of copies)
      if (sink.lfs.has(copy.sha)) sink.wanted.delete(copy.path)
      else await sink.acceptLink(copy, sink.pathOf(file))
  })
}

async function fetchBlob(repository: Repository, sink: FileSink, file: PlannedFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const isRight = await sink.acceptPieces(file, readBlob(repository, file.sha, file.bytes))
      if (isRight) return
      throw new GithubUnavailable('a blob: it has another content')
    } catch (error) {
      if (!(error instanceof GithubUnavailable) || attempt === ATTEMPTS) throw error
    }
  }
}

function listFetched(plan: FilePlan, { wanted }: FileSink, lfs: ReadonlySet<string>): FetchedFiles {
  const files = new Map<string, PlannedFile>()
  const skipped = [...plan.skipped]
  for (const [path, file] of plan.files)
    if (lfs.has(file.sha)) skipped.push({ path, reason: 'lfs' })
    else if (wanted.has(path)) skipped.push({ path, reason: 'other' })
    else files.set(path, file)
  return { files, skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)), lfs }
}
