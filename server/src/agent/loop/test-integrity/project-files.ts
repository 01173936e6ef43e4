// The files of a project as the checks see them. A map of texts is one; large projects load texts when they are needed.

export type ProjectFiles = {
  has(path: string): boolean
  get(path: string): string | undefined
  keys(): Iterable<string>
}

/** Paths that differ, sorted. */
export function listChanges(base: ProjectFiles, now: ProjectFiles): string[] {
  const paths = new Set([...base.keys(), ...now.keys()])
  return [...paths].filter((path) => base.get(path) !== now.get(path)).sort()
}

/** All files of both. A file of both has the text of the first. */
export const joinFiles = (first: ProjectFiles, second: ProjectFiles): ProjectFiles => ({
  has: (path) => first.has(path) || second.has(path),
  get: (path) => (first.has(path) ? first.get(path) : second.get(path)),
  keys: () => new Set([...first.keys(), ...second.keys()]),
})
