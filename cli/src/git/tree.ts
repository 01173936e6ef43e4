// Which files have uncommitted changes. Reads git's objects and the files directly, so that no filter of the repository
// runs.
import { createHash } from 'node:crypto'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, literalPath, splitNul } from './git.ts'

/** A file in a commit or in the index. */
export type Entry = { readonly mode: string; readonly objectId: string }

/** Why a file is not clean. */
export type Unclean = 'changed' | 'staged' | 'untracked' | 'unmerged'

/** Keeps command lines short. */
const PATHS_AT_ONCE = 100

/** The commit of HEAD; null in an empty repository. */
export async function headOf(git: Git): Promise<string | null> {
  const { code, text } = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    answers: (answer) => answer === 1,
  })
  return code === 0 ? text.trim() : null
}

/** The files and folders of a commit at these paths. */
export async function entriesIn(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  for (const some of chunked(paths)) {
    const { text } = await git.run(['ls-tree', '-z', '--full-tree', commit, '--', ...some.map(literalPath)])
    for (const field of splitNul(text)) {
      const [, mode, objectId, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(field) ?? []
      if (mode && objectId && path) found.set(path, { mode, objectId })
    }
  }
  return found
}

export async function contentOf(git: Git, { objectId }: Entry): Promise<Buffer> {
  return (await git.run(['cat-file', 'blob', objectId])).bytes
}

/** The files with uncommitted changes. A path that exists nowhere is clean. */
export async function uncleanAmong(
  git: Git,
  root: string,
  paths: readonly string[],
): Promise<Map<string, Unclean>> {
  const head = await headOf(git)
  const unclean = new Map<string, Unclean>()
  for (const some of chunked(paths)) {
    const index = await indexed(git, some)
    const committed = head ? await entriesIn(git, head, some) : new Map<string, Entry>()
    for (const path of some) {
      const why = await uncleannessOf(git, root, path, index.get(path), committed.get(path))
      if (why) unclean.set(path, why)
    }
  }
  return unclean
}

/** All uncommitted changes of the tree. */
export async function uncleanAnywhere(git: Git, root: string): Promise<Map<string, Unclean>> {
  const head = await headOf(git)
  const touched = await git.run([
    'diff-files',
    '-z',
    '--name-only',
    '--ignore-submodules=all',
    '--no-ext-diff',
  ])
  const staged = head
    ? await git.run(['diff-index', '--cached', '-z', '--name-only', '--no-renames', '--no-ext-diff', head])
    : await git.run(['ls-files', '-z', '--cached'])
  const unknown = await git.run(['ls-files', '-z', '--others', '--exclude-standard'])
  const candidates = new Set([touched, staged].flatMap(({ text }) => splitNul(text)))
  const unclean = await uncleanAmong(git, root, [...candidates])
  for (const path of splitNul(unknown.text)) unclean.set(path, 'untracked')
  return unclean
}

type Indexed = Entry & { readonly stage: string }

async function indexed(git: Git, paths: readonly string[]): Promise<Map<string, Indexed>> {
  const { text } = await git.run(['ls-files', '--stage', '-z', '--', ...paths.map(literalPath)])
  const found = new Map<string, Indexed>()
  for (const field of splitNul(text)) {
    const [, mode, objectId, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.+)$/s.exec(field) ?? []
    if (mode && objectId && stage && path) found.set(path, { mode, objectId, stage })
  }
  return found
}

async function uncleannessOf(
  git: Git,
  root: string,
  path: string,
  index: Indexed | undefined,
  committed: Entry | undefined,
): Promise<Unclean | null> {
  const here = await lstat(join(root, path)).catch(() => null)
  if (!index) return committed ? 'staged' : here ? 'untracked' : null
  if (index.stage !== '0') return 'unmerged'
  if (index.objectId !== committed?.objectId || index.mode !== committed.mode) return 'staged'
  // Submodules are not checked.
  if (index.mode === SUBMODULE) return null
  if (!here) return 'changed'
  if (here.isSymbolicLink()) {
    const target = await readlink(join(root, path))
    return index.mode === LINK && index.objectId === objectIdOf(Buffer.from(target), index) ? null : 'changed'
  }
  if (!here.isFile()) return 'changed'
  const isExecutable = (here.mode & 0o100) !== 0
  if (isExecutable !== (index.mode === EXECUTABLE) && (await tracksModes(git))) return 'changed'
  const bytes = await readFile(join(root, path))
  if (index.objectId === objectIdOf(bytes, index)) return null
  // Git may have converted line endings, as is common on Windows.
  const turned = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  return index.objectId === objectIdOf(turned, index) ? null : 'changed'
}

const EXECUTABLE = '100755'
const LINK = '120000'
const SUBMODULE = '160000'

async function tracksModes(git: Git): Promise<boolean> {
  if (process.platform === 'win32') return false
  const { text } = await git.run(['config', '--type=bool', '--default=true', 'core.fileMode'])
  return text.trim() !== 'false'
}

/** The object id of this content; the length of ids tells the hash of the repository. */
function objectIdOf(bytes: Buffer, { objectId }: Entry): string {
  const hash = createHash(objectId.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function* chunked(paths: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < paths.length; start += PATHS_AT_ONCE)
    yield paths.slice(start, start + PATHS_AT_ONCE)
}
