// Atomic file writes: a reader or a crash sees the old content or the new content.
import { randomBytes } from 'node:crypto'
import { open, rename, unlink } from 'node:fs/promises'

/** Default mode: readable by the owner only. */
export async function writeAtomically(path: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
}
