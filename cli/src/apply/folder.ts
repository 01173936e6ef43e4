// The files of a folder, reached without following any link: what lies behind one is not what its path says.
import type { Stats } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '../git/git.ts'
import { contentOf, entriesIn } from '../git/tree.ts'
import { foldersOf } from './paths.ts'
import { decode } from './text.ts'

/** A text file as it stands, to the last byte. */
export type FileState = { readonly text: string; readonly mode: number }

export type Found = { readonly file: FileState | null } | { readonly refused: string }

/** How a file stands in one place: on this disk, or in a commit. */
export type Finder = (path: string) => Promise<Found>

const BYTES_MAX = 32 * 1024 * 1024

export const isExecutable = ({ mode }: FileState): boolean => (mode & 0o100) !== 0

/** What is at a path below the root; `file: null` where nothing is. */
export async function findFile(root: string, path: string): Promise<Found> {
  const blocked = await whyUnreachable(root, path)
  if (blocked) return { refused: blocked }
  const found = await look(join(root, path))
  if (!found) return { file: null }
  if (found.isSymbolicLink()) return { refused: 'is a symbolic link' }
  if (found.isDirectory()) return { refused: 'is a folder' }
  if (!found.isFile()) return { refused: 'is not a file' }
  if (found.size > BYTES_MAX) return { refused: 'is larger than 32 MiB' }
  const text = decode(await readFile(join(root, path)))
  return text === null ? { refused: 'is not text' } : { file: { text, mode: found.mode & 0o7777 } }
}

/** Why nothing is written at a path, because of a folder above it; null when all of them are folders, or not there yet. */
async function whyUnreachable(root: string, path: string): Promise<string | null> {
  for (const folder of foldersOf(path)) {
    const found = await look(join(root, folder))
    if (!found) return null
    if (found.isSymbolicLink()) return `lies behind the symbolic link ${folder}`
    if (!found.isDirectory()) return `needs a folder where ${folder} is a file`
    if (await look(join(root, folder, '.git'))) return `belongs to another repository, ${folder}`
  }
  return null
}

/** The same in a commit, where nothing is followed either. */
export const inCommit =
  (git: Git, commit: string): Finder =>
  async (path) => {
    const above = await entriesIn(git, commit, foldersOf(path))
    for (const [folder, { mode }] of above) if (mode !== TREE) return { refused: `lies behind ${folder}` }
    const entry = (await entriesIn(git, commit, [path])).get(path)
    if (!entry) return { file: null }
    if (entry.mode !== FILE && entry.mode !== PROGRAM) return { refused: 'is not a file' }
    const text = decode(await contentOf(git, entry))
    if (text === null) return { refused: 'is not text' }
    return { file: { text, mode: entry.mode === PROGRAM ? 0o755 : 0o644 } }
  }

const [TREE, FILE, PROGRAM] = ['040000', '100644', '100755']

/** The folders above a path that are not there yet, the outermost first. */
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
