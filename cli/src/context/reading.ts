// The text of a file that may be sent. What is opened is looked at again: a path can lead elsewhere by the time it is read.
import { open, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Why, whyNot } from './sendable.ts'

/** No character takes more than four bytes. */
const BYTES_PER_CHARACTER_MAX = 4

/** The text as it is, with its mark and line breaks: edits are compared with it. Or why there is none. */
export async function readText(
  root: string,
  path: string,
  charactersMax: number,
): Promise<{ readonly content: string } | Why> {
  const full = join(root, path)
  try {
    // No link on the way leaves the root, nor does the file itself.
    const [realRoot, real] = [await realpath(root), await realpath(full)]
    if (!real.startsWith(`${realRoot}${sep}`)) return 'link'
    // By another name it is still what it is.
    const why = whyNot(relative(realRoot, real).split(sep).join('/'))
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

function textOf(bytes: Uint8Array, charactersMax: number): { content: string } | Why {
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (content.includes('\0')) return 'binary'
    return content.length > charactersMax ? 'large' : { content }
  } catch {
    return 'binary'
  }
}
