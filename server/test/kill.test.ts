// SIGKILL at critical moments: afterwards every effect exists once or not at all.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyDataFolder, makeDataFolder } from '@cowrie/testkit/harness/data-folder.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES } from '@cowrie/testkit/harness/probe.ts'
import { kill, type ProbeServer, startProbeServer } from '@cowrie/testkit/harness/processes.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { GENEROUS_TIMEOUTS, scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../src/kernel/clock.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { readMigrations } from '../src/platform/db/migrations/sql-files.ts'
import { openDb } from '../src/platform/db/open-db.ts'

const MIGRATE = fileURLToPath(new URL('../../testkit/processes/migrate.ts', import.meta.url))
const MIGRATION_KILLS = rounds(1, 12)
const MIGRATING_AT_ONCE = rounds(2, 4)
const SERVICE_KILLS = rounds(1, 6)
const DATABASE_KILLS = 3
const CALLS = rounds(60, 120)
/** The position of the kill within a part of the work: the soak starts at 0, a single kill is in the middle. */
const PART = isSoak ? 0 : 0.5
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function emptyDatabase(): Promise<string> {
  const url = await createDatabase(null)
  ends.push(() => dropDatabase(url))
  return url
}

function ownerOf(url: string) {
  const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock: new ManualClock(), max: 2 })
  ends.push(() => db.close())
  return db.direct
}

describe('migrations', () => {
  const start = (url: string, ...stuckIn: string[]) =>
    fork(MIGRATE, [url, ...stuckIn], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: 'ignore',
    })

  test('that are killed repeatedly leave only complete steps, and the next start finishes them', async () => {
    const url = await emptyDatabase()
    const sql = ownerOf(url)
    const names = readMigrations().map(({ name }) => name)
    const applied = async () => {
      const [table] = await sql.rows<{ found: boolean }>`
        select to_regclass('schema_migrations') is not null as found`
      if (!table?.found) return []
      const rows = await sql.rows<{ name: string }>`select name from schema_migrations order by version`
      return rows.map(({ name }) => name)
    }
    const stride = Math.ceil(names.length / MIGRATION_KILLS)
    const isKilledAt = (step: number) => step % stride === Math.floor(stride * PART)
    for (const step of names.keys().filter(isKilledAt)) {
      const child = start(url, names[step] ?? '')
      // At the end of the step, before its commit, independent of the machine's speed.
      const stuck = () => sql.rows`
        select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      await expect.poll(stuck, { timeout: scaledTimeout(60_000) }).toHaveLength(1)
      await kill(child)
      // The server session notices the disconnect only at its next network access.
      await sql.rows`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`
      expect(await applied()).toEqual(names.slice(0, step))
    }
    await migrate(url)
    expect(await applied()).toEqual(names)
    expect((await migrate(url)).applied).toEqual([])
  }, 240_000)

  soakTest('of concurrent processes are applied once', async () => {
    const url = await emptyDatabase()
    const children = Array.from({ length: MIGRATING_AT_ONCE }, () => start(url))
    const codes = await Promise.all(children.map((child) => once(child, 'exit').then(([code]) => code)))
    expect(codes).toEqual(children.map(() => 0))
    expect(await ownerOf(url).rows`select 1 from schema_migrations`).toHaveLength(readMigrations().length)
  })

  test('that changed after they ran are refused, and a failing one is rolled back', async () => {
    const url = await emptyDatabase()
    const step = (version: number, text: string, checksum = text) => ({
      version,
      name: `000${version}_x.sql`,
      text,
      checksum,
    })
    await migrate(url, { migrations: [step(1, 'create table one (id int)')] })
    await expect(
      migrate(url, { migrations: [step(1, 'create table one (id int)', 'other')] }),
    ).rejects.toThrow(/was changed/)
    const broken = step(2, 'create table two (id int); select * from nowhere')
    await expect(
      migrate(url, { migrations: [step(1, 'create table one (id int)'), broken] }),
    ).rejects.toThrow(/nowhere/)
    expect(await ownerOf(url).rows`select to_regclass('two') as two`).toEqual([{ two: null }])
  })
})

type Call = { key: string; amountMinor: number }
type Outcome = { status: number; text: string }

async function spend(address: string, bearer: string, { key, amountMinor }: Call): Promise<Outcome | null> {
  try {
    const reply = await fetch(`${address}/probe/spend`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ amountMinor }),
      signal: AbortSignal.timeout(scaledTimeout(30_000)),
    })
    return { status: reply.status, text: await reply.text() }
  } catch {
    // The server died during the call. The retry shows whether it took effect.
    return null
  }
}

async function signIn(address: string): Promise<string> {
  const reply = await fetch(`${address}/auth/dev-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"killer@example.com"}',
  })
  return ((await reply.json()) as { userId: string }).userId
}

describe('an idempotent call', () => {
  test('takes effect once if its server is killed, and every retry returns the same reply', async () => {
    const url = await createDatabase()
    ends.push(() => dropDatabase(url))
    const sql = ownerOf(url)
    for (const statement of PROBE_TABLES)
      await sql.rows(Object.assign([statement], { raw: [statement] }) as unknown as TemplateStringsArray)
    const acknowledged = new Map<string, string>()
    const calls: Call[] = []
    let bearer = ''
    let started = 0
    const start = () => {
      // The application name identifies the sessions of this server.
      const name = `server-${++started}`
      const named = `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`
      const starting = startProbeServer({ DATABASE_URL: named }).then((server) => ({ ...server, name }))
      ends.push(() => starting.then((server) => server.kill()))
      return starting
    }
    const sessionsOf = (name: string) => sql.rows`
      select pid from pg_stat_activity where datname = current_database() and application_name = ${name}`

    let next = start()
    for (let round = 0; round < SERVICE_KILLS; round++) {
      const server = await next
      // The next server starts meanwhile, like a second replica.
      next = start()
      bearer ||= await signIn(server.address)
      const mine = Array.from({ length: CALLS }, (_, i) => ({
        key: `round-${round}-${i}`,
        amountMinor: i + 1,
      }))
      calls.push(...mine)
      // In the middle of the work, independent of the machine's speed.
      const enough = Promise.withResolvers<void>()
      let answered = 0
      const running = mine.map(async (call, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 2))
        const outcome = await spend(server.address, bearer, call)
        if (outcome?.status === 200) acknowledged.set(call.key, outcome.text)
        if (
          outcome?.status === 200 &&
          ++answered === 1 + Math.floor(((round + PART) * CALLS * 0.6) / SERVICE_KILLS)
        )
          enough.resolve()
      })
      await Promise.race([enough.promise, Promise.all(running)])
      await server.kill()
      await Promise.all(running)
      // Statements already sent still run, so a dead server may still claim a key.
      await expect.poll(() => sessionsOf(server.name), { timeout: scaledTimeout(30_000) }).toEqual([])
    }

    // Simulates an hour, so that running keys of the dead servers become stale.
    await sql.rows`update idempotency_keys set claimed_at = claimed_at - interval '1 hour' where state = 'running'`
    const server = await next
    const left = [...calls]
    const retry = async () => {
      for (let call = left.shift(); call; call = left.shift()) {
        const outcome = await spend(server.address, bearer, call)
        expect(outcome?.status).toBe(200)
        const before = acknowledged.get(call.key)
        if (before !== undefined) expect(outcome?.text).toBe(before)
      }
    }
    await Promise.all(Array.from({ length: 8 }, retry))
    const { n } = await sql.one<{ n: number }>`select count(*)::int as n from probe_spends`
    expect(n).toBe(calls.length)
    expect(acknowledged.size).toBeGreaterThan(0)
    expect(acknowledged.size).toBeLessThan(calls.length)
  }, 480_000)
})

let migrated: string
beforeAll(async () => {
  if (isSoak) migrated = await makeDataFolder()
})
afterAll(() => migrated && rmSync(migrated, { recursive: true, force: true }))

function dataFolder(): string {
  const dataDir = scratchFolder()
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
  copyDataFolder(migrated, dataDir)
  return dataDir
}

soakTest(
  'that is killed causes only refusals, loses no acknowledged effect, and restarts',
  async () => {
    const dataDir = dataFolder()
    const server = await startProbeServer({ SERVICE_DATA_DIR: dataDir })
    ends.push(() => stop(server))
    const socketUrl = embeddedUrl(dataDir)
    const sql = ownerOf(socketUrl)
    for (const statement of PROBE_TABLES)
      await sql.rows(Object.assign([statement], { raw: [statement] }) as unknown as TemplateStringsArray)
    const bearer = await signIn(server.address)
    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let next = 0
    let stopped = false
    const load = Array.from({ length: 6 }, async () => {
      while (!stopped) {
        const key = `spend-${next++}`
        const outcome = await spend(server.address, bearer, { key, amountMinor: 1 })
        statuses.add(outcome?.status ?? 0)
        if (outcome?.status === 200) acknowledged.push(key)
        else await new Promise((resolve) => setTimeout(resolve, 20))
        // Also work with many statements, so that connections are lost between any two of them.
        await signIn(server.address).catch(() => undefined)
      }
    })
    for (let round = 0; round < DATABASE_KILLS; round++) {
      const before = acknowledged.length
      await expect
        .poll(() => acknowledged.length, { timeout: scaledTimeout(60_000) })
        .toBeGreaterThan(before + 20)
      process.kill(postmasterOf(dataDir), 'SIGKILL')
    }
    const before = acknowledged.length
    await expect
      .poll(() => acknowledged.length, { timeout: scaledTimeout(60_000) })
      .toBeGreaterThan(before + 20)
    stopped = true
    await Promise.all(load)

    // While the database is down, calls are refused with an API error and never hang.
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
    const rows = await sql.rows<{ key: string }>`
    select k.key from idempotency_keys k join probe_spends s on s.id = k.id where k.state = 'done'`
    const stored = new Set(rows.map((row) => row.key))
    expect(acknowledged.filter((key) => !stored.has(key))).toEqual([])
  },
  480_000,
)

soakTest(
  'the embedded database stops when its parent is killed, and the next start finds all data',
  async () => {
    const dataDir = dataFolder()
    const first = await startProbeServer({ SERVICE_DATA_DIR: dataDir })
    const bearer = await signIn(first.address)
    await first.kill()
    const second = await startProbeServer({ SERVICE_DATA_DIR: dataDir })
    ends.push(() => stop(second))
    const me = await fetch(`${second.address}/me`, { headers: { authorization: `Bearer ${bearer}` } })
    expect(me.status).toBe(200)
  },
  300_000,
)

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])

function embeddedUrl(dataDir: string): string {
  const [, , , port, socketFolder] = readFileSync(
    join(dataDir, 'postgres/cluster/postmaster.pid'),
    'utf8',
  ).split('\n')
  return `postgres://cowrie_owner@localhost:${port}/postgres?host=${encodeURIComponent(socketFolder ?? '')}`
}

/** Closes the IPC channel, so that the service stops its database. */
async function stop(server: ProbeServer): Promise<void> {
  const gone = once(server.process, 'exit')
  server.process.disconnect()
  await gone
}
