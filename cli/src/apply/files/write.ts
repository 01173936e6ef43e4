// Writes all files or none. New content is written to temporary files, which then replace the originals one by one; on a
// failure the replaced ones are restored. After a crash the next command rolls back from the journal.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Machine } from '../../system/machine.ts'
import { type FileState, findFile, missingFolders } from './find-file.ts'
import {
  beginJournal,
  busyError,
  dropJournal,
  type Journal,
  readJournal,
  release,
  type Step,
} from './journal.ts'
import { foldersOf } from './path-rules.ts'
import { inFolder } from './pinned-folder.ts'

type Clock = Pick<Machine, 'hostName' | 'now'>

/**
 * Writes all steps. The caller then turns the journal into a record or drops it. Throws after a rollback; a file that
 * no longer matches `before` is a conflict.
 */
export async function writeSteps(
  home: string,
  machine: Clock,
  root: string,
  { id, steps }: Pick<Journal, 'id' | 'steps'>,
): Promise<void> {
  const folders = new Set<string>()
  for (const { path, after } of steps)
    if (after) for (const folder of await missingFolders(root, path)) folders.add(folder)
  const journal: Journal = {
    id,
    steps,
    // Parents come before their children.
    folders: [...folders].sort(),
    createdAt: machine.now().toISOString(),
    nonce: randomBytes(8).toString('hex'),
  }
  await beginJournal(home, journal, machine)
  try {
    for (const [index, { path, after }] of steps.entries())
      if (after) await writeDraft(root, path, draftOf(journal, index), after)
    for (const [index, step] of steps.entries()) await take(root, journal, step, index)
    await syncFolders(root, steps)
  } catch (error) {
    await rollBackOrThrow(home, root, journal)
    throw error instanceof Failure ? error : unwritable(error)
  }
}

async function rollBackOrThrow(home: string, root: string, journal: Journal): Promise<void> {
  try {
    await rollBack(root, journal)
    await dropJournal(home)
  } catch (error) {
    // The journal stays for the next command.
    release(home)
    throw new Failure('not_put_back', `Only some files were written: ${errorText(error)}.`, {
      next: 'Free disk space or fix the permissions, then run "cowrie undo": it restores the files first.',
    })
  }
}

/** Rolls back what a dead process left. Returns the files it skipped because they changed since. */
export async function recover(
  home: string,
  machine: Clock,
  root: string,
): Promise<{ readonly id: string; readonly leftAlone: readonly string[] } | null> {
  const left = await readJournal(home, machine)
  if (!left) return null
  if (left.isAlive) throw busyError(home)
  const leftAlone = left.journal ? await rollBack(root, left.journal) : []
  await dropJournal(home)
  return left.journal && { id: left.journal.id, leftAlone }
}

/** Restores `before` for each file that matches `after`. Other files were edited by the user and are returned. */
async function rollBack(root: string, journal: Journal): Promise<string[]> {
  const { steps, folders } = journal
  const leftAlone: string[] = []
  for (const [index, { path, before, after }] of [...steps.entries()].toReversed()) {
    const draft = draftOf(journal, index)
    await removeDraft(root, path, draft)
    if (await matchesState(root, path, before)) continue
    if (!(await matchesState(root, path, after))) leftAlone.push(path)
    else if (before) await replace(root, path, draft, before)
    else await remove(root, path)
  }
  await removeFolders(root, folders)
  return leftAlone
}

/** Removes folders created for removed files; a folder with content stays. */
export async function removeFolders(root: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(join(root, folder)).catch(() => undefined)
}

export async function matchesState(root: string, path: string, state: FileState | null): Promise<boolean> {
  const found = await findFile(root, path, true)
  if ('refused' in found) return false
  const { file } = found
  return file?.text === state?.text && file?.mode === state?.mode && file?.encoding === state?.encoding
}

/** In the same folder, for an atomic rename; the name is predictable for the next process. */
const draftOf = ({ nonce }: Journal, index: number): string => `.cowrie-${nonce}-${index}`

async function writeDraft(root: string, path: string, draft: string, state: FileState): Promise<void> {
  for (const folder of foldersOf(path)) await makeFolder(join(root, folder))
  await inFolder(root, dirname(path), (folder) => writeNew(join(folder, draft), state))
}

const NO_FOLDER: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'changed_meanwhile',
])

/** The folder may be gone, replaced, or was never created. */
async function removeDraft(root: string, path: string, draft: string): Promise<void> {
  await inFolder(root, dirname(path), (folder) => rm(join(folder, draft), { force: true })).catch(
    (error: NodeJS.ErrnoException) => {
      if (!NO_FOLDER.has(error.code)) throw error
    },
  )
}

const takeDraft = (root: string, path: string, draft: string): Promise<void> =>
  inFolder(root, dirname(path), (folder) => rename(join(folder, draft), join(folder, basename(path))))

const remove = (root: string, path: string): Promise<void> =>
  inFolder(root, dirname(path), (folder) => unlink(join(folder, basename(path))))

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function writeNew(path: string, { text, mode, encoding }: FileState): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text, encoding ?? 'utf8')
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Checked again just before writing: the user may have saved the file meanwhile. */
async function take(
  root: string,
  journal: Journal,
  { path, before, after }: Step,
  index: number,
): Promise<void> {
  if (!(await matchesState(root, path, before)))
    throw new Failure('changed_meanwhile', `${path} was changed meanwhile, so nothing was written.`, {
      exit: EXIT.conflict,
    })
  if (after) await takeDraft(root, path, draftOf(journal, index))
  else await remove(root, path)
}

async function replace(root: string, path: string, draft: string, state: FileState): Promise<void> {
  await writeDraft(root, path, draft, state)
  await takeDraft(root, path, draft)
}

/** Makes the renames survive a power failure, where the system supports it. */
async function syncFolders(root: string, steps: readonly Step[]): Promise<void> {
  for (const folder of new Set(steps.map(({ path }) => dirname(join(root, path))))) {
    const opened = await open(folder, 'r').catch(() => null)
    await opened?.sync().catch(() => undefined)
    await opened?.close()
  }
}

const unwritable = (error: unknown): Failure =>
  new Failure('not_written', `Nothing was written, because a file could not be written: ${errorText(error)}.`)

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
