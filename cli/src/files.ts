// Files are written all or nothing: a reader sees the old one or the new one, and a crash leaves one of them.
import { randomBytes } from 'node:crypto'
import { open, rename, unlink } from 'node:fs/promises'

/** For nobody else to read, unless another mode is named. */
export async function writeWhole(path: string, text: string, mode = 0o600): Promise<void> {
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
