// The Node.js versions on this machine that the packages support.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const OLDEST = 20
const ANSWER_MS = 60_000
const run = promisify(execFile)

/** Paths of the binaries, oldest version first. */
export async function supportedNodes(): Promise<string[]> {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter(existsSync)
  const paths = new Set(await Promise.all([process.execPath, ...found].map((path) => realpath(path))))
  const versions = await Promise.all(
    [...paths].map(async (path) => {
      const { stdout } = await run(path, ['-p', 'process.versions.node'], { timeout: ANSWER_MS })
      return { path, version: Number.parseFloat(stdout) }
    }),
  )
  return versions
    .filter(({ version }) => version >= OLDEST)
    .sort((a, b) => a.version - b.version)
    .map(({ path }) => path)
}
