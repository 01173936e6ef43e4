// The previous release beside this one: each serves on the schema of this one, and replicas are upgraded and rolled back under load.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { bundled } from '@cowrie/testkit/harness/bundle.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout, withGenerousTimeouts } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { replyTo } from '../dev/model/reply.ts'
import type { Confirmations } from '../server/chaos/customers.ts'
import { loadModels } from '../server/chaos/models/load.ts'
import { createObservedCharges, summaryOf } from '../server/chaos/models/observed-charges.ts'
import { countUnfinished } from '../server/chaos/models/sql.ts'
import { findModelViolations } from '../server/chaos/models/violations.ts'
import { startUpstreamProcess, type UpstreamProcess } from '../server/chaos/replicas.ts'
import { findViolations } from '../server/chaos/violations.ts'
import { type Cluster, startCluster } from '../server/cluster/cluster.ts'
import { type ReplicaProcess, startReplicaProcess } from '../server/cluster/replica-process.ts'
import { MIGRATION_LOCK } from '../server/src/platform/db/migrations/migrate.ts'
import { readMigrations } from '../server/src/platform/db/migrations/sql-files.ts'
import { openPool, type Pool } from '../server/src/platform/db/pool.ts'
import type { Message } from '../server/src/platform/inference/inference.ts'
import { createSecrets } from '../server/src/platform/secrets.ts'
import { balanceOf, passMoneyPaths, type Service } from './test/money-smoke.ts'
import { payContinuously } from './test/payments-under-load.ts'
import { checkOutPreviousRelease, type PreviousRelease } from './test/previous-release.ts'

const ROOT_EMAIL = 'root@example.com'
const PATIENCE = { timeout: scaledTimeout(60_000) }
const UNFINISHED_FOR_MS = 240_000
/** Printed, so that a failed run can be repeated. */
const SEED = Number(process.env.SEED ?? randomInt(1_000_000))

const folder = mkdtempSync(join(tmpdir(), 'cowrie-release-'))
const ends: (() => unknown)[] = []
let previous: PreviousRelease
let paystack: FakePaystack
let models: FakeUpstream
/** Answers slowly and fails sometimes. */
let faulty: UpstreamProcess

beforeAll(async () => {
  if (process.env.SOAK !== '1') return
  previous = checkOutPreviousRelease(join(folder, 'previous'))
  console.info(`previous release ${previous.commit}, schema ${previous.schema}; seed ${SEED}`)
  paystack = await startFakePaystack()
  models = await startFakeUpstream()
  models.fallback(({ body }) => ({ pieces: [replyTo(body.messages as readonly Message[])] }))
  faulty = await startUpstreamProcess(SEED)
}, 600_000)
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(async () => {
  await faulty?.close()
  await models?.close()
  await paystack?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const newestSchema = (): number => Math.max(...readMigrations().map(({ version }) => version))
const schemaOf = async (sql: Pool): Promise<number> =>
  (await sql.one<{ version: number }>`select max(version) as version from schema_migrations`).version

async function database(isMigrated: boolean): Promise<{ url: string; sql: Pool }> {
  const url = await (isMigrated ? createDatabase() : createDatabase(null))
  const sql = openPool(url, { max: 2 })
  ends.push(async () => {
    await sql.end()
    await dropDatabase(url)
  })
  return { url, sql }
}

const UNLIMITED = Object.fromEntries(
  ['AUTH', 'MONEY', 'WEBHOOK', 'GLOBAL'].map((name) => [`SERVICE_RATE_LIMIT_${name}`, '1000000/60']),
)
const variables = (url: string, dataDir: string, upstream: string): Record<string, string> => ({
  ...UNLIMITED,
  SERVICE_ENV: 'test',
  SERVICE_DEV_AUTH: 'on',
  SERVICE_ROOT_ADMIN_EMAIL: ROOT_EMAIL,
  DATABASE_URL: withGenerousTimeouts(url),
  SERVICE_DATABASE_POOL: '8',
  SERVICE_DATA_DIR: dataDir,
  SERVICE_SECRET: 'a secret that only tests know, long enough',
  SERVICE_IDEMPOTENCY_STALE_MINUTES: '1',
  SERVICE_UPSTREAM_BASE_URL: upstream,
  SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  SERVICE_UPSTREAM_FIRST_BYTE_MS: '10000',
  SERVICE_UPSTREAM_IDLE_MS: '5000',
})

async function start(program: string, url: string): Promise<ReplicaProcess> {
  const process = await startReplicaProcess(
    program,
    {
      ...variables(url, join(folder, 'data'), models.url),
      ...paystack.variables,
      SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
      HOST: '127.0.0.1',
      PORT: '0',
    },
    () => undefined,
  )
  ends.push(() => process.stop())
  return process
}

const serviceAt = ({ address }: ReplicaProcess, sql: Pool): Service => ({
  ...{ address, sql, paystack, rootEmail: ROOT_EMAIL },
})

soakTest(
  'the previous release earns, charges and refunds on the schema of this release',
  async () => {
    const { url, sql } = await database(true)
    expect(await schemaOf(sql)).toBe(newestSchema())
    const service = serviceAt(await start(previous.program, url), sql)
    await passMoneyPaths(service)
    expect(await schemaOf(sql)).toBe(newestSchema())
  },
  600_000,
)

soakTest(
  'this release migrates the schema of the previous one before it answers, and keeps its balances',
  async () => {
    const { url, sql } = await database(false)
    const before = await start(previous.program, url)
    const account = await passMoneyPaths(serviceAt(before, sql))
    await before.stop()
    expect(await schemaOf(sql)).toBe(previous.schema)

    const isLocked = Promise.withResolvers<void>()
    const isFreed = Promise.withResolvers<void>()
    const otherMigration = sql.begin(async (tx) => {
      await tx.rows`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
      isLocked.resolve()
      await isFreed.promise
    })
    await isLocked.promise
    let isListening = false
    const starting = start(await bundled('service'), url).finally(() => {
      isListening = true
    })
    const waiting = () => sql.rows`
      select pid from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_xact_lock%'
      and pid <> pg_backend_pid()`
    await expect.poll(waiting, PATIENCE).not.toEqual([])
    expect(isListening).toBe(false)
    expect(await schemaOf(sql)).toBe(previous.schema)
    isFreed.resolve()
    await otherMigration

    const service = serviceAt(await starting, sql)
    expect(await schemaOf(sql)).toBe(newestSchema())
    expect(await balanceOf(service, account.cookie)).toBe(account.balanceMinor)
    await passMoneyPaths(service)
  },
  600_000,
)

/**
 * Two replicas change under load, one step after the other, while customers pay and use models. Returns what is wrong with the
 * books, and the errors of customers, at the end.
 */
async function changeUnderLoad(
  { url, sql }: { url: string; sql: Pool },
  program: string,
  steps: readonly ((cluster: Cluster) => Promise<void>)[],
  extra: Readonly<Record<string, string>> = {},
) {
  const cluster = await startCluster({
    ...{ replicas: 2, port: 0, program },
    variables: (address) => ({
      SERVICE_BASE_URL: address,
      ...variables(url, join(folder, 'shared'), faulty.address),
      ...extra,
    }),
  })
  let isOver = false
  ends.push(() => {
    isOver = true
    return cluster.close()
  })
  const confirmed: Confirmations = { credits: new Map(), debits: new Map(), retries: 0 }
  const observed = createObservedCharges()
  const errors: string[] = []
  const payers = [1, 2].map((n) =>
    payContinuously(cluster.address, `payer${n}`, confirmed, errors, () => isOver),
  )
  let done = 0
  const replicas = {
    address: async () => cluster.address,
    restart: () => cluster.restart(),
    close: async () => undefined,
    // Instead of a kill.
    killOne: async () => steps[done++]?.(cluster),
  }
  await loadModels({
    replicas,
    confirmed,
    models: observed,
    seed: SEED,
    kills: steps.length,
    say: (line) => console.info(line),
  })
  isOver = true
  await Promise.all(payers)
  expect(done).toBe(steps.length)
  expect(observed.counts.answers).toBeGreaterThan(20)
  expect(confirmed.credits.size).toBeGreaterThan(20)

  const isFinished = async () => (await countUnfinished(sql)) === 0
  await expect.poll(isFinished, { timeout: UNFINISHED_FOR_MS, interval: 500 }).toBe(true)
  const violations = [
    ...(await findViolations(sql, confirmed, new Date())),
    ...(await findModelViolations(sql, observed)),
  ]
  console.info(`${confirmed.credits.size} credits; ${summaryOf(observed)}`)
  return { violations, errors }
}

soakTest(
  'two replicas are upgraded and rolled back under load: no charge is lost or doubled, and every error may be retried',
  async () => {
    const opened = await database(false)
    const schemas: number[] = []
    const changeTo = (program: string) => async (cluster: Cluster) => {
      await cluster.restart({ program })
      schemas.push(await schemaOf(opened.sql))
    }
    const steps = [changeTo(await bundled('service')), changeTo(previous.program)]
    expect(await changeUnderLoad(opened, previous.program, steps)).toEqual({ violations: [], errors: [] })
    // A replica of the previous release does not change the newer schema.
    expect(schemas).toEqual([newestSchema(), newestSchema()])
  },
  900_000,
)

async function signInByCookie(address: string): Promise<string> {
  const response = await fetch(`${address}/auth/dev-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'stays@example.com' }),
  })
  return sessionOf(response) ?? ''
}

const sessionOf = ({ headers }: Response): string | undefined => headers.getSetCookie()[0]?.split(';')[0]

soakTest(
  'the service secret is rotated under load: no session ends, no charge is lost, and the previous secret can be removed',
  async () => {
    const opened = await database(true)
    const [old, next] = [
      'the secret before the rotation, long enough',
      'the secret after the rotation, long enough',
    ]
    const sealedText = createSecrets(old).seal('sk-of-the-provider', 'setting|upstream_api_key')
    await opened.sql.rows`
      insert into platform_settings (key, sealed, source, updated_at) values ('upstream_api_key', ${sealedText}, 'env', now())`
    const isSealedAnew = async () => {
      const [row] = await opened.sql.rows<{ sealed: string }>`
        select sealed from platform_settings where key = 'upstream_api_key'`
      return row?.sealed.startsWith(`${createSecrets(next).keyId}.`)
    }
    let cookie = ''
    const statusOfMe = async ({ address }: Cluster) => {
      const reply = await fetch(`${address}/me`, { headers: { cookie } })
      cookie = sessionOf(reply) ?? cookie
      return reply.status
    }
    const steps = [
      // First every replica learns to open what the new secret will seal.
      async (cluster: Cluster) => {
        cookie = await signInByCookie(cluster.address)
        await cluster.restart({ variables: { SERVICE_SECRET_PREVIOUS: next } })
        expect(await statusOfMe(cluster)).toBe(200)
      },
      async (cluster: Cluster) => {
        await cluster.restart({ variables: { SERVICE_SECRET: next, SERVICE_SECRET_PREVIOUS: old } })
        expect(await statusOfMe(cluster)).toBe(200)
        await opened.sql.rows`update job_schedules set next_at = now() where name = 'operators.reseal'`
        await expect.poll(isSealedAnew, PATIENCE).toBe(true)
      },
      async (cluster: Cluster) => {
        await cluster.restart({ variables: { SERVICE_SECRET_PREVIOUS: '' } })
        expect(await statusOfMe(cluster)).toBe(200)
      },
    ]
    const end = await changeUnderLoad(opened, await bundled('service'), steps, { SERVICE_SECRET: old })
    expect(end).toEqual({ violations: [], errors: [] })
    const [row] = await opened.sql.rows<{ sealed: string }>`
      select sealed from platform_settings where key = 'upstream_api_key'`
    expect(createSecrets(next).open(row?.sealed ?? '', 'setting|upstream_api_key')).toBe('sk-of-the-provider')
  },
  900_000,
)
