// Storage in a folder. Each file has a short header, so that content type and length are stored atomically with the bytes.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { before, DisciplinedClock } from '../../kernel/clock.ts'
import { ByteCounter, inChunks, readContentType, readKey } from './object.ts'
import type { ListedObject, ObjectDigest, Storage, StoredObject } from './storage.ts'

const HEADER_BYTES = 512
const TEMPORARY = '.tmp'
// No key contains it, so the file of "a" cannot collide with the folder of "a/b".
const FILE_MARK = '@'
const ABANDONED_AFTER = { days: 1 }

type Header = ObjectDigest & { readonly contentType: string }

export function openFileStorage(folder: string): Storage {
  let preparing: Promise<string> | undefined

  // Prepared on first use, and again after a failure, because a disk may be mounted late.
  function prepared(): Promise<string> {
    preparing ??= prepare(folder).catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    return preparing
  }

  return {
    async put(key, bytes, { contentType, maxBytes }) {
      const segments = readKey(key)
      const type = readContentType(contentType)
      const root = await prepared()
      const temporary = join(root, TEMPORARY, randomUUID())
      try {
        const stored = await writeFile(temporary, bytes, type, maxBytes)
        await makeFolders(root, segments.slice(0, -1))
        const target = pathOf(root, segments)
        await rename(temporary, target)
        await syncFolder(dirname(target))
        return stored
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async get(key) {
      const path = pathOf(await prepared(), readKey(key))
      if (!(await existsWithoutLinks(dirname(path)))) return null
      const handle = await undefinedIfAbsent(open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
      return handle ? readFile(handle, key) : null
    },

    async delete(key) {
      const path = pathOf(await prepared(), readKey(key))
      if (!(await existsWithoutLinks(dirname(path)))) return
      await rm(path, { force: true })
      await syncFolder(dirname(path))
    },

    async *list() {
      yield* listFiles(await prepared(), '')
    },

    async check() {
      const probe = join(await prepared(), TEMPORARY, randomUUID())
      try {
        await writeFile(probe, Buffer.from('probe'), 'text/plain')
      } finally {
        await rm(probe, { force: true })
      }
    },
  }
}

const pathOf = (root: string, segments: readonly string[]): string => `${join(root, ...segments)}${FILE_MARK}`

async function prepare(folder: string): Promise<string> {
  await mkdir(join(folder, TEMPORARY), { recursive: true, mode: 0o700 })
  const root = await realpath(folder)
  await removeAbandoned(join(root, TEMPORARY))
  return root
}

/** Deletes incomplete files of crashed processes. Other replicas may share the folder, so only those older than a day. */
async function removeAbandoned(folder: string): Promise<void> {
  const limit = before(new DisciplinedClock().now(), ABANDONED_AFTER)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const status = await undefinedIfAbsent(lstat(path))
    if (status && status.mtime < limit) await rm(path, { force: true })
  }
}

async function writeFile(
  path: string,
  bytes: Parameters<Storage['put']>[1],
  contentType: string,
  maxBytes?: number,
): Promise<ObjectDigest> {
  const handle = await open(path, 'wx', 0o600)
  try {
    const meter = new ByteCounter(maxBytes)
    let at = HEADER_BYTES
    for await (const piece of inChunks(bytes)) {
      meter.add(piece)
      at += await writeAll(handle, piece, at)
    }
    const stored = meter.result()
    await writeAll(handle, toHeader({ ...stored, contentType }), 0)
    await handle.sync()
    return stored
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
  return bytes.byteLength
}

async function readFile(handle: FileHandle, key: string): Promise<StoredObject> {
  try {
    const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const { bytes, contentType } = fromHeader(buffer, key)
    const { size } = await handle.stat()
    if (size !== HEADER_BYTES + bytes)
      throw new Error(`The stored file ${key} is damaged: it has ${size - HEADER_BYTES} of ${bytes} bytes.`)
    const content = handle.createReadStream({ start: HEADER_BYTES })
    return { stream: Readable.toWeb(content) as ReadableStream<Uint8Array>, bytes, contentType }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function toHeader(header: Header): Uint8Array {
  const text = JSON.stringify(header)
  return Buffer.from(`${text.padEnd(HEADER_BYTES - 1)}\n`)
}

function fromHeader(buffer: Buffer, key: string): Header {
  const text = buffer.toString('utf8').trimEnd()
  if (!text.startsWith('{"bytes":')) throw new Error(`The stored file ${key} is damaged: it has no header.`)
  return JSON.parse(text) as Header
}

/** Creates the folders one by one and never follows a link. */
async function makeFolders(root: string, segments: readonly string[]): Promise<void> {
  let folder = root
  for (const segment of segments) {
    const parent = folder
    folder = join(parent, segment)
    const status = await undefinedIfAbsent(lstat(folder))
    if (status && !status.isDirectory()) throw new Error(`${folder} is not a folder.`)
    if (status) continue
    await mkdir(folder, { mode: 0o700, recursive: true })
    await syncFolder(parent)
  }
}

/** Skips links and files of others. */
async function* listFiles(root: string, below: string): AsyncGenerator<ListedObject> {
  for await (const entry of await opendir(join(root, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory() && path !== TEMPORARY) yield* listFiles(root, path)
    if (!entry.isFile() || !entry.name.endsWith(FILE_MARK)) continue
    const status = await undefinedIfAbsent(lstat(join(root, path)))
    if (status) yield { key: path.slice(0, -FILE_MARK.length), storedAt: status.mtime }
  }
}

/** Whether the folder exists. Throws when its path contains a link. */
async function existsWithoutLinks(folder: string): Promise<boolean> {
  const real = await undefinedIfAbsent(realpath(folder))
  if (real === undefined) return false
  if (real !== folder) throw new Error(`${folder} is a link out of the storage folder.`)
  return true
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function undefinedIfAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}
