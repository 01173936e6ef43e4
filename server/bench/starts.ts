// How long a start takes: from the spawn of the process to the first 200 of /health.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place } from './place.ts'
import { inherited } from './processes.ts'
import { median } from './rounds.ts'

/** Milliseconds, the median of several starts. */
export type Start = { name: string; ms: number; bareMs: number }

type Kind = { name: string; command: string; args: string[]; variables: Record<string, string> }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS_MAX = 60_000
const POLL_MS = 3
const NODE = ['--disable-warning=ExperimentalWarning']

export async function measureStarts(place: Place, times: number): Promise<Start[]> {
  const bareMs = await typicalStart(bare(place), times)
  const results: Start[] = []
  for (const kind of kinds(place)) {
    const ms = await typicalStart(kind, times)
    results.push({ name: kind.name, ms, bareMs })
  }
  return results
}

const bare = (place: Place): Kind => ({
  name: 'bare',
  command: process.execPath,
  args: [...NODE, join(ROOT, 'server/bench/bare-process.ts')],
  variables: { ...place.variables, NODE_COMPILE_CACHE: join(place.dir, 'compiled') },
})

function kinds({ dir, variables }: Place): Kind[] {
  const main = [...NODE, join(ROOT, 'server/src/main.ts')]
  const compiled = { NODE_COMPILE_CACHE: join(dir, 'compiled') }
  const embedded = { SERVICE_DATA_DIR: join(dir, 'started') }
  const npm = process.env.npm_execpath
  return [
    {
      name: 'production, database running',
      command: process.execPath,
      args: main,
      variables: { ...variables, ...compiled },
    },
    {
      name: 'embedded database, existing cluster',
      command: process.execPath,
      args: main,
      variables: { ...embedded, ...compiled },
    },
    {
      name: '… without compile cache',
      command: process.execPath,
      args: main,
      variables: { ...embedded, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
    {
      name: 'npm start, not for the first time',
      command: npm ? process.execPath : 'npm',
      args: [...(npm ? [npm] : []), 'start', '--silent'],
      variables: embedded,
    },
  ]
}

/** The first start makes clusters, caches and builds; it is not counted. */
async function typicalStart(kind: Kind, times: number): Promise<number> {
  const tookMs: number[] = []
  for (let i = 0; i <= times; i++) tookMs.push(await startOnce(kind))
  return median(tookMs.slice(1))
}

async function startOnce({ name, command, args, variables }: Kind): Promise<number> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(command, args, {
    cwd: ROOT,
    // A group of its own, so that what the command starts ends with it.
    detached: true,
    env: { ...inherited(), ...variables, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors = (errors + data).slice(-2_000)
  })
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null || performance.now() - startMs > START_MS_MAX)
        throw new Error(`"${name}" did not start: ${errors}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    return performance.now() - startMs
  } finally {
    await end(child)
  }
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/health', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(20_000) })
  process.kill(-child.pid, 'SIGTERM')
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
