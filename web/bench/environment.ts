// The service in production mode on a new database, and a browser.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStale } from '../../scripts/build.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const STARTS_WITHIN_MS = 60_000

export const STAFF = 'root@cowrie.example'

export type BenchEnvironment = { origin: string; close(): Promise<void> }

/** Development sign-in is on, and one user is staff. */
export async function openEnvironment(variables: Record<string, string> = {}): Promise<BenchEnvironment> {
  buildStale()
  const data = mkdtempSync(join(tmpdir(), 'cowrie-screens-'))
  const port = randomInt(20_000, 32_000)
  const origin = `http://localhost:${port}`
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'server/src/main.ts')],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PORT: String(port),
        SERVICE_BASE_URL: origin,
        SERVICE_DATA_DIR: data,
        SERVICE_DEV_AUTH: 'on',
        SERVICE_ROOT_ADMIN_EMAIL: STAFF,
        SERVICE_LOG_LEVEL: 'error',
        ...variables,
      },
    },
  )
  await isReady(origin, child)
  return {
    origin,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function isReady(origin: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the service did not start')
}
