// Packs a folder with its changes as a tar stream, one file at a time, so that its size does not matter for our memory.
import { constants } from 'node:fs'
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { ARCHIVE_END, fileHeader, isCleanPath, isScript, packFiles, paddingOf } from './archive.ts'
import type { SandboxTree } from './sandbox-tree.ts'

const FILES_MAX = 50_000
const FOLDERS_MAX = 50_000
const BYTES_MAX = 1 << 30
const CHUNK = 256 << 10
const PAGE = 4_096

type ListedFile = {
  readonly path: string
  readonly bytes: number
  readonly isExecutable: boolean
  readonly isEmptied: boolean
}

export type TreeArchive = {
  /** Throws if a file changed since it was listed. */
  readonly stream: AsyncIterable<Buffer>
  /** The space that the files need, in whole pages. */
  readonly bytes: number
}

export type PackOptions = {
  /** Paths that are packed without their content. */
  readonly isEmptied?: (path: string) => boolean
  readonly isLeftOut?: (path: string) => boolean
}

/** Lists the files and prepares their archive, or gives the reason why they are refused. */
export async function packTree(
  tree: SandboxTree,
  { isEmptied = () => false, isLeftOut = () => false }: PackOptions = {},
): Promise<TreeArchive | { readonly refused: string }> {
  const packed = [...tree.files].filter(([path]) => !isLeftOut(path))
  const changed = packFiles(new Map(packed.map(([path, content]) => [path, isEmptied(path) ? '' : content])))
  if ('refused' in changed) return changed
  if (tree.folder === null) return { stream: toStream([changed.archive]), bytes: changed.archive.length }
  const folder = await realpath(tree.folder)
  const isReplaced = (path: string) => tree.files.has(path) || tree.deleted.has(path) || isLeftOut(path)
  const listed = await listFolder(folder, isReplaced, isEmptied)
  if ('refused' in listed) return listed
  const bytes = listed.reduce((sum, file) => sum + Math.ceil((file.bytes + 1) / PAGE) * PAGE, 0)
  // Without its end mark, the second archive continues the first.
  const rest = changed.archive.subarray(0, -ARCHIVE_END.length)
  return { stream: streamFolder(folder, listed, rest), bytes: bytes + changed.archive.length }
}

async function* toStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

/** Regular files only. Links and devices are left out. */
async function listFolder(
  folder: string,
  isReplaced: (path: string) => boolean,
  isEmptied: (path: string) => boolean,
): Promise<ListedFile[] | { readonly refused: string }> {
  const files: ListedFile[] = []
  const waiting = ['']
  let bytes = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (!entry.isDirectory() && (!entry.isFile() || isReplaced(path))) continue
      if (!isCleanPath(path))
        return { refused: `not a clean relative path: ${JSON.stringify(path.slice(0, 200))}` }
      if (entry.isDirectory()) {
        if (waiting.push(path) > FOLDERS_MAX) return { refused: `more than ${FOLDERS_MAX} folders` }
        continue
      }
      const { size, mode } = await lstat(join(folder, path))
      const isEmpty = isEmptied(path)
      if (!isEmpty) bytes += size
      if (bytes > BYTES_MAX) return { refused: `more than ${BYTES_MAX >> 20} MiB of files` }
      const file = { path, bytes: isEmpty ? 0 : size, isExecutable: (mode & 0o100) !== 0, isEmptied: isEmpty }
      if (files.push(file) > FILES_MAX) return { refused: `more than ${FILES_MAX} files` }
    }
  }
  return files
}

async function* streamFolder(
  folder: string,
  files: readonly ListedFile[],
  rest: Buffer,
): AsyncGenerator<Buffer> {
  for (const file of files) yield* streamFile(folder, file)
  yield rest
  yield ARCHIVE_END
}

const changedError = (path: string) => new Error(`the folder changed while it was copied: ${path}`)

async function* streamFile(folder: string, file: ListedFile): AsyncGenerator<Buffer> {
  if (file.isEmptied) {
    yield* fileHeader(file.path, 0, file.isExecutable)
    return
  }
  const path = join(folder, file.path)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => {
      throw changedError(file.path)
    },
  )
  try {
    // A parent folder that became a link leads elsewhere.
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== path || (await handle.stat()).size !== file.bytes)
      throw changedError(file.path)
    let left = file.bytes
    let isFirst = true
    while (left > 0) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(left, CHUNK)))
      if (bytesRead === 0) throw changedError(file.path)
      const chunk = buffer.subarray(0, bytesRead)
      if (isFirst) yield* fileHeader(file.path, file.bytes, file.isExecutable || isScript(chunk))
      isFirst = false
      left -= bytesRead
      yield chunk
    }
    if (isFirst) yield* fileHeader(file.path, 0, file.isExecutable)
    yield paddingOf(file.bytes)
  } finally {
    await handle.close()
  }
}
