// Lists all files of a commit.
import { GithubUnavailable } from './errors.ts'
import type { Repository } from './repository.ts'
import { parseJson, sendRequest } from './request.ts'

export type TreeFile = {
  readonly path: string
  /** `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. */
  readonly mode: string
  readonly sha: string
  readonly bytes: number
}

/** The repository has more files than the caller accepts, or more folders than can be listed. */
export class TreeTooLarge extends Error {
  constructor() {
    super('the tree of the repository is too large')
    this.name = 'TreeTooLarge'
  }
}

type Entry = TreeFile & { readonly type: 'blob' | 'tree' | 'commit' }
type Walk = {
  readonly repository: Repository
  readonly filesMax: number
  readonly files: TreeFile[]
  requests: number
}

/** GitHub lists 100,000 entries at once. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000
const REQUESTS_MAX = 500

/** In the order of git. Throws `TreeTooLarge`. */
export async function listTree(
  repository: Repository,
  commit: string,
  filesMax: number,
): Promise<TreeFile[]> {
  const walk: Walk = { repository, filesMax, files: [], requests: 0 }
  await walkTree(walk, commit, '')
  return walk.files
}

/** One request lists a whole tree. A tree that GitHub cuts off is listed folder by folder. */
async function walkTree(walk: Walk, sha: string, prefix: string): Promise<void> {
  const whole = await fetchEntries(walk, sha, true)
  if (whole !== null) return addFiles(walk, whole, prefix)
  const entries = await fetchEntries(walk, sha, false)
  if (entries === null) throw new TreeTooLarge()
  addFiles(walk, entries, prefix)
  for (const { type, sha, path } of entries)
    if (type === 'tree') await walkTree(walk, sha, `${prefix}${path}/`)
}

function addFiles({ files, filesMax }: Walk, entries: readonly Entry[], prefix: string): void {
  for (const { type, path, mode, sha, bytes } of entries)
    if (type !== 'tree') files.push({ path: `${prefix}${path}`, mode, sha, bytes })
  if (files.length > filesMax) throw new TreeTooLarge()
}

/** Null if the list is cut off. */
async function fetchEntries(walk: Walk, sha: string, isRecursive: boolean): Promise<Entry[] | null> {
  if (++walk.requests > REQUESTS_MAX) throw new TreeTooLarge()
  const { app, token, signal, name } = walk.repository
  const path = `/repos/${name}/git/trees/${encodeURIComponent(sha)}${isRecursive ? '?recursive=1' : ''}`
  const reply = await sendRequest(app, {
    method: 'GET',
    path,
    token,
    signal,
    bytesMax: REPLY_BYTES_MAX,
    timeoutMs: TIMEOUT_MS,
  })
  const value = parseJson(reply, 'a tree') as { tree?: unknown; truncated?: unknown } | null
  if (!Array.isArray(value?.tree)) throw new GithubUnavailable('a tree')
  return value.truncated === true ? null : value.tree.map(toEntry)
}

const TYPES = new Set<unknown>(['blob', 'tree', 'commit'])

/** Checked by hand: a schema takes too long for so many entries. */
function toEntry(value: unknown): Entry {
  const { path, mode, type, sha, size = 0 } = (value ?? {}) as Record<string, unknown>
  if (
    typeof path !== 'string' ||
    typeof mode !== 'string' ||
    typeof sha !== 'string' ||
    !/^[0-9a-f]{40}$/.test(sha) ||
    !TYPES.has(type) ||
    !Number.isSafeInteger(size) ||
    Number(size) < 0
  )
    throw new GithubUnavailable('a tree')
  return { path, mode, type: type as Entry['type'], sha, bytes: Number(size) }
}
