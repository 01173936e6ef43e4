// The indexed files, one level of folders at a time.
import type { IndexState } from '@cowrie/sdk'

/** A file, or a folder with its content. Folders end with a slash. */
export type Entry = { readonly path: string; readonly weight: number; readonly files: number }

/** The entries of a folder, largest first. */
export function entriesBelow(
  { paths, chunksByPath }: Pick<IndexState, 'paths' | 'chunksByPath'>,
  folder: string,
): Entry[] {
  const entries = new Map<string, Entry>()
  for (const [at, path] of paths.entries()) {
    if (!path.startsWith(folder)) continue
    const end = path.indexOf('/', folder.length)
    const name = end === -1 ? path : path.slice(0, end + 1)
    const known = entries.get(name)
    entries.set(name, {
      path: name,
      weight: (known?.weight ?? 0) + (chunksByPath[at] ?? 0),
      files: (known?.files ?? 0) + 1,
    })
  }
  return [...entries.values()].sort((a, b) => b.weight - a.weight)
}

export const isFolder = (path: string): boolean => path.endsWith('/')

/** The parent folder. */
export const parentOf = (folder: string): string => folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)
