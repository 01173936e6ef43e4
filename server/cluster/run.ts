// `npm run cluster`: starts several replicas of the service with their database and Redis behind one proxy.
//   --replicas n   default 3
//   --port n       port of the proxy, default 8080
//   --citus n      the database is Citus with n workers, which must be installed; default 0: the embedded database
// `restart` on stdin, or SIGUSR2, runs a rolling restart. Ctrl-C stops everything in order.
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { startCitus } from './citus/nodes.ts'
import { startCluster } from './cluster.ts'
import { startRedis } from './redis.ts'

const REPLICAS_MAX = 6
const WORKERS_MAX = 8
/** Connections of the embedded database, minus those of its owner and the LISTEN connections. */
const CONNECTIONS = 90

const say = (line: string): void => void process.stdout.write(`  ${line}\n`)
const ends: (() => unknown)[] = []
let isEnding = false

const { values } = parseArgs({
  options: {
    replicas: { type: 'string', default: '3' },
    port: { type: 'string', default: '8080' },
    citus: { type: 'string', default: '0' },
  },
})
const replicas = wholeNumber('--replicas', values.replicas, 1, REPLICAS_MAX)
const port = wholeNumber('--port', values.port, 0, 65_535)
const workers = wholeNumber('--citus', values.citus, 0, WORKERS_MAX)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
try {
  await start()
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  await end(1)
}

async function start(): Promise<void> {
  const dataDir = resolve(process.env.SERVICE_DATA_DIR ?? './.data')
  const database = await findDatabase(dataDir)
  const redis = await findRedis()
  const cluster = await startCluster({
    replicas,
    port,
    say,
    // Show only log lines (JSON), not the start banner of each replica.
    onOutput: (replica, line) => line.startsWith('{') && process.stderr.write(`${replica}: ${line}\n`),
    variables: (address) => ({
      SERVICE_LOG_LEVEL: 'warn',
      SERVICE_BASE_URL: address,
      ...environment(),
      ...database,
      ...redis,
      SERVICE_DATA_DIR: dataDir,
    }),
  })
  ends.push(() => cluster.close())
  if (isEnding) return
  say(`the cluster is at ${cluster.address}`)
  say('type "restart" for a rolling restart; Ctrl-C stops the cluster')
  const restart = async () => {
    const began = performance.now()
    await cluster.restart()
    say(`all replicas were replaced in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }
  const command = (line: string) => {
    if (line.trim() === 'restart') restart().catch((error: unknown) => say(String(error)))
    else if (line.trim()) say('unknown command; the only command is: restart')
  }
  process.on('SIGUSR2', () => command('restart'))
  createInterface({ input: process.stdin }).on('line', command)
}

async function findDatabase(dataDir: string): Promise<Record<string, string>> {
  if (process.env.DATABASE_URL) {
    say('database: from DATABASE_URL')
    return { DATABASE_URL: process.env.DATABASE_URL }
  }
  if (workers > 0) {
    const citus = await startCitus({ dir: join(dataDir, 'citus'), workers, say })
    ends.push(() => citus.close())
    return { DATABASE_URL: citus.coordinator.url }
  }
  const server = await startEmbedded({
    dir: join(dataDir, 'postgres'),
    log: say,
    onDown: say,
  })
  ends.push(() => server.stop())
  say(`database: embedded, in ${join(dataDir, 'postgres')}`)
  // One extra: during a restart, the new replica runs before the old one stops.
  const pool = String(Math.min(16, Math.floor(CONNECTIONS / (replicas + 1))))
  return { DATABASE_URL: server.url, SERVICE_DATABASE_POOL: process.env.SERVICE_DATABASE_POOL ?? pool }
}

async function findRedis(): Promise<Record<string, string>> {
  if (process.env.REDIS_URL) {
    say('rate limits: counted in Redis, from REDIS_URL')
    return { REDIS_URL: process.env.REDIS_URL }
  }
  const redis = await startRedis()
  if (!redis) {
    say('rate limits: counted in the database, because redis-server is not installed')
    return {}
  }
  ends.push(() => redis.close())
  say(`rate limits: counted in Redis at ${redis.url}`)
  return { REDIS_URL: redis.url }
}

/** Stops in reverse order: proxy, replicas, then Redis and the database. */
async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  say('stopping')
  for (const stop of ends.splice(0).reverse()) await stop()
  process.exit(code)
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  process.stderr.write(`${name} must be a whole number from ${least} to ${most}.\n`)
  process.exit(2)
}
