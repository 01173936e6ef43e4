// Takes the contents of the files of a plan, from any source, and writes them to disk. A content is accepted only if it is the
// one that the tree names.
import { createHash, hash } from 'node:crypto'
import { constants, copyFile, link, mkdir, open, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './error-code.ts'
import type { PlannedFile } from './plan-files.ts'

export const SMALL_BYTES_MAX = 256 * 1_024
const LFS_POINTER_BYTES_MAX = 1_024
const LFS_POINTER = 'version https://git-lfs.github.com/spec/'

export class FileSink {
  /** Files that have no content yet, by path. */
  readonly wanted: Map<string, PlannedFile>
  /** The ids of contents that stand for files in Git LFS. They are not written. */
  readonly lfs = new Set<string>()
  private readonly folder: string

  constructor(folder: string, files: ReadonlyMap<string, PlannedFile>) {
    this.folder = folder
    this.wanted = new Map(files)
  }

  async createFolders(): Promise<void> {
    const folders = new Set([...this.wanted.keys()].map((path) => dirname(join(this.folder, path))))
    for (const folder of folders) await mkdir(folder, { recursive: true })
  }

  /** The whole content of a small file. False if it is not the content that the tree names. */
  async accept(file: PlannedFile, content: Buffer): Promise<boolean> {
    if (content.length !== file.bytes) return false
    const id = hash('sha1', Buffer.concat([Buffer.from(headerOf(content.length)), content]), 'hex')
    if (id !== file.sha) return false
    if (isLfsPointer(content)) {
      this.lfs.add(file.sha)
      this.wanted.delete(file.path)
    } else if (await isCreated(writeFile(this.pathOf(file), content, { flag: 'wx', mode: modeOf(file) })))
      this.wanted.delete(file.path)
    return true
  }

  /** The content of a file in pieces. */
  async acceptPieces(file: PlannedFile, pieces: AsyncIterable<Buffer>): Promise<boolean> {
    if (file.bytes <= SMALL_BYTES_MAX) return this.accept(file, await collect(pieces, file.bytes))
    const isWritten = await this.writePieces(file, pieces)
    if (isWritten) this.wanted.delete(file.path)
    return isWritten !== false
  }

  /** Shares the content of a file with the same id and mode. */
  async acceptLink(file: PlannedFile, source: string): Promise<void> {
    try {
      if (await isCreated(link(source, this.pathOf(file)))) this.wanted.delete(file.path)
    } catch (error) {
      // The other snapshot was removed, or its file has as many links as the file system allows.
      if (codeOf(error) === 'ENOENT') return
      if (!['EMLINK', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
      await copyFile(source, this.pathOf(file), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      this.wanted.delete(file.path)
    }
  }

  pathOf({ path }: PlannedFile): string {
    return join(this.folder, path)
  }

  /** Null if the path is taken. */
  private async writePieces(file: PlannedFile, pieces: AsyncIterable<Buffer>): Promise<boolean | null> {
    const path = this.pathOf(file)
    const target = await open(path, 'wx', modeOf(file)).catch(nullIfExists)
    if (target === null) return null
    let isWritten = false
    try {
      const digest = createHash('sha1').update(headerOf(file.bytes))
      let bytes = 0
      for await (const piece of pieces) {
        bytes += piece.length
        if (bytes > file.bytes) break
        digest.update(piece)
        await target.writeFile(piece)
      }
      isWritten = bytes === file.bytes && digest.digest('hex') === file.sha
    } finally {
      await target.close()
      if (!isWritten) await unlink(path)
    }
    return isWritten
  }
}

/** Files are never writable, because snapshots share them by hard links. */
const modeOf = ({ isExecutable }: PlannedFile): number => (isExecutable ? 0o555 : 0o444)
const headerOf = (bytes: number): string => `blob ${bytes}\0`
const isLfsPointer = (content: Buffer): boolean =>
  content.length <= LFS_POINTER_BYTES_MAX && content.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER

/** Another file has the path where the file system ignores case. */
function nullIfExists(error: unknown): null {
  if (codeOf(error) === 'EEXIST') return null
  throw error
}
const isCreated = (creation: Promise<void>): Promise<boolean> =>
  creation.then(
    () => true,
    (error) => nullIfExists(error) !== null,
  )

/** At most one piece more than `most` bytes. */
async function collect(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    parts.push(piece)
    bytes += piece.length
    if (bytes > most) break
  }
  return Buffer.concat(parts)
}
