// Detects paths that cannot coexist: names that differ only in case, and a path that is both a file and a folder.
import { foldPath } from '@cowrie/workspace/paths/clean-path.ts'

export type CollisionCheck = {
  /** Whether the path collides with an existing file or an earlier edit. */
  isTaken(path: string): boolean
  take(path: string): void
}

/** `known` lists the existing files. An existing path collides only with another edit. */
export function createCollisionCheck(known: Iterable<string>): CollisionCheck {
  const names = new Map<string, string>()
  const folders = new Set<string>()
  const taken = new Map<string, string>()
  const add = (path: string, to: Map<string, string>) => {
    const folded = foldPath(path)
    if (!to.has(folded)) to.set(folded, path)
    for (const folder of foldersOf(folded)) folders.add(folder)
  }
  const knownPaths = new Set(known)
  for (const path of knownPaths) add(path, names)
  return {
    isTaken: (path) => {
      const folded = foldPath(path)
      if ((taken.get(folded) ?? path) !== path) return true
      if (knownPaths.has(path)) return false
      const isFileAbove = foldersOf(folded).some((folder) => names.has(folder) || taken.has(folder))
      return (names.get(folded) ?? path) !== path || folders.has(folded) || isFileAbove
    },
    take: (path) => add(path, taken),
  }
}

function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'))
}
