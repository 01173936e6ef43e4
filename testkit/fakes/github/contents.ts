// The read endpoints of git contents: repositories, refs, trees, blobs and archives. Objects have the ids that git gives them.
import { createHash } from 'node:crypto'
import { DEFAULT_BRANCH, type FakeRepo, type Files } from './state.ts'
import { type ArchiveEntry, createArchive } from './tarball.ts'
import type { FakeReply, FakeRequest } from './wire.ts'

export type GitEntry = {
  readonly path: string
  readonly mode: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly sha: string
  readonly size?: number
}
export type GitObjects = {
  readonly rootTree: string
  /** The entries of each folder, by the id of its tree. */
  readonly trees: ReadonlyMap<string, readonly GitEntry[]>
  readonly blobs: ReadonlyMap<string, Buffer>
}

const SUBMODULE = '160000'
const LINK = '120000'

/** Null for other endpoints. */
export function replyToContents(
  { method, query, isRaw }: FakeRequest,
  name: string,
  repo: FakeRepo,
  rest: string,
): FakeReply | null {
  if (method !== 'GET') return null
  if (rest === '')
    return { status: 200, body: { id: repo.id, full_name: name, default_branch: DEFAULT_BRANCH } }
  const [, kind = '', id = ''] = /^\/(commits|git\/trees|git\/blobs|tarball)\/(.+)$/.exec(rest) ?? []
  if (kind === '' || (kind === 'commits' && id.endsWith('/check-runs'))) return null
  if (kind === 'commits') return textReply(commitOf(repo, id))
  if (kind === 'git/trees') return treeReply(repo, id, query.has('recursive'))
  if (kind === 'tarball') return archiveReply(repo, id)
  const blob = findBlob(repo, id)
  if (!blob) return NOT_FOUND
  return { status: 200, body: isRaw ? blob : { content: blob.toString('base64'), encoding: 'base64' } }
}

const NOT_FOUND: FakeReply = { status: 404, body: { message: 'Not Found' } }
const textReply = (text: string | null): FakeReply =>
  text === null ? { status: 422, body: { message: 'No commit found for SHA' } } : { status: 200, body: text }

/** The commit of a branch, or the commit itself. A branch whose files were replaced gets a new commit. */
export function commitOf(repo: FakeRepo, ref: string): string | null {
  const files = repo.commits.get(ref)
  if (!files) return null
  if (/^[0-9a-f]{40}$/.test(ref)) return ref
  const known = repo.refs.get(ref)
  if (known !== undefined && repo.commits.get(known) === files) return known
  const commit = sha1(`commit of ${gitObjects(repo, files).rootTree}`)
  repo.commits.set(commit, files)
  repo.refs.set(ref, commit)
  return commit
}

const known = new WeakMap<Files, GitObjects>()

/** The git objects of a commit. The modes of the repository must be set before. */
export function gitObjects(repo: FakeRepo, files: Files): GitObjects {
  const found = known.get(files)
  if (found) return found
  const trees = new Map<string, readonly GitEntry[]>()
  const blobs = new Map<string, Buffer>()
  const folders = Map.groupBy(Object.keys(files), (path) => path.split('/').slice(0, -1).join('/'))
  const children = new Map<string, Set<string>>()
  for (const folder of folders.keys())
    for (let at = folder; at !== ''; at = parentOf(at))
      children.set(parentOf(at), (children.get(parentOf(at)) ?? new Set()).add(at))
  const entryOf = (path: string): GitEntry => {
    const mode = repo.modes.get(path) ?? '100644'
    const content = Buffer.from(files[path] ?? '')
    if (mode === SUBMODULE) return { path: nameOf(path), mode, type: 'commit', sha: sha1(content) }
    const sha = blobId(content)
    blobs.set(sha, content)
    return { path: nameOf(path), mode, type: 'blob', sha, size: content.length }
  }
  const treeOf = (folder: string): string => {
    const entries: GitEntry[] = (folders.get(folder) ?? []).map(entryOf)
    for (const child of children.get(folder) ?? [])
      entries.push({ path: nameOf(child), mode: '040000', type: 'tree', sha: treeOf(child) })
    const sorted = entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    const sha = treeId(sorted)
    trees.set(sha, sorted)
    return sha
  }
  const objects = { rootTree: treeOf(''), trees, blobs }
  known.set(files, objects)
  return objects
}

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')
const nameOf = (path: string): string => path.split('/').at(-1) ?? ''
const sortKey = ({ path, type }: GitEntry): string => (type === 'tree' ? `${path}/` : path)
const sha1 = (data: string | Buffer): string => createHash('sha1').update(data).digest('hex')
export const blobId = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

function treeId(entries: readonly GitEntry[]): string {
  const body = Buffer.concat(
    entries.map(({ mode, path, sha }) =>
      Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${path}\0`), Buffer.from(sha, 'hex')]),
    ),
  )
  return createHash('sha1').update(`tree ${body.length}\0`).update(body).digest('hex')
}

/** A tree by its own id or by a commit. */
function treeReply(repo: FakeRepo, id: string, isRecursive: boolean): FakeReply {
  const files = repo.commits.get(id)
  const commits = files ? [files] : [...repo.commits.values()]
  for (const each of commits) {
    const { rootTree, trees } = gitObjects(repo, each)
    const sha = files ? rootTree : id
    const entries = trees.get(sha)
    if (!entries) continue
    const tree = isRecursive ? listRecursively(trees, entries, '') : entries
    return { status: 200, body: { sha, tree, truncated: false } }
  }
  return NOT_FOUND
}

function listRecursively(
  trees: GitObjects['trees'],
  entries: readonly GitEntry[],
  prefix: string,
): GitEntry[] {
  return entries.flatMap((entry) => {
    const shown = { ...entry, path: `${prefix}${entry.path}` }
    return entry.type === 'tree'
      ? [shown, ...listRecursively(trees, trees.get(entry.sha) ?? [], `${shown.path}/`)]
      : [shown]
  })
}

function findBlob(repo: FakeRepo, sha: string): Buffer | null {
  for (const files of repo.commits.values()) {
    const found = gitObjects(repo, files).blobs.get(sha)
    if (found) return found
  }
  return null
}

const archives = new WeakMap<Files, Buffer>()

function archiveReply(repo: FakeRepo, ref: string): FakeReply {
  const files = repo.commits.get(ref)
  if (!files) return NOT_FOUND
  const body = archives.get(files) ?? createArchive(listArchiveEntries(repo, files))
  archives.set(files, body)
  return { status: 200, body }
}

/** The entries of an archive as GitHub packs them: submodules are empty folders. */
export function listArchiveEntries(repo: FakeRepo, files: Files, top = 'acme-pay-c0ffee'): ArchiveEntry[] {
  return Object.entries(files).map(([path, content]): ArchiveEntry => {
    const name = `${top}/${path}`
    const mode = repo.modes.get(path)
    if (mode === SUBMODULE) return { name: `${name}/`, type: '5' }
    return mode === LINK ? { name, type: '2', link: content } : { name, content }
  })
}
