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

const BLOBS_AT_ONCE = 8
const ATTEMPTS = 2
/** An archive is one request. A few blobs are cheaper, unless they are most of the repository. */
const CHANGED_SHARE = 1 / 4
const FEW_BLOBS = 4

export async function fetchFiles(input: FetchInput): Promise<FetchedFiles> {
  const { repository, plan, folder, bases } = input
  const knownLfs = new Set(bases.flatMap(({ index }) => [...index.lfs]))
  const sink = new FileSink(folder, withoutLfs(plan.files, knownLfs), repository.name)
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
  for (const file of sink.wanted.values()) if (file.bytes === 0) await sink.accept(file, Buffer.alloc(0))
  await sink.flush()
}

async function linkUnchanged(sink: FileSink, { index, folder }: HeldSnapshot): Promise<void> {
  if (sink.wanted.size === 0) return
  const known = new Map([...index.files.values()].map((file) => [contentKey(file), join(folder, file.path)]))
  await linkKnown(sink, known)
}

/** Links all wanted files whose content is on disk already. */
async function linkKnown(sink: FileSink, known: ReadonlyMap<string, string>): Promise<void> {
  const links = [...sink.wanted.values()].flatMap((file) => {
    const source = known.get(contentKey(file))
    return source === undefined ? [] : [{ file, source }]
  })
  await sink.acceptLinks(links)
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
  sink.mismatched.clear()
  const groups = Map.groupBy(sink.wanted.values(), contentKey)
  const fetched = [...groups.values()].flatMap(([first]) => first ?? []).slice(0, REPAIRED_BLOBS_MAX)
  try {
    await inParallel(fetched, BLOBS_AT_ONCE, (file) => fetchBlob(repository, sink, file))
  } finally {
    await sink.flush()
  }
  if (sink.mismatched.size > 0) throw new GithubUnavailable('a blob: it has another content')
  for (const file of sink.wanted.values()) if (sink.lfs.has(file.sha)) sink.wanted.delete(file.path)
  const written = fetched.filter(({ path }) => !sink.wanted.has(path))
  await linkKnown(sink, new Map(written.map((file) => [contentKey(file), sink.pathOf(file)])))
}

async function fetchBlob(repository: Repository, sink: FileSink, file: PlannedFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sink.acceptPieces(file, readBlob(repository, file.sha, file.bytes))
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
