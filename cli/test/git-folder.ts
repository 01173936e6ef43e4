// Copies of git repositories with the same files: only the first one needs git processes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The files of a repository by path; null for a folder. */
type Repository = ReadonlyMap<string, Buffer | null>

const repositories = new Map<string, Repository>()

/** Creates `.git` in a folder: by `make` on the first call with this key, later by a copy. */
export function createGitFolder(root: string, key: string, make: () => void): void {
  const folder = join(root, '.git')
  const made = repositories.get(key)
  if (made) writeRepository(folder, made)
  else {
    make()
    repositories.set(key, readRepository(folder))
  }
}

function readRepository(folder: string): Repository {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder, path), entry.isDirectory() ? null : readFileSync(path)]
    }),
  )
}

function writeRepository(folder: string, repository: Repository): void {
  for (const [path, content] of repository) {
    if (content === null) mkdirSync(join(folder, path), { recursive: true })
    else {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
  }
}
