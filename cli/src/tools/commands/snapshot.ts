// Remembers the files of the repository before a command and finds those that it changed, so that they can be restored. Uses git
// with a folder of ours: nothing in the repository is written, and nothing that it configures is executed.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { lstat, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FileState } from '../../apply/files/find-file.ts'
import type { Step } from '../../apply/files/journal.ts'
import { whyRejected } from '../../apply/files/path-rules.ts'
import { decode } from '../../apply/files/text-format.ts'
import { type Git, literalPath, openGit, splitNul } from '../../git/git.ts'
import { readPending, unlockIndex, untilDeath, writePending } from './pending-snapshot.ts'
import type { Environment } from './sandbox/environment.ts'

export type CommandChanges = {
  /** Files before and after. */
  readonly steps: readonly Step[]
  /** Changed too, but not stored: too large, a link, or with a name that is not safe to write. */
  readonly uncovered: readonly string[]
}

export type Snapshot = { changes(): Promise<CommandChanges | null> }

export type Snapshots = {
  /** Null if the folder is too large to remember. The reason is in `doubt`. */
  take(callId: string): Promise<Snapshot | null>
  /** The changes of a command of an earlier process until that process died; null if they are not known. Before the first `take`. */
  recover(callId: string): Promise<CommandChanges | null>
  readonly doubt: string | null
  close(): Promise<void>
}

type Recorded = { readonly tree: string; readonly left: ReadonlySet<string> }

const TIME_MAX_MS = 8_000
const FILE_BYTES_MAX = 1024 * 1024
/** Of files that the last snapshot does not have. */
const NEW_BYTES_MAX = 64 * 1024 * 1024
const NEW_FILES_MAX = 10_000
const STEPS_MAX = 500

/** `folder` is ours and is deleted at the end. `gitFolder` is that of the repository, if there is one. */
export function openSnapshots(
  root: string,
  gitFolder: string | null,
  folder: string,
  env: Environment,
): Snapshots {
  const own = join(folder, 'snapshot.git')
  let git: Git | null = null
  let doubt: string | null = null

  const runGit = async (args: readonly string[], index: string, input?: string): Promise<string> => {
    git ??= await prepare(root, gitFolder, own, env)
    const variables = { GIT_DIR: own, GIT_INDEX_FILE: join(own, index) }
    const options = {
      env: variables,
      signal: AbortSignal.timeout(TIME_MAX_MS),
      ...(input !== undefined && { input }),
    }
    return (await git.run(args, options)).text
  }
  /** The id of a tree with all files, and the paths that are not in it although they are new or changed. */
  const record = async (index: string): Promise<Recorded> => {
    const listed = splitNul(await runGit(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], index))
    const left = new Set<string>()
    const taken: string[] = []
    let bytes = 0
    for (const path of new Set(listed)) {
      // Another repository inside of this one.
      if (path.endsWith('/')) continue
      const found = await lstat(join(root, path)).catch(() => null)
      const size = found?.isFile() ? found.size : 0
      if (size > FILE_BYTES_MAX || bytes + size > NEW_BYTES_MAX || taken.length >= NEW_FILES_MAX)
        left.add(path)
      else {
        bytes += size
        taken.push(path)
      }
    }
    if (taken.length > 0)
      await runGit(
        ['update-index', '-z', '--add', '--remove', '--stdin'],
        index,
        taken.map((path) => `${path}\0`).join(''),
      )
    return { tree: (await runGit(['write-tree', '--missing-ok'], index)).trim(), left }
  }
  /** The content of each object that is small enough. */
  const contentsOf = async (ids: readonly string[]): Promise<Map<string, Buffer>> => {
    git ??= await prepare(root, gitFolder, own, env)
    const input = ids.map((id) => `${id}\n`).join('')
    return readBatch((await git.run(['cat-file', '--batch'], { env: { GIT_DIR: own }, input })).bytes)
  }

  const compare = async (
    before: Recorded & { isTouched: (path: string) => Promise<boolean> },
  ): Promise<CommandChanges> => {
    const after = await record('index')
    const uncovered = new Set([...after.left].filter((path) => !before.left.has(path)))
    // A file that is not stored may have changed; its time tells.
    for (const path of before.left) if (await before.isTouched(path)) uncovered.add(path)
    if (after.tree === before.tree) return { steps: [], uncovered: [...uncovered].sort() }
    const entries = readRaw(
      await runGit(
        ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before.tree, after.tree],
        'index',
      ),
    )
    for (const { path } of entries.slice(STEPS_MAX)) uncovered.add(path)
    const some = entries.slice(0, STEPS_MAX)
    const contents = await contentsOf(
      some.flatMap(({ old, now }) => [old, now]).flatMap(({ id }) => (isAbsent(id) ? [] : id)),
    )
    const sizes = readSizes(
      await runGit(
        ['ls-files', '-z', '--debug', '--', ...some.map(({ path }) => literalPath(path))],
        'before',
      ),
    )
    const steps: Step[] = []
    for (const { path, old, now } of some) {
      const [was, is] = [old, now].map((entry) => stateOf(entry, contents))
      // A filter, such as that for large files, stores other bytes than those of the file.
      const isExact = isAbsent(old.id) || sizes.get(path) === contents.get(old.id)?.length
      if (was === undefined || is === undefined || !isExact || whyRejected(path) !== null) uncovered.add(path)
      else steps.push(await withPermissions(root, { path, before: was, after: is }))
    }
    return { steps, uncovered: [...uncovered].sort() }
  }

  return {
    get doubt() {
      return doubt
    },
    async take(callId) {
      if (doubt !== null) return null
      try {
        const before = await record('index')
        copyFileSync(join(own, 'index'), join(own, 'before'))
        const isTouched = await watchTimes(root, before.left)
        const end = writePending(own, { callId, tree: before.tree, left: [...before.left] })
        return {
          changes() {
            end()
            return compare({ ...before, isTouched }).catch((error: Error) => {
              doubt = error.message
              return null
            })
          },
        }
      } catch (error) {
        doubt = (error as Error).message
        return null
      }
    },
    async recover(callId) {
      const pending = git === null ? readPending(own, callId) : null
      if (pending === null) return null
      try {
        git = openGit(root, env)
        unlockIndex(own)
        const left = new Set(pending.left)
        const { steps, uncovered } = await compare({ tree: pending.tree, left, isTouched: async () => false })
        const known = await untilDeath(own, root, steps)
        return { steps: known.steps, uncovered: [...uncovered, ...known.later].sort() }
      } catch {
        return null
      } finally {
        git = null
      }
    },
    close: () => rm(own, { recursive: true, force: true }),
  }
}

/** The index of the repository tells git which files it need not read again. */
async function prepare(root: string, gitFolder: string | null, own: string, env: Environment): Promise<Git> {
  const config = gitFolder === null ? '' : await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '')
  await rm(own, { recursive: true, force: true })
  for (const name of ['objects/info', 'refs', 'info'])
    mkdirSync(join(own, name), { recursive: true, mode: 0o700 })
  writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
  if (/objectformat\s*=\s*sha256/i.test(config))
    writeFileSync(
      join(own, 'config'),
      '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n',
    )
  const git = openGit(root, env)
  if (gitFolder === null) return git
  // A worktree has its own index and the objects of its repository.
  const named = await readFile(join(gitFolder, 'commondir'), 'utf8').catch(() => '')
  const common = named.trim() === '' ? gitFolder : resolve(gitFolder, named.trim())
  writeFileSync(join(own, 'objects/info/alternates'), `${join(common, 'objects')}\n`)
  for (const [from, name] of [
    [gitFolder, 'index'],
    [common, 'info/exclude'],
  ] as const)
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(own, name))
  return git
}

/** Git stores only whether a file can be executed. The other permissions are those of the file now. */
async function withPermissions(root: string, { path, before, after }: Step): Promise<Step> {
  const found = await lstat(join(root, path)).catch(() => null)
  if (after === null || !found?.isFile()) return { path, before, after }
  const mode = found.mode & 0o7777
  const isSame = before !== null && (before.mode & 0o100) === (mode & 0o100)
  return { path, before: isSame ? { ...before, mode } : before, after: { ...after, mode } }
}

/** Tells later whether a file was written since. */
async function watchTimes(
  root: string,
  paths: ReadonlySet<string>,
): Promise<(path: string) => Promise<boolean>> {
  const stampOf = async (path: string): Promise<string> => {
    const found = await lstat(join(root, path)).catch(() => null)
    return found === null ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
  }
  const stamps = new Map<string, string>()
  for (const path of paths) stamps.set(path, await stampOf(path))
  return async (path) => stamps.get(path) !== (await stampOf(path))
}

type Entry = { readonly id: string; readonly mode: string }
type RawEntry = { readonly path: string; readonly old: Entry; readonly now: Entry }

const isAbsent = (id: string): boolean => /^0+$/.test(id)

/** Null if the file is absent, undefined if it is not stored. */
function stateOf({ id, mode }: Entry, contents: ReadonlyMap<string, Buffer>): FileState | null | undefined {
  if (isAbsent(id)) return null
  const bytes = contents.get(id)
  if (bytes === undefined || (mode !== '100644' && mode !== '100755')) return undefined
  const text = decode(bytes)
  const permissions = mode === '100755' ? 0o755 : 0o644
  return text === null
    ? { text: bytes.toString('latin1'), mode: permissions, encoding: 'latin1' }
    : { text, mode: permissions }
}

function readRaw(text: string): RawEntry[] {
  const fields = splitNul(text)
  const entries: RawEntry[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode = '', newMode = '', oldId = '', newId = ''] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(fields[at] ?? '') ?? []
    entries.push({
      path: fields[at + 1] ?? '',
      old: { id: oldId, mode: oldMode },
      now: { id: newId, mode: newMode },
    })
  }
  return entries
}

/** The size of each file when git last read it. */
function readSizes(text: string): Map<string, number> {
  const sizes = new Map<string, number>()
  const [first = '', ...rest] = text.split('\0')
  let path = first
  for (const field of rest) {
    const [, size, next = ''] = /size: (\d+)\tflags: \w+\n?(.*)$/s.exec(field) ?? []
    sizes.set(path, Number(size))
    path = next
  }
  return sizes
}

/** The output of `cat-file --batch`: a line with id, type and size, then the content. */
function readBatch(bytes: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    if (end === -1) break
    const [id = '', type, size = ''] = bytes.toString('latin1', at, end).split(' ')
    at = end + 1
    if (type !== 'blob') continue
    const length = Number(size)
    if (length <= FILE_BYTES_MAX) contents.set(id, bytes.subarray(at, at + length))
    at += length + 1
  }
  return contents
}
