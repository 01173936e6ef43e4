// Creates the tree of a commit: the base with the changes of the task.
import { createTree, fetchFolder, type Repository } from '../../github/github.ts'
import type { FileChange } from '../types.ts'

const EXECUTABLE = '100755'
const REGULAR = '100644'

/** Returns the SHA of the tree, which is that of the base if nothing differs. */
export async function createDesiredTree(
  repository: Repository,
  baseTree: string,
  changes: readonly FileChange[],
): Promise<string> {
  const modes = await readModes(
    repository,
    baseTree,
    changes.map(({ path }) => path),
  )
  const entries = changes
    // GitHub refuses to delete a file that the base does not have.
    .filter(({ path, content }) => content !== null || modes.has(path))
    .map(({ path, content }) => {
      const mode: typeof EXECUTABLE | typeof REGULAR = modes.get(path) === EXECUTABLE ? EXECUTABLE : REGULAR
      return { path, mode, content }
    })
  return entries.length === 0 ? baseTree : createTree(repository, baseTree, entries)
}

/** The modes of those paths that exist, so that a changed script stays executable. Reads only their folders. */
async function readModes(
  repository: Repository,
  tree: string,
  paths: readonly string[],
  prefix = '',
): Promise<Map<string, string>> {
  const modes = new Map<string, string>()
  if (paths.length === 0) return modes
  const entries = new Map((await fetchFolder(repository, tree)).map((entry) => [entry.path, entry]))
  const byName = Map.groupBy(paths, (path) => path.slice(prefix.length).split('/', 1)[0] ?? '')
  for (const [name, group] of byName) {
    const entry = entries.get(name)
    const path = `${prefix}${name}`
    if (entry?.type === 'blob' && group.includes(path)) modes.set(path, entry.mode)
    const below = group.filter((each) => each !== path)
    if (entry?.type !== 'tree') continue
    for (const [known, mode] of await readModes(repository, entry.sha, below, `${path}/`))
      modes.set(known, mode)
  }
  return modes
}
