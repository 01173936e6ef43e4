// The files of the user's folder as the tools see them.
import { lstatSync, type Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isSecretFile } from '@cowrie/sdk/secrets'
import { foldPath, isCleanContextPath } from '@cowrie/workspace/paths/clean-path.ts'
import { showPath } from '@cowrie/workspace/text/plain-text.ts'
import type { LeftOutFile, ToolWorkspace } from '@cowrie/workspace/tools/tool-types.ts'
import { FILE_BYTES_MAX } from '@cowrie/workspace/tools/workspace-text.ts'
import { readRegularFile, realPathIn } from '../../apply/files/safe-read.ts'
import type { IgnoreRules } from '../../context/ignore-rules.ts'
import { gitOf, listGitPaths, listIgnoredPaths, type PathList, walkPaths } from './list-paths.ts'

export type Listing = {
  readonly workspace: ToolWorkspace
  /** Sentences about files that the listing leaves out. */
  readonly notes: readonly string[]
}

/** `isFolder`: the path names a folder. */
export type OneFile = { readonly workspace: ToolWorkspace; readonly isFolder: boolean }

export type LocalFiles = {
  readonly root: string
  /** The files that git does not ignore, or those of a named folder that it does. */
  list(folder?: string, signal?: AbortSignal): Promise<Listing>
  /** One file, which git may ignore. `write`: links are never followed, and files that would collide are named. */
  open(path: string, purpose: 'read' | 'write'): Promise<OneFile>
  /** Files that hold secrets, also ignored ones: their values are hidden everywhere. */
  secretFiles(): Promise<readonly string[]>
}

const STATS_AT_ONCE = 1_000
const IGNORED_FILES_MAX = 5_000

export function openLocalFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  rules: () => Promise<IgnoreRules>,
): LocalFiles {
  const git = gitOf(root, env)

  const read = async (path: string): Promise<Buffer | null> => {
    const real = await realPathIn(root, path)
    if (real === null || !isCleanContextPath(real) || isSecretFile(real) !== isSecretFile(path)) return null
    return (await readRegularFile(join(root, real), FILE_BYTES_MAX))?.bytes ?? null
  }

  async function describe({ paths, isCut }: PathList, notes: readonly string[]): Promise<Listing> {
    const { isExcluded } = await rules()
    const files = new Map<string, { readonly bytes: number }>()
    const skipped: LeftOutFile[] = []
    for (const [i, path] of [...new Set(paths)].sort().entries()) {
      if (i % STATS_AT_ONCE === STATS_AT_ONCE - 1) await setImmediate()
      const entry = await inspect(path, isExcluded)
      if (typeof entry === 'number') files.set(path, { bytes: entry })
      else if (entry !== null) skipped.push({ path, reason: entry })
    }
    const cut = isCut ? [`Only the first ${paths.length.toLocaleString('en')} files are listed.`] : []
    return { workspace: { files, skipped, read }, notes: [...notes, ...cut] }
  }

  /** The size, why it is left out, or null when it does not exist: git also lists deleted files. */
  async function inspect(
    path: string,
    isExcluded: IgnoreRules['isExcluded'],
  ): Promise<number | LeftOutFile['reason'] | null> {
    if (!isCleanContextPath(path)) return 'unsafe_path'
    const found = lookSync(join(root, path))
    if (!found) return null
    if (isExcluded(path)) return 'excluded'
    if (found.isSymbolicLink()) return (await linkedFile(path, isExcluded))?.size ?? 'link'
    if (found.isDirectory()) return 'submodule'
    return found.isFile() ? found.size : 'special'
  }

  /** The file below the root that a link leads to. A link must not bypass the rules for the name of its target. */
  async function linkedFile(path: string, isExcluded: IgnoreRules['isExcluded']): Promise<Stats | null> {
    const real = await realPathIn(root, path)
    if (real === null || !isCleanContextPath(real) || isExcluded(real) || isSecretFile(real)) return null
    const found = lookSync(join(root, real))
    return found?.isFile() ? found : null
  }

  async function open(path: string, purpose: 'read' | 'write'): Promise<OneFile> {
    const one = (files: readonly [string, number][], skipped: readonly LeftOutFile[], isFolder = false) => ({
      workspace: { files: new Map(files.map(([name, bytes]) => [name, { bytes }])), skipped, read },
      isFolder,
    })
    if (!isCleanContextPath(path)) return one([], [])
    const { isExcluded } = await rules()
    if (isExcluded(path)) return one([], [{ path, reason: 'excluded' }])
    const found = await lstat(join(root, path)).catch(() => null)
    const real = await realPathIn(root, path)
    if (!found) return one(purpose === 'write' ? await collidingPaths(root, path) : [], await linkAbove(path))
    if (real !== null && real !== path && foldPath(real) === foldPath(path)) return one([[real, 0]], [])
    if (real !== path) {
      const linked = purpose === 'read' ? await linkedFile(path, isExcluded) : null
      return linked ? one([[path, linked.size]], []) : one([], [{ path, reason: 'link' }])
    }
    if (found.isDirectory()) return one([], [], true)
    return found.isFile() ? one([[path, found.size]], []) : one([], [{ path, reason: 'special' }])
  }

  /** A file cannot be created behind a link. */
  async function linkAbove(path: string): Promise<LeftOutFile[]> {
    const segments = path.split('/')
    for (let count = 1; count < segments.length; count++) {
      const folder = segments.slice(0, count).join('/')
      const found = lookSync(join(root, folder))
      if (!found) return []
      if (found.isSymbolicLink()) return [{ path: folder, reason: 'link' }]
    }
    return []
  }

  async function list(folder = '', signal?: AbortSignal): Promise<Listing> {
    const known = git ? await listGitPaths(git, signal) : await walkPaths(root, '', { signal })
    const isBelow = (path: string) => path === folder || path.startsWith(`${folder}/`)
    const isListed = folder === '' || known.paths.some(isBelow) || !isCleanContextPath(folder)
    if (isListed || (await realPathIn(root, folder)) !== folder) return describe(known, [])
    // Named explicitly, so its files are listed although git ignores them.
    const walked = await walkPaths(root, folder, { filesMax: IGNORED_FILES_MAX, isAll: true, signal })
    const isFile = lookSync(join(root, folder))?.isFile() === true
    return describe(isFile ? { paths: [folder], isCut: false } : walked, [
      `Git ignores ${showPath(folder)}, so searches of other folders leave it out.`,
    ])
  }

  return {
    root,
    list,
    open,
    async secretFiles() {
      const paths = git
        ? [...(await listGitPaths(git)).paths, ...(await listIgnoredPaths(git))]
        : (await walkPaths(root, '')).paths
      return paths.filter((path) => isSecretFile(path) && isCleanContextPath(path))
    },
  }
}

/** Names that a system without case would take for the new one, and files where a folder is needed. */
async function collidingPaths(root: string, path: string): Promise<[string, number][]> {
  const segments = path.split('/')
  const found: [string, number][] = []
  for (let count = 0; count < segments.length; count++) {
    const folder = segments.slice(0, count).join('/')
    const wanted = segments[count] ?? ''
    const names = await readdir(join(root, folder)).catch(() => null)
    if (names === null) {
      if (folder !== '' && lookSync(join(root, folder))?.isFile()) found.push([folder, 0])
      break
    }
    if (names.includes(wanted)) continue
    for (const name of names.filter((each) => foldPath(each) === foldPath(wanted)))
      found.push([folder === '' ? name : `${folder}/${name}`, 0])
    break
  }
  return found
}

function lookSync(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // Absent, or below a folder that cannot be read.
    return null
  }
}
