// Decides how the files of a run get into the local sandbox: as an archive into memory, or as mounted folders.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packFiles } from '../archive.ts'
import { HOME_FOLDER, PROJECT_FOLDER } from '../bootstrap.ts'
import type { CommandInput } from '../command-run.ts'
import type { DependencyLayer } from '../dependency-layer.ts'
import type { SandboxTree } from '../sandbox-tree.ts'
import { packTree } from '../tree-archive.ts'
import { adoptFolder } from './adopt.ts'
import { type LocalTools, NOBODY } from './local-tools.ts'
import type { SandboxMounts } from './mounts.ts'

export type Placement = {
  readonly archive: Buffer | AsyncIterable<Buffer>
  readonly archiveBytes: number
  /** Files of a large folder in memory. They do not count against the memory limit of the command. */
  readonly extraMemoryBytes: number
  readonly mounts: SandboxMounts | null
  readonly deleted: readonly string[]
}

type Refused = { readonly refused: string }

const NONE: SandboxTree = { folder: null, files: new Map(), deleted: new Set() }

export async function placeFiles(tools: LocalTools, input: CommandInput): Promise<Placement | Refused> {
  const tree = input.tree ?? { ...NONE, files: input.files ?? NONE.files }
  const { layer } = input
  if (tree.folder !== null && !(await isFolder(tree.folder)))
    return { refused: 'the folder of the files is gone' }
  if (layer !== undefined && !(await isFolder(layer.folder)))
    return { refused: 'the dependencies are gone; prepare them again' }
  const hasFolders = tree.folder !== null || layer !== undefined
  if (!hasFolders) return placeInMemory(tree, undefined)
  if (tools.canOverlay && (await isUsable(tools, tree.folder))) return placeAsOverlay(tree, layer)
  return placeInMemory(tree, layer)
}

/** All files as an archive, some of them without their content, in a folder that the caller mounts. */
export async function placeInto(
  mounts: SandboxMounts,
  tree: SandboxTree,
  isEmptied: (path: string) => boolean,
): Promise<Placement | Refused> {
  const packed = await packTree(tree, { isEmptied })
  if ('refused' in packed) return packed
  return { archive: packed.stream, archiveBytes: packed.bytes, extraMemoryBytes: 0, mounts, deleted: [] }
}

async function placeInMemory(
  tree: SandboxTree,
  layer: DependencyLayer | undefined,
): Promise<Placement | Refused> {
  const mounts = layer === undefined ? null : toReadOnlyMounts(layer)
  // Nothing can be written below a read-only mount.
  const isLeftOut = (path: string) =>
    layer?.projectPaths.some((each) => path === each || path.startsWith(`${each}/`)) === true
  const packed = await packTree(tree, { isLeftOut })
  if ('refused' in packed) return packed
  const { stream: archive, bytes } = packed
  return {
    archive,
    archiveBytes: bytes,
    extraMemoryBytes: tree.folder === null ? 0 : bytes,
    mounts,
    deleted: [],
  }
}

function placeAsOverlay(tree: SandboxTree, layer: DependencyLayer | undefined): Placement | Refused {
  const packed = packFiles(tree.files)
  if ('refused' in packed) return packed
  // Packages that are committed cover installed ones.
  const folders = [
    ...(tree.folder === null ? [] : [tree.folder]),
    ...(layer === undefined ? [] : [join(layer.folder, 'project')]),
  ]
  return {
    archive: packed.archive,
    archiveBytes: packed.archive.length,
    extraMemoryBytes: 0,
    mounts: {
      project: { kind: 'overlay', folders },
      home: layer === undefined ? null : { kind: 'overlay', folders: [join(layer.folder, 'home')] },
      readOnly: [],
      memoryDisks: [],
    },
    deleted: tree.folder === null ? [] : [...tree.deleted],
  }
}

/** Without an overlay, dependencies are read-only, except for the caches that tools write beside them. */
function toReadOnlyMounts({ folder, projectPaths, homePaths }: DependencyLayer): SandboxMounts {
  const mount = (from: string, to: string) => (path: string) => ({
    from: join(folder, from, path),
    to: join(to, path),
  })
  return {
    project: null,
    home: null,
    readOnly: [
      ...projectPaths.map(mount('project', PROJECT_FOLDER)),
      ...homePaths.map(mount('home', HOME_FOLDER)),
    ],
    memoryDisks: projectPaths
      .filter((path) => /(^|\/)node_modules$/.test(path))
      .map((path) => join(PROJECT_FOLDER, path, '.cache')),
  }
}

/** Changes need files that belong to the user of the sandbox. */
async function isUsable({ setpriv, ownFolder }: LocalTools, folder: string | null): Promise<boolean> {
  if (folder === null) return true
  if (setpriv === null) return (await stat(folder)).uid === process.getuid?.()
  return ownFolder !== null && adoptFolder(folder, ownFolder, NOBODY)
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
