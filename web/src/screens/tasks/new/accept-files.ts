// Chooses the files of a workspace from a folder of any size, and names what is left out. Pure, except for reading files.
import type { AcceptedFiles, LeftOutFile, SecretFile, WorkspaceFile } from '../../../data/task-files.ts'
import { msg } from '../../../i18n/t.ts'
import { cleanPath, type PickedFile } from '../../../ui/files/picked-files.ts'
import { ignoreMatcher, isIgnoreFile, isNeverSent, parentOf } from './ignore-rules.ts'

export const FILES_MAX = 5_000
export const BYTES_MAX = 24 * 1024 * 1024
const FILE_BYTES_MAX = 8 * 1024 * 1024
/** Gives the page time to draw. */
const PAUSE_EVERY = 50

const NOT_TEXT = msg('not text')
const TOO_LARGE = msg('larger than 8 MiB')
const NO_ROOM = msg('beyond the limit of 24 MiB')
const TOO_MANY = msg('beyond the limit of 5,000 files')
const BAD_NAME = msg('a name that cannot be sent')
const UNREADABLE = msg('cannot be read')

/** Adds the offered files to the earlier ones; a file of the same path replaces the earlier one. */
export async function acceptFiles(
  before: AcceptedFiles,
  offered: readonly PickedFile[],
): Promise<AcceptedFiles> {
  // The patterns are large, and needed only once there are files.
  const { isSecretFile, secretLines } = await import('@cowrie/sdk/secrets')
  const named = offered.map((file) => ({ file, path: cleanPath(file.path) }))
  const isIgnored = ignoreMatcher(await readIgnoreFiles(named))
  const files = new Map(before.files.map((file) => [file.path, file]))
  const withheld = new Map(before.withheld.map((file) => [file.path, file]))
  const leftOut: LeftOutFile[] = []
  let ignored = 0
  let bytes = sizeOf(before.files)
  let read = 0
  for (const { file, path } of named) {
    if (path !== null && (isIgnored(path) || isNeverSent(path))) {
      ignored++
      continue
    }
    const room = {
      files: files.size - (files.has(path ?? '') ? 1 : 0),
      bytes: bytes - (files.get(path ?? '')?.bytes ?? 0),
    }
    const reason = path === null ? BAD_NAME : reasonBefore(file, room)
    const text = reason === null ? await readText(file) : { reason }
    if (++read % PAUSE_EVERY === 0) await new Promise((resolve) => setTimeout(resolve))
    if (path === null || 'reason' in text) {
      leftOut.push({ path: file.path, reason: 'reason' in text ? text.reason : BAD_NAME })
      continue
    }
    const accepted = { path, content: text.content, bytes: file.size }
    if (isSecretFile(path)) withheld.set(path, accepted)
    else {
      files.set(path, accepted)
      bytes = room.bytes + file.size
    }
  }
  const secrets: SecretFile[] = []
  for (const [at, { path, content }] of [...files.values()].entries()) {
    if (at % PAUSE_EVERY === PAUSE_EVERY - 1) await new Promise((resolve) => setTimeout(resolve))
    const [first] = isSecretFile(path) ? [] : secretLines(content)
    if (first) secrets.push({ path, line: first.line })
  }
  return { files: [...files.values()], leftOut, ignored, withheld: [...withheld.values()], secrets }
}

/** Sends a withheld file too. The model does not see its values. */
export const includeFile = (all: AcceptedFiles, path: string): AcceptedFiles => ({
  ...all,
  files: [...all.files, ...all.withheld.filter((file) => file.path === path)],
  withheld: all.withheld.filter((file) => file.path !== path),
})

export const removeFile = (all: AcceptedFiles, path: string): AcceptedFiles => ({
  ...all,
  files: all.files.filter((file) => file.path !== path),
  secrets: all.secrets.filter((file) => file.path !== path),
})

export const sizeOf = (files: readonly WorkspaceFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

async function readIgnoreFiles(named: readonly { file: PickedFile; path: string | null }[]) {
  const texts = new Map<string, string>()
  for (const { file, path } of named) {
    if (path === null || !isIgnoreFile(path) || isNeverSent(path)) continue
    const text = await readText(file)
    if ('reason' in text) continue
    const folder = parentOf(path)
    texts.set(folder, `${texts.get(folder) ?? ''}\n${text.content}`)
  }
  return texts
}

function reasonBefore({ size }: PickedFile, room: { files: number; bytes: number }): string | null {
  if (size > FILE_BYTES_MAX) return TOO_LARGE
  if (room.files >= FILES_MAX) return TOO_MANY
  return room.bytes + size > BYTES_MAX ? NO_ROOM : null
}

/** Byte order marks and line breaks stay as they are: patches need them. */
async function readText({ bytes }: PickedFile): Promise<{ content: string } | { reason: string }> {
  const buffer = await bytes().catch(() => null)
  if (buffer === null) return { reason: UNREADABLE }
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer)
    return content.includes('\0') ? { reason: NOT_TEXT } : { content }
  } catch (error) {
    if (error instanceof TypeError) return { reason: NOT_TEXT }
    throw error
  }
}
