// Stores results: below `.git/cowrie` in a repository, otherwise in the user's state folder. One private file each; a
// damaged one is shown as such.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fromJson, toJson } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import type { Paths } from '../system/paths.ts'
import type { Result } from './result.ts'
import { isResult } from './validate.ts'

/** A file that cannot be read as a result. */
export type DamagedResult = { readonly id: string; readonly state: 'damaged' }

const KEPT_MAX = 200
const BYTES_MAX = 64 * 1024 * 1024
const ID_TRIES_MAX = 20
/** Without ambiguous letters. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
/** An increasing number, so that the newest is known without reading; then the id. */
const FILE = /^(\d{6,12})-([2-9a-z]{4,8})\.json$/
const DRAFT = /\.draft$/
/** A temporary file of this age is left over from a crash. */
const DRAFT_AGE_MAX_MS = 60 * 60_000

type Entry = { readonly file: string; readonly number: number; readonly id: string }

export const resultsFolder = ({ repository, state }: Paths): string | null =>
  repository ? join(repository.gitFolder, 'cowrie', 'results') : state && join(state, 'results')

/** Stores a new result under a new id. Removes the oldest beyond two hundred. */
export async function createResult(paths: Paths, fresh: Omit<Result, 'id'>): Promise<Result> {
  const folder = folderOf(paths)
  const entries = await entriesIn(folder)
  const number = (entries[0]?.number ?? 0) + 1
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    const id = await reserve(folder, number, new Set(entries.map((entry) => entry.id)))
    const result = { ...fresh, id }
    await write(join(folder, fileName(number, id)), result)
    await Promise.all(entries.slice(KEPT_MAX - 1).map(({ file }) => discard(join(folder, file))))
    await discardDrafts(folder)
    return result
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Overwrites a result. */
export async function writeResult(paths: Paths, result: Result): Promise<void> {
  const folder = folderOf(paths)
  const entries = await entriesIn(folder)
  const entry = entries.find(({ id }) => id === result.id)
  // If it was removed meanwhile, it becomes the newest.
  const file = entry?.file ?? fileName((entries[0]?.number ?? 0) + 1, result.id)
  try {
    await write(join(folder, file), result)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Newest first. */
export async function readResults(paths: Paths, limit = KEPT_MAX): Promise<(Result | DamagedResult)[]> {
  const folder = resultsFolder(paths)
  if (!folder) return []
  const entries = (await entriesIn(folder)).slice(0, limit)
  return Promise.all(
    entries.map(
      async ({ file, id }) => (await read(join(folder, file), id)) ?? { id, state: 'damaged' as const },
    ),
  )
}

/** The result with this id, or the newest for `last`. */
export async function readResult(paths: Paths, name: string): Promise<Result> {
  const { folder, file, id } = await find(paths, name)
  const result = await read(join(folder, file), id)
  if (result) return result
  throw new Failure('result_damaged', `The result ${id} is damaged: ${join(folder, file)}.`, {
    next: `Remove it with "cowrie runs rm ${id}".`,
  })
}

/** Returns its id. */
export async function removeResult(paths: Paths, name: string): Promise<string> {
  const { folder, file, id } = await find(paths, name)
  await discard(join(folder, file))
  return id
}

/** Ids of results, newest first, without reading them. */
export async function resultIds(paths: Paths): Promise<string[]> {
  const folder = resultsFolder(paths)
  return folder ? (await entriesIn(folder)).map(({ id }) => id) : []
}

async function find(paths: Paths, name: string): Promise<Entry & { folder: string }> {
  const folder = resultsFolder(paths)
  const entries = folder ? await entriesIn(folder) : []
  const entry = name === 'last' ? entries[0] : entries.find(({ id }) => id === name.toLowerCase())
  if (folder && entry) return { ...entry, folder }
  throw new Failure(
    'result_not_found',
    name === 'last' ? 'There are no results here yet.' : `There is no result "${name}" here.`,
    { next: 'List results with "cowrie runs list". Each repository has its own.' },
  )
}

function folderOf(paths: Paths): string {
  const folder = resultsFolder(paths)
  if (folder) return folder
  throw new Failure('no_place_for_results', 'No folder is available for results.', {
    next: 'Set HOME or XDG_STATE_HOME, or work in a git repository.',
  })
}

/** Newest first; equal numbers by id. */
async function entriesIn(folder: string): Promise<Entry[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw new Failure('results_unreadable', `${folder} cannot be read (${error.message}).`)
  })
  return names
    .flatMap((file) => {
      const [, number, id] = FILE.exec(file) ?? []
      return number && id ? [{ file, number: Number(number), id }] : []
    })
    .sort((a, b) => b.number - a.number || a.id.localeCompare(b.id))
}

const fileName = (number: number, id: string): string => `${String(number).padStart(6, '0')}-${id}.json`

/** Reserves a free id with an empty file, so that no other command takes it. */
async function reserve(folder: string, number: number, taken: ReadonlySet<string>): Promise<string> {
  for (let tries = 0; tries < ID_TRIES_MAX; tries++) {
    const id = Array.from(randomBytes(4), (byte) => LETTERS[byte % LETTERS.length]).join('')
    if (taken.has(id)) continue
    const file = await open(join(folder, fileName(number, id)), 'wx', 0o600).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return null
        throw error
      },
    )
    if (!file) continue
    await file.close()
    return id
  }
  throw new Error('no free id was found')
}

/** Atomic: a crash leaves the old or the new content. */
async function write(path: string, result: Result): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${toJson(result)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await discard(draft)
    throw error
  }
}

async function read(path: string, id: string): Promise<Result | null> {
  try {
    if ((await stat(path)).size > BYTES_MAX) return null
    const value = fromJson(await readFile(path, 'utf8'))
    return isResult(value) && value.id === id ? value : null
  } catch {
    return null
  }
}

async function discardDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > DRAFT_AGE_MAX_MS) await discard(path)
  }
}

const discard = (path: string): Promise<void> => unlink(path).catch(() => undefined)

const unwritable = (folder: string, error: unknown): Failure =>
  new Failure(
    'results_unwritable',
    `${folder} cannot be written (${error instanceof Error ? error.message : String(error)}).`,
  )
