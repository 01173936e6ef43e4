// Reads the files of a folder without following links.
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '../../git/git.ts'
import { contentOf, entriesIn } from '../../git/tree.ts'
import { foldersOf } from './path-rules.ts'
import { readRegularFile } from './safe-read.ts'
import { decode } from './text-format.ts'

/** A file with its exact bytes. `encoding`: the file is not text, and each character of `text` is one byte. */
export type FileState = { readonly text: string; readonly mode: number; readonly encoding?: 'latin1' }

export type FoundFile = { readonly file: FileState | null } | { readonly refused: string }

/** The state of a file on disk or in a commit. */
export type FindFile = (path: string) => Promise<FoundFile>

const BYTES_MAX = 32 * 1024 * 1024

export const isExecutable = ({ mode }: FileState): boolean => (mode & 0o100) !== 0

/** The file at a path below the root; `file: null` when it does not exist. `isAny`: also files that are not text. */
export async function findFile(root: string, path: string, isAny = false): Promise<FoundFile> {
  const blocked = await whyUnreachable(root, path)
  if (blocked) return { refused: blocked }
  const found = await look(join(root, path))
  if (!found) return { file: null }
  if (found.isSymbolicLink()) return { refused: 'is a symbolic link' }
  if (found.isDirectory()) return { refused: 'is a folder' }
  if (!found.isFile()) return { refused: 'is not a file' }
  if (found.size > BYTES_MAX) return { refused: 'is larger than 32 MiB' }
  const read = await readRegularFile(join(root, path), BYTES_MAX)
  if (!read) return { refused: 'cannot be read' }
  const { bytes, mode } = read
  const text = decode(bytes)
  if (text !== null) return { file: { text, mode } }
  return isAny
    ? { file: { text: bytes.toString('latin1'), mode, encoding: 'latin1' } }
    : { refused: 'is not text' }
}

/** Why a parent folder prevents writing a path; null when all parents are folders or absent. */
async function whyUnreachable(root: string, path: string): Promise<string | null> {
  for (const folder of foldersOf(path)) {
    const found = await look(join(root, folder))
    if (!found) return null
    if (found.isSymbolicLink()) return `is behind the symbolic link ${folder}`
    if (!found.isDirectory()) return `needs a folder where ${folder} is a file`
    if (await look(join(root, folder, '.git'))) return `belongs to the other repository ${folder}`
  }
  return null
}

/** The same for a commit; links are not followed. */
export const findInCommit =
  (git: Git, commit: string): FindFile =>
  async (path) => {
    const above = await entriesIn(git, commit, foldersOf(path))
    for (const [folder, { mode }] of above) if (mode !== TREE) return { refused: `is behind ${folder}` }
    const entry = (await entriesIn(git, commit, [path])).get(path)
    if (!entry) return { file: null }
    if (entry.mode !== FILE && entry.mode !== PROGRAM) return { refused: 'is not a file' }
    const text = decode(await contentOf(git, entry))
    if (text === null) return { refused: 'is not text' }
    return { file: { text, mode: entry.mode === PROGRAM ? 0o755 : 0o644 } }
  }

const [TREE, FILE, PROGRAM] = ['040000', '100644', '100755']

/** The missing parent folders of a path, outermost first. */
export async function missingFolders(root: string, path: string): Promise<string[]> {
  const missing: string[] = []
  for (const folder of foldersOf(path)) if (!(await look(join(root, folder)))) missing.push(folder)
  return missing
}

async function look(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}
