// `npm run chaos`: kills replicas and then the database with SIGKILL at random moments while customers top up and spend through
// the proxy. Then it kills replicas while customers use models. Afterwards no confirmed credit or charge may be lost or doubled,
// and no hold may be left open.
//   --service n    kills of a replica, default 100
//   --database n   kills of PostgreSQL, default 20
//   --replicas n   replicas in the cluster, default 2
//   --models n     kills of a replica during chats, runs and loops, default 20
//   --citus n      on Citus with n workers: random nodes are killed, and shards move all the time
//   --seed n       repeats the kill times of an earlier run
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { startCampaignDatabase } from '../cluster/citus/database.ts'
import { moveShards } from '../cluster/citus/moves.ts'
import { DisciplinedClock } from '../src/kernel/clock.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import type { Sql } from '../src/platform/db/tx.ts'
import { type Confirmations, signIn, topUpAndSpend } from './customers.ts'
import { loadModels } from './models/load.ts'
import { createObservedCharges, summaryOf } from './models/observed-charges.ts'
import { countUnfinished, unfinishedByKind } from './models/sql.ts'
import { findModelViolations } from './models/violations.ts'
import { startReplicas, startUpstreamProcess } from './replicas.ts'
import { overdueHolds } from './sql.ts'
import { findViolations } from './violations.ts'

const CUSTOMERS = 12
const SWEPT_WITHIN_MS = 90_000
/** Holds expire 90 s after their process dies and rows after two minutes, each at the next sweep. */
const MODELS_SWEPT_WITHIN_MS = 240_000

const { values: options } = parseArgs({
  options: {
    service: { type: 'string', default: '100' },
    database: { type: 'string', default: '20' },
    models: { type: 'string', default: '20' },
    replicas: { type: 'string', default: '2' },
    citus: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const random = seeded(Number(options.seed))
const say = (line: string) => process.stderr.write(`${line}\n`)
say(`seed ${options.seed}`)

const dir = mkdtempSync(join(tmpdir(), 'cowrie-chaos-'))
const workers = Number(options.citus)
const database = await startCampaignDatabase({ dir: join(dir, 'database'), workers })
await migrate(database.url)
const { url, adminUrl } = database
const confirmed: Confirmations = { credits: new Map(), debits: new Map(), retries: 0 }
const models = createObservedCharges()
const upstream = await startUpstreamProcess(Number(options.seed))
const replicas = await startReplicas(variables(), Number(options.replicas))
let isOver = false
try {
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, i) => signIn(replicas, confirmed, `customer${i}@example.com`)),
  )
  const lives = Promise.all(
    customers.map((customer) => topUpAndSpend(replicas, confirmed, customer, () => isOver)),
  )
  const load = lives.catch((error: unknown) => {
    isOver = true
    throw error
  })
  const moving = workers > 0 ? moveShards(adminUrl, random, () => isOver) : undefined
  await Promise.race([load, killAll()])
  isOver = true
  await load
  if (moving) say(`${await moving} shards were moved`)
  const { seed } = options
  if (Number(options.models) > 0)
    await loadModels({ replicas, confirmed, models, seed: Number(seed), kills: Number(options.models), say })
  process.exitCode = (await judge()) ? 0 : 1
} catch (error) {
  say(`The run failed: ${error instanceof Error ? error.stack : error}`)
  process.exitCode = 1
} finally {
  isOver = true
  await replicas.close()
  await upstream.close()
  await database.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function killAll(): Promise<void> {
  for (let kill = 1; kill <= Number(options.service) && !isOver; kill++) {
    await pause(50 + random() * 600)
    await replicas.killOne(random)
    if (kill % 10 === 0)
      say(
        `${kill} replicas killed, ${confirmed.credits.size} credits and ${confirmed.debits.size} debits confirmed`,
      )
  }
  for (let killed = 1; killed <= Number(options.database) && !isOver; killed++) {
    await pause(300 + random() * 1_500)
    const pids = database.pids()
    const pid = pids[Math.floor(random() * pids.length)] as number
    kill(pid)
    await until(30_000, async () => !database.pids().includes(pid))
    if (killed % 5 === 0)
      say(
        `${killed} databases killed, ${confirmed.credits.size} credits and ${confirmed.debits.size} debits confirmed`,
      )
  }
}

/** A server that is starting again may have ended by itself. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function judge(): Promise<boolean> {
  const clock = new DisciplinedClock()
  const owner = openDb(adminUrl, { clock, max: 2 })
  try {
    // The sweepers of the replicas release lost holds within this time.
    await pause(6_000)
    const judged = clock.now()
    await until(SWEPT_WITHIN_MS, async () => (await overdueHolds(owner.direct, judged)) === 0)
    if (Number(options.models) > 0) await waitForModels(owner.direct)
    const found = [
      ...(await findViolations(owner.direct, confirmed, judged)),
      ...(await findModelViolations(owner.direct, models)),
    ]
    say(
      `${confirmed.credits.size} credits and ${confirmed.debits.size} debits were confirmed, with ${confirmed.retries} retries`,
    )
    for (const violation of found.slice(0, 50)) say(`VIOLATION: ${violation}`)
    say(found.length === 0 ? 'Nothing was lost, doubled or left open.' : `${found.length} violations`)
    return found.length === 0
  } finally {
    await owner.close()
  }
}

async function waitForModels(owner: Sql): Promise<void> {
  await until(MODELS_SWEPT_WITHIN_MS, async () => (await countUnfinished(owner)) === 0)
  const { holds, runs, messages, expired, interrupted } = await unfinishedByKind(owner)
  say(`on models: ${summaryOf(models)}`)
  say(`left open: ${holds} holds, ${runs} runs, ${messages} messages`)
  say(`ended by the sweepers: ${expired} holds; interrupted runs and loops: ${interrupted}`)
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
    SERVICE_UPSTREAM_BASE_URL: upstream.address,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
    SERVICE_UPSTREAM_FIRST_BYTE_MS: '10000',
    SERVICE_UPSTREAM_IDLE_MS: '5000',
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
