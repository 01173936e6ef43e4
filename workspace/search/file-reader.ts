// Reads the files of a workspace for a search, and masks them on request.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placeholderOf, replaceRanges, secretRanges } from '../secrets/placeholders.ts'
import type { MaskData } from '../secrets/secret-mask.ts'
import type { SecretFormats, SecretSpan } from '../secrets/secret-span.ts'
import { createValueFinder } from '../secrets/value-finder.ts'
import { decodeText } from '../tools/workspace-text.ts'

export type ScannedFiles = {
  readonly folder: string | null
  readonly paths: readonly string[]
  /** Contents that replace those of the folder. */
  readonly overrides: ReadonlyMap<string, string | Uint8Array>
  readonly mask: MaskData
  /** Larger files are left out. Default: 1 MiB. */
  readonly fileBytesMax?: number
}

export type ScannedFile = {
  readonly path: string
  readonly raw: string
  /** The text as a model may read it. The number of lines is that of the raw text. */
  masked(): { readonly text: string; readonly hasSecrets: boolean }
  /** The secrets of the raw text. */
  spans(): readonly SecretSpan[]
}

export type FileReader = {
  /** Ends early after 8 seconds: see `left`. */
  files(): Generator<ScannedFile>
  readonly counts: { searched: number; binary: number; large: number; left: number }
}

const FILE_BYTES_MAX = 1 << 20
const BYTES_MAX = 512 << 20
/** The task ends by itself before its timeout, with the results so far. */
const TASK_MS = 8_000

export function createFileReader(
  { folder, paths, overrides, mask, fileBytesMax = FILE_BYTES_MAX }: ScannedFiles,
  { isSecretFile, secretSpans }: SecretFormats,
): FileReader {
  const endMs = performance.now() + TASK_MS
  const counts = { searched: 0, binary: 0, large: 0, left: paths.length }
  const allowed = new Set(mask.allowedPaths)
  const readFile = folder === null ? () => undefined : createFolderReader(folder, fileBytesMax)
  const finder = createValueFinder(mask.values)
  let bytesLeft = BYTES_MAX
  function* files(): Generator<ScannedFile> {
    for (const path of paths) {
      if (performance.now() > endMs || bytesLeft <= 0) return
      counts.left -= 1
      const changed = overrides.get(path)
      const file = changed === undefined ? readFile(path) : { content: changed, stamp: undefined }
      if (file === undefined) continue
      if (file === 'large' || file.content.length > fileBytesMax) {
        counts.large += 1
        continue
      }
      const text =
        typeof file.content === 'string'
          ? file.content
          : decodeText(Buffer.from(file.content.buffer, file.content.byteOffset, file.content.byteLength))
      if (text === undefined) {
        counts.binary += 1
        continue
      }
      const raw = text.replaceAll('\r\n', '\n')
      bytesLeft -= raw.length
      counts.searched += 1
      yield {
        path,
        raw,
        masked: () => maskFile(path, raw, file.stamp),
        spans: () => findSpans(raw, file.stamp),
      }
    }
  }
  function maskFile(path: string, raw: string, stamp: string | undefined) {
    if (allowed.has(path)) return { text: raw, hasSecrets: false }
    // The caller leaves such files out. If one comes here, nothing of it is searched.
    if (isSecretFile(path)) return { text: '', hasSecrets: false }
    const ranges = secretRanges(raw, findSpans(raw, stamp), finder.find(raw))
    const text = replaceRanges(raw, ranges, (value) => placeholderOf(mask.nonce, value))
    return { text, hasSecrets: ranges.length > 0 }
  }
  /** `stamp` identifies the content of a file; undefined for a text that is not in a file. */
  function findSpans(raw: string, stamp: string | undefined): readonly SecretSpan[] {
    if (stamp !== undefined && cleanFiles.has(stamp)) return []
    const spans = secretSpans(raw)
    if (stamp !== undefined && spans.length === 0) {
      if (cleanFiles.size >= CLEAN_MAX) cleanFiles.clear()
      cleanFiles.add(stamp)
    }
    return spans
  }
  return { files, counts }
}

/** Finding secrets takes most of the time of a search, and most files have none and do not change between searches. */
const CLEAN_MAX = 100_000
const cleanFiles = new Set<string>()

type FileContent = { readonly content: Uint8Array; readonly stamp: string }

/** Reads regular files below the folder. Never follows a link out of it. */
function createFolderReader(
  folder: string,
  fileBytesMax: number,
): (path: string) => FileContent | 'large' | undefined {
  const root = realpathSync(folder)
  const folders = new Map<string, boolean>()
  const isInside = (path: string): boolean => {
    const parent = dirname(path)
    const known = folders.get(parent)
    if (known !== undefined) return known
    const inside = realpathSync(join(root, parent)) === join(root, parent)
    folders.set(parent, inside)
    return inside
  }
  return (path) => {
    try {
      return isInside(path) ? readRegularFile(join(root, path), fileBytesMax) : undefined
    } catch {
      // The file is gone or cannot be read. The other files are still searched.
      return undefined
    }
  }
}

function readRegularFile(path: string, fileBytesMax: number): FileContent | 'large' | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { dev, ino, size, mtimeMs, ctimeMs, ...stat } = fstatSync(file)
    if (!isRegular(stat.mode)) return undefined
    if (size > fileBytesMax) return 'large'
    if (!isAt(file, path)) return undefined
    const content = Buffer.allocUnsafe(size)
    let bytes = 0
    for (let read = 1; read > 0 && bytes < size; bytes += read)
      read = readSync(file, content, bytes, size - bytes, null)
    const stamp = [dev, ino, size, mtimeMs, ctimeMs].join(' ')
    return { content: content.subarray(0, bytes), stamp }
  } finally {
    closeSync(file)
  }
}

/** Linux tells where the open file is: a folder above it may have been replaced by a link since it was checked. */
function isAt(file: number, path: string): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === path
  } catch {
    // Without /proc, the check of the folder must do.
    return true
  }
}

const isRegular = (mode: number): boolean => (mode & constants.S_IFMT) === constants.S_IFREG
