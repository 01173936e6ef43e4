// Creates the tree of a commit: the base with the changes of the task.
import { createTree, fetchFolder, type GitTreeEntry, type Repository } from '../../github/github.ts'
import { inParallel } from '../repository/in-parallel.ts'
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

type Folder = { readonly tree: string; readonly prefix: string; readonly paths: readonly string[] }

const REQUESTS_AT_ONCE = 6

/** The modes of those paths that exist, so that a changed script stays executable. Reads only their folders, level by level. */
async function readModes(
  repository: Repository,
  rootTree: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const modes = new Map<string, string>()
  let level: Folder[] = paths.length > 0 ? [{ tree: rootTree, prefix: '', paths }] : []
  while (level.length > 0) {
    const next: Folder[] = []
    await inParallel(level, REQUESTS_AT_ONCE, async (folder) => {
      next.push(...listSubfolders(await fetchFolder(repository, folder.tree), folder, modes))
    })
    level = next
  }
  return modes
}

/** Adds the modes of the files of a folder. Returns its folders that have other paths. */
function listSubfolders(
  entries: readonly GitTreeEntry[],
  { prefix, paths }: Folder,
  modes: Map<string, string>,
): Folder[] {
  const byName = new Map(entries.map((entry) => [entry.path, entry]))
  const groups = Map.groupBy(paths, (path) => path.slice(prefix.length).split('/', 1)[0] ?? '')
  return [...groups].flatMap(([name, group]) => {
    const entry = byName.get(name)
    const path = `${prefix}${name}`
    if (entry?.type === 'blob' && group.includes(path)) modes.set(path, entry.mode)
    const below = group.filter((each) => each !== path)
    return entry?.type === 'tree' && below.length > 0
      ? [{ tree: entry.sha, prefix: `${path}/`, paths: below }]
      : []
  })
}
