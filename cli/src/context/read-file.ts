// Reads a file to send. The open file is checked again: the path may point elsewhere by now.
import { open, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type SkipReason, whySkipped } from './sendable.ts'

/** A character takes at most four bytes. */
const BYTES_PER_CHARACTER_MAX = 4

/** The text with its byte order mark and line endings, since edits are compared with it; or why it cannot be read. */
export async function readText(
  root: string,
  path: string,
  charactersMax: number,
): Promise<{ readonly content: string } | SkipReason> {
  const full = join(root, path)
  try {
    // Neither the path nor the file may leave the root through a link.
    const [realRoot, real] = [await realpath(root), await realpath(full)]
    if (!real.startsWith(`${realRoot}${sep}`)) return 'link'
    // A link must not bypass the rules for the target's name.
    const why = whySkipped(relative(realRoot, real).split(sep).join('/'))
    if (why) return why
    const file = await open(real, 'r')
    try {
      const found = await file.stat()
      if (!found.isFile()) return 'unreadable'
      if (found.size > charactersMax * BYTES_PER_CHARACTER_MAX) return 'large'
      return textOf(await file.readFile(), charactersMax)
    } finally {
      await file.close()
    }
  } catch {
    return 'unreadable'
  }
}

function textOf(bytes: Uint8Array, charactersMax: number): { content: string } | SkipReason {
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (content.includes('\0')) return 'binary'
    return content.length > charactersMax ? 'large' : { content }
  } catch {
    return 'binary'
  }
}
