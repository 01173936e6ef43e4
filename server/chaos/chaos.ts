// `npm run chaos`: customers top up and spend while replicas of the service, and then the database under them, are
// killed with -9 at random moments. Afterwards nothing that was told may be lost, doubled or left open.
//   --service n    kills of a replica, default 100
//   --database n   kills of PostgreSQL, default 20
//   --seed n       the same moments again
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DisciplinedClock } from '../src/kernel/clock.ts'
import { type Embedded, startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { openDb } from '../src/platform/db/pool.ts'
import { seeded } from '../test/seeded.ts'
import { live, signIn, type Told } from './customers.ts'
import { startReplicas } from './replicas.ts'
import { overdueHolds } from './sql.ts'
import { breaches } from './verdict.ts'

const CUSTOMERS = 12
const SWEPT_WITHIN_MS = 90_000
/** The embedded server is not brought back more often than this in a row; then it is started anew. */
const DEATHS_IN_A_ROW = 4

const { values: options } = parseArgs({
  options: {
    service: { type: 'string', default: '100' },
    database: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const random = seeded(Number(options.seed))
const say = (line: string) => process.stderr.write(`${line}\n`)
say(`seed ${options.seed}`)

const dir = mkdtempSync(join(tmpdir(), 'cowrie-chaos-'))
let database: Embedded = await startEmbedded({ dir: join(dir, 'postgres'), log: () => undefined })
await migrate(database.url)
const url = database.url
const told: Told = { credits: new Map(), debits: new Map(), retries: 0 }
const replicas = await startReplicas(variables(), 2)
let isOver = false
try {
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, i) => signIn(replicas, told, `customer${i}@example.com`)),
  )
  const lives = Promise.all(customers.map((customer) => live(replicas, told, customer, () => isOver)))
  const load = lives.catch((error: unknown) => {
    isOver = true
    throw error
  })
  await Promise.race([load, killAll()])
  isOver = true
  await load
  process.exitCode = (await judge()) ? 0 : 1
} catch (error) {
  say(`The run failed: ${error instanceof Error ? error.stack : error}`)
  process.exitCode = 1
} finally {
  isOver = true
  await replicas.close()
  await database.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function killAll(): Promise<void> {
  for (let kill = 1; kill <= Number(options.service) && !isOver; kill++) {
    await pause(50 + random() * 600)
    await replicas.killOne(random)
    if (kill % 10 === 0)
      say(`${kill} replicas killed, ${told.credits.size} credits and ${told.debits.size} debits told`)
  }
  for (let kill = 1; kill <= Number(options.database) && !isOver; kill++) {
    await pause(300 + random() * 1_500)
    const { pid } = database
    process.kill(pid, 'SIGKILL')
    if (kill % DEATHS_IN_A_ROW === 0) {
      await database.stop()
      database = await startEmbedded({ dir: join(dir, 'postgres'), log: () => undefined })
    } else await until(30_000, async () => database.pid !== pid)
    if (kill % 5 === 0)
      say(`${kill} databases killed, ${told.credits.size} credits and ${told.debits.size} debits told`)
  }
}

async function judge(): Promise<boolean> {
  const clock = new DisciplinedClock()
  const owner = openDb(url, { clock, max: 2 })
  try {
    // The sweepers of the replicas end what was lost; they have until here.
    await pause(6_000)
    const judged = clock.now()
    await until(SWEPT_WITHIN_MS, async () => (await overdueHolds(owner.direct, judged)) === 0)
    const found = await breaches(owner.direct, told, judged)
    say(`${told.credits.size} credits and ${told.debits.size} debits were told, with ${told.retries} retries`)
    for (const breach of found.slice(0, 50)) say(`BREACH: ${breach}`)
    say(found.length === 0 ? 'Nothing was lost, doubled or left open.' : `${found.length} breaches`)
    return found.length === 0
  } finally {
    await owner.close()
  }
}

function variables(): Record<string, string> {
  return {
    SERVICE_ENV: 'test',
    SERVICE_DEV_AUTH: 'on',
    PORT: '0',
    DATABASE_URL: url,
    SERVICE_DATA_DIR: join(dir, 'data'),
    SERVICE_SECRET: 'a secret that only this run knows, long enough',
    SERVICE_IDEMPOTENCY_STALE_MINUTES: '1',
    SERVICE_RATE_LIMIT_AUTH: '1000000/60',
    SERVICE_RATE_LIMIT_MONEY: '1000000/60',
    SERVICE_RATE_LIMIT_WEBHOOK: '1000000/60',
    SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
  }
}

function pause(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function until(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > end) return
    await pause(100)
  }
}
