// Start time: from spawning the process to the first 200 of /health.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildService, SERVICE_FLAGS, SERVICE_VARIABLES } from '../../scripts/build.mjs'
import { DisciplinedClock } from '../src/kernel/clock.ts'
import { withDatabase } from '../src/platform/db/connection-url.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import type { BenchEnvironment } from './environment.ts'
import { median } from './http/rounds.ts'
import { inheritedEnvironment } from './processes.ts'

/** Milliseconds, the median of several starts. */
export type Start = { name: string; ms: number; bareMs: number; timesBare: number }

type Kind = { name: string; command: string; args: string[]; variables: Record<string, string> }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS_MAX = 60_000
const STOP_MS_MAX = 20_000
const POLL_MS = 3
const NODE = ['--disable-warning=ExperimentalWarning']

/** Measures all kinds of start alternately. The first round creates database clusters, caches and builds; it does not count. */
export async function measureStarts(environment: BenchEnvironment, quick: boolean): Promise<Start[]> {
  const plainUrl = await makePlainDatabase(environment)
  const ours = quick ? kinds(environment, plainUrl).slice(0, 2) : kinds(environment, plainUrl)
  const rounds: { bareMs: number; oursMs: number[] }[] = []
  for (let round = 0; round <= (quick ? 1 : 5); round++) {
    const bareMs = await startOnce(bare(environment))
    const oursMs: number[] = []
    for (const kind of ours) oursMs.push(await startOnce(kind))
    if (round > 0) rounds.push({ bareMs, oursMs })
  }
  return ours.map(({ name }, i) => {
    const times = rounds.map(({ bareMs, oursMs }) => ({ bareMs, ms: oursMs[i] ?? Number.NaN }))
    return {
      name,
      ms: median(times.map(({ ms }) => ms)),
      bareMs: median(times.map(({ bareMs }) => bareMs)),
      timesBare: median(times.map(({ ms, bareMs }) => ms / bareMs)),
    }
  })
}

const bare = (environment: BenchEnvironment): Kind => ({
  name: 'bare',
  command: process.execPath,
  args: [...NODE, join(ROOT, 'server/bench/http/bare-process.ts')],
  variables: { ...environment.variables, NODE_COMPILE_CACHE: join(environment.dir, 'compiled') },
})

/** Creates a database whose owner is not a superuser, as production requires. Returns its URL. */
async function makePlainDatabase({ variables }: BenchEnvironment): Promise<string> {
  const url = variables.DATABASE_URL ?? ''
  const owner = openDb(url, { clock: new DisciplinedClock(), max: 1 })
  try {
    await owner.direct.rows`create role bench_plain login createrole`
    await owner.direct.rows`grant cowrie_app to bench_plain with admin option`
    await owner.direct.rows`create database bench_plain owner bench_plain`
  } finally {
    await owner.close()
  }
  return withDatabase(url, 'bench_plain').replace(/^(\w+:\/\/)[^@]*@/, '$1bench_plain@')
}

function kinds({ dir, variables }: BenchEnvironment, plainUrl: string): Kind[] {
  const main = [...SERVICE_FLAGS, buildService()]
  const compiled = { NODE_COMPILE_CACHE: join(dir, 'compiled') }
  const embedded = { SERVICE_DATA_DIR: join(dir, 'started') }
  const npm = process.env.npm_execpath
  return [
    {
      name: 'production, database running',
      command: process.execPath,
      args: main,
      variables: { ...SERVICE_VARIABLES, ...variables, ...compiled, DATABASE_URL: plainUrl },
    },
    {
      name: 'embedded database, existing cluster',
      command: process.execPath,
      args: main,
      variables: { ...SERVICE_VARIABLES, ...embedded, ...compiled },
    },
    {
      name: '… without compile cache',
      command: process.execPath,
      args: main,
      variables: { ...SERVICE_VARIABLES, ...embedded, NODE_DISABLE_COMPILE_CACHE: '1' },
    },
    {
      name: 'npm start, second time',
      command: npm ? process.execPath : 'npm',
      args: [...(npm ? [npm] : []), 'start', '--silent'],
      variables: embedded,
    },
  ]
}

async function startOnce({ name, command, args, variables }: Kind): Promise<number> {
  const port = await freePort()
  const startMs = performance.now()
  const child = spawn(command, args, {
    cwd: ROOT,
    // A new process group, so that child processes of the command are stopped with it.
    detached: true,
    env: { ...inheritedEnvironment(), ...variables, PORT: String(port) },
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

/** Stops the whole process group. npm exits before its child, which still stops a database. */
async function end({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  const deadlineMs = performance.now() + STOP_MS_MAX
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; sendSignal(-pid, signal); signal = 0) {
    if (performance.now() > deadlineMs) throw new Error(`process group ${pid} did not end`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** False if the process group no longer exists. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
