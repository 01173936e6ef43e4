// Starts Redis for the rate limits of the cluster, if it is installed. Nothing is stored on disk.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { withTimeout } from '../src/platform/db/embedded/timeouts.ts'

const START_MS = 15_000
const ATTEMPTS_MAX = 3

export type Redis = { readonly url: string; close(): Promise<void> }

/** Null if `redis-server` is not installed. */
export async function startRedis(): Promise<Redis | null> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return null
  for (let attempt = 1; ; attempt++) {
    const redis = await startAt(await freePort())
    if (redis) return redis
    // Another process may have taken the port meanwhile.
    if (attempt === ATTEMPTS_MAX) throw new Error('redis-server did not start')
  }
}

async function startAt(port: number): Promise<Redis | null> {
  const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no' }
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  const exited = once(child, 'exit').then(() => false)
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve(true)
    })
  })
  if (!(await withTimeout(START_MS, Promise.race([ready, exited])))) {
    child.kill('SIGKILL')
    return null
  }
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async close() {
      child.kill()
      await exited
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
