// Takes the contents of the files of a plan, from any source, and writes them to disk. A content is accepted only if it is the
// one that the tree names.
import { createHash } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runTask, task } from '../../platform/workers/workers.ts'
import { codeOf } from './error-code.ts'
import { blobHeader, type FileBatch, type FileResult, fileMode, type NewFile } from './file-batch-task.ts'
import type { PlannedFile } from './plan-files.ts'

export const SMALL_BYTES_MAX = 256 * 1_024
const BATCH_BYTES_MAX = 1 << 20
const BATCH_FILES_MAX = 256
const LINKS_AT_ONCE = 2_000
const TIMEOUT_MS = 120_000

const fileBatchTask = task<FileBatch, FileResult[]>(new URL('./file-batch-task.ts', import.meta.url))
export const runBatch = (batch: FileBatch, owner: string): Promise<FileResult[]> =>
  runTask(fileBatchTask, batch, { timeoutMs: TIMEOUT_MS, owner })

export class FileSink {
  /** Files that have no content yet, by path. */
  readonly wanted: Map<string, PlannedFile>
  /** The ids of contents that stand for files in Git LFS. They are not written. */
  readonly lfs = new Set<string>()
  /** Paths whose last content was not the one that the tree names. */
  readonly mismatched = new Set<string>()
  private readonly folder: string
  private readonly owner: string
  private batch: { file: PlannedFile; content: Buffer }[] = []
  private batchBytes = 0
  /** The batch that is written while the next one fills. */
  private writing: Promise<void> = Promise.resolve()

  constructor(folder: string, files: ReadonlyMap<string, PlannedFile>, owner: string) {
    this.folder = folder
    this.wanted = new Map(files)
    this.owner = owner
  }

  async createFolders(): Promise<void> {
    const paths = [...new Set([...this.wanted.keys()].map((path) => dirname(path)))]
    await runBatch({ kind: 'folders', folder: this.folder, paths }, this.owner)
  }

  /** The whole content of a small file. It is written by `flush` at the latest. */
  async accept(file: PlannedFile, content: Buffer): Promise<void> {
    this.batch.push({ file, content })
    this.batchBytes += content.length
    if (this.batchBytes >= BATCH_BYTES_MAX || this.batch.length >= BATCH_FILES_MAX) await this.writeBatch()
  }

  /** The content of a file in pieces. */
  async acceptPieces(file: PlannedFile, pieces: AsyncIterable<Buffer>): Promise<void> {
    if (file.bytes <= SMALL_BYTES_MAX) return this.accept(file, await collect(pieces, file.bytes))
    this.settle(file, await this.writePieces(file, pieces))
  }

  /** Shares the contents of files with the same ids and modes. */
  async acceptLinks(
    links: readonly { readonly file: PlannedFile; readonly source: string }[],
  ): Promise<void> {
    for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
      const part = links.slice(from, from + LINKS_AT_ONCE)
      const named = part.map(({ file, source }) => ({ path: file.path, source }))
      const results = await runBatch({ kind: 'link', folder: this.folder, links: named }, this.owner)
      for (const [i, { file }] of part.entries()) this.settle(file, results[i] ?? 'failed')
    }
  }

  /** Waits until everything is written. */
  async flush(): Promise<void> {
    await this.writeBatch()
    await this.writing
  }

  pathOf({ path }: PlannedFile): string {
    return join(this.folder, path)
  }

  private async writeBatch(): Promise<void> {
    const batch = this.batch
    this.batch = []
    this.batchBytes = 0
    await this.writing
    if (batch.length === 0) return
    this.writing = this.write(batch)
    // A failure is thrown to the next caller.
    this.writing.catch(() => undefined)
  }

  private async write(batch: readonly { file: PlannedFile; content: Buffer }[]): Promise<void> {
    const files = batch.map(
      ({ file: { path, sha, isExecutable }, content }): NewFile => ({ path, sha, isExecutable, content }),
    )
    const results = await runBatch({ kind: 'write', folder: this.folder, files }, this.owner)
    for (const [i, { file }] of batch.entries()) this.settle(file, results[i] ?? 'failed')
  }

  private settle(file: PlannedFile, result: FileResult): void {
    if (result === 'mismatch') this.mismatched.add(file.path)
    if (result === 'lfs') this.lfs.add(file.sha)
    if (result === 'done' || result === 'lfs') this.wanted.delete(file.path)
  }

  private async writePieces(file: PlannedFile, pieces: AsyncIterable<Buffer>): Promise<FileResult> {
    const path = this.pathOf(file)
    const target = await open(path, 'wx', fileMode(file.isExecutable)).catch(nullIfExists)
    if (target === null) return 'failed'
    let isWritten = false
    try {
      const digest = createHash('sha1').update(blobHeader(file.bytes))
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
    return isWritten ? 'done' : 'mismatch'
  }
}

function nullIfExists(error: unknown): null {
  if (codeOf(error) === 'EEXIST') return null
  throw error
}

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
