// Reads and writes configuration files of clients. Links are followed, and a write changes all files or none.
import { existsSync, lstatSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../errors.ts'
import { writeAtomically } from '../system/atomic-write.ts'

export type PresentFile = {
  /** The file behind links. */
  readonly path: string
  /** Null when the file does not exist. */
  readonly text: string | null
  readonly mode: number | null
}

/** A file to write; a null text removes it. */
export type FileWrite = { readonly path: string; readonly text: string | null; readonly mode: number }

const BYTES_MAX = 4 * 1024 * 1024
export const PRIVATE_MODE = 0o600

export function readConfigFile(named: string): PresentFile {
  try {
    const path = targetOf(named)
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return { path, text: null, mode: null }
    if (!found.isFile() || found.size > BYTES_MAX) throw unusable(named, 'is not a configuration file')
    const bytes = readFileSync(path)
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes)) throw unusable(named, 'is not UTF-8 text')
    return { path, text, mode: found.mode & 0o777 }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unusable(named, `cannot be read (${codeOf(error)})`)
  }
}

function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  if (lstatSync(path, { throwIfNoEntry: false })) throw unusable(path, 'is a link to a missing file')
  return path
}

/** Throws before anything is changed. Renaming over a file would ignore that it is read-only. */
export function requireWritable({ path, mode }: PresentFile): void {
  if (mode !== null && (mode & 0o200) === 0)
    throw unusable(path, 'is read-only. Make it writable, or use --print and edit it yourself')
}

/** Returns the folders that were created, so that an undo can remove them. */
export async function writeAll(writes: readonly FileWrite[]): Promise<string[]> {
  const done: FileWrite[] = []
  const folders: string[] = []
  try {
    for (const write of writes) {
      const { path, text, mode } = readConfigFile(write.path)
      done.push({ path, text, mode: mode ?? PRIVATE_MODE })
      const made =
        write.text === null ? undefined : await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if (made !== undefined) folders.push(made)
      await writeOne(write)
    }
    return folders
  } catch (error) {
    for (const original of done.toReversed()) await writeOne(original).catch(() => undefined)
    removeEmptyFolders(
      done.map(({ path }) => path),
      folders,
    )
    if (error instanceof Failure) throw error
    throw new Failure(
      'config_unwritable',
      `The configuration cannot be written (${(error as Error).message}).`,
    )
  }
}

async function writeOne({ path, text, mode }: FileWrite): Promise<void> {
  if (text === null) return rmSync(path, { force: true })
  await writeAtomically(path, text, mode)
  // The mode of a new file is limited by the mask of the process.
  await chmod(path, mode)
}

/** Removes the folders that a setup created, as far as they are empty. */
export function removeEmptyFolders(files: readonly string[], created: readonly string[]): void {
  for (const first of created)
    for (const file of files)
      for (let folder = dirname(file); folder.startsWith(first); folder = dirname(folder))
        try {
          rmdirSync(folder)
        } catch {
          break
        }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
const unusable = (path: string, what: string) => new Failure('config_unusable', `${path} ${what}.`)
