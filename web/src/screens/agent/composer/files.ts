// Which files the agent accepts, and the reasons for rejected ones. Pure, except for reading a file.
import { isSecretFile } from '@cowrie/sdk/secrets'
import { msg } from '../../../i18n/t.ts'
import { cleanPath, type PickedFile } from '../../../ui/files/picked-files.ts'
import type { TaskFile } from './file-secrets.ts'

export const FILES_MAX = 200
export const CHARACTERS_MAX = 1_500_000

export type RejectedFile = { path: string; reason: string }
/** `withheld`: files that only hold secrets. They are sent only when the user allows it. */
export type AcceptedFiles = { files: TaskFile[]; rejected: RejectedFile[]; withheld: TaskFile[] }

const NOT_TEXT = msg('is not text')
const TOO_LARGE = msg('exceeds the total limit of 1,500,000 characters')
const TOO_MANY = msg('exceeds the limit of 200 files')
const BAD_NAME = msg('has a name that cannot be sent')
const UNREADABLE = msg('could not be read')

/** Folders created by tools, or secret. They are skipped when a folder is chosen. */
const SKIPPED = /(^|\/)(\.git|node_modules|\.venv|__pycache__|\.next|\.cache)\//

/** Adds the accepted files and replaces files of the same path. Files skipped with a folder are not reported. */
export async function acceptFiles(
  into: readonly TaskFile[],
  offered: readonly PickedFile[],
): Promise<AcceptedFiles> {
  const files = new Map(into.map((file) => [file.path, file]))
  const rejected: RejectedFile[] = []
  const withheld: TaskFile[] = []
  for (const each of offered) {
    const path = cleanPath(each.path)
    if (path !== null && SKIPPED.test(path)) continue
    const text = path === null ? BAD_NAME : await readText(each)
    const file = typeof text === 'string' ? null : { path: path ?? '', content: text.content }
    const reason = file ? rejectionReason(file, files) : (text as string)
    if (file && reason === null && isSecretFile(file.path)) withheld.push(file)
    else if (file && reason === null) files.set(file.path, file)
    else rejected.push({ path: each.path, reason: reason ?? UNREADABLE })
  }
  return { files: [...files.values()], rejected, withheld }
}

export const charactersOf = (files: Iterable<TaskFile>): number => {
  let sum = 0
  for (const { content } of files) sum += content.length
  return sum
}

function rejectionReason(file: TaskFile, files: ReadonlyMap<string, TaskFile>): string | null {
  const others = [...files.values()].filter(({ path }) => path !== file.path)
  if (others.length >= FILES_MAX) return TOO_MANY
  if (charactersOf(others) + file.content.length > CHARACTERS_MAX) return TOO_LARGE
  const isBelow = (path: string, other: string) => path.startsWith(`${other}/`)
  // A path cannot be a file and a folder at once.
  if (others.some(({ path }) => isBelow(path, file.path) || isBelow(file.path, path))) return BAD_NAME
  return null
}

/** The text, or the reason for rejecting it. Byte order marks and line breaks stay as they are: patches need them. */
async function readText({ size, bytes }: PickedFile): Promise<{ content: string } | string> {
  // A character has at most four bytes.
  if (size > 4 * CHARACTERS_MAX) return TOO_LARGE
  const buffer = await bytes().catch(() => null)
  if (buffer === null) return UNREADABLE
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer)
    return content.includes('\0') ? NOT_TEXT : { content }
  } catch (error) {
    if (error instanceof TypeError) return NOT_TEXT
    throw error
  }
}
