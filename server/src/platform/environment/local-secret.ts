// Outside production secrets are generated once and stored in the data folder, so that sessions survive a restart.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret of this data folder, in base64url. Processes that start at the same time use the same one. */
export function readOrCreateSecret(dataDir: string, name = 'secret', bytes = 48): string {
  const path = join(dataDir, name)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(bytes).toString('base64url'), { mode: 0o600 })
  try {
    // A hard link is atomic and never replaces an existing file.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}
