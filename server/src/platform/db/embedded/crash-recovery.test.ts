import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import {
  connect,
  copyCluster,
  eventually,
  onTestEnd,
  start,
  startProcess,
  testFolder,
} from '@cowrie/testkit/platform/embedded.ts'
import { beforeEach, expect, test } from 'vitest'
import { processIdentity } from './processes.ts'
import { serverUserFor, spawnAs } from './server-user.ts'
import { pollUntil, withTimeout } from './timeouts.ts'

const PARENT_KILLS = rounds(1, 5)
const SERVER_KILLS = rounds(1, 3)
const KILLS_IN_A_ROW = rounds(2, 8)

beforeEach(copyCluster)

/**
 * Makes every start fail until the returned function is called. Without its control file, a server is started several times
 * before it counts as down. `npm test` changes the version instead, which fails immediately.
 */
function breakCluster(): () => void {
  const file = join(testFolder.dir, 'cluster', isSoak ? 'global/pg_control' : 'PG_VERSION')
  const aside = join(testFolder.dir, 'aside')
  renameSync(file, aside)
  if (!isSoak) writeFileSync(file, '9\n', { mode: 0o644 })
  return () => renameSync(aside, file)
}

test('after kill -9 of the parent the server ends, and the next start has every acknowledged commit', async () => {
  const kept = new Set<string>()
  for (let round = 0; round < PARENT_KILLS; round++) {
    const fixture = startProcess('write')
    await fixture.serverPid()
    const before = kept.size
    fixture.listen((line) => line.kept && kept.add(String(line.kept)))
    expect(await pollUntil(scaledTimeout(30_000), () => kept.size > before + 20 * (round + 1))).toBe(true)
    await fixture.kill()
  }
  const embedded = await start()
  const rows = await connect(embedded.url).rows<{ id: string }>`select id::text from kept`
  expect([...kept].filter((id) => !rows.some((row) => row.id === id))).toEqual([])
})

test('a killed parent leaves no server behind, even without another start', async () => {
  const fixture = startProcess()
  const pid = await fixture.serverPid()
  await fixture.kill()
  expect(await pollUntil(scaledTimeout(30_000), () => processIdentity(pid) === undefined)).toBe(true)
})

test('a killed server is restarted under the same URL with every acknowledged commit', async () => {
  const embedded = await start()
  const sql = connect(embedded.url)
  await sql.rows`create table kept (id int primary key)`
  for (let round = 0; round < SERVER_KILLS; round++) {
    await sql.rows`insert into kept values (${round})`
    const { pid } = embedded
    process.kill(pid, 'SIGKILL')
    expect(await pollUntil(scaledTimeout(30_000), () => embedded.pid !== pid)).toBe(true)
    await eventually(() => sql.rows`select 1`)
  }
  expect(await sql.rows`select id from kept order by id`).toEqual(
    Array.from({ length: SERVER_KILLS }, (_, id) => ({ id })),
  )
})

test('a killed server is restarted even while one of its backends is busy computing', async () => {
  const embedded = await start({ fsync: 'off' })
  const busy = connect(embedded.url).rows`select count(*) from generate_series(1, 10000000000)`.catch(
    () => 'cut off',
  )
  const sql = connect(embedded.url)
  await eventually(async () =>
    expect(
      await sql.rows`select pid from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`,
    ).toHaveLength(1),
  )
  const { pid } = embedded
  process.kill(pid, 'SIGKILL')
  expect(await pollUntil(scaledTimeout(30_000), () => embedded.pid !== pid)).toBe(true)
  await eventually(() => sql.rows`select 1`)
  expect(await busy).toBe('cut off')
})

test('a killed backend does not end the server', async () => {
  const embedded = await start({ fsync: 'off' })
  const sql = connect(embedded.url)
  const [row] = await sql.rows<{ pid: number }>`select pg_backend_pid() as pid`
  const { pid } = embedded
  process.kill(row?.pid ?? 0, 'SIGKILL')
  await eventually(() => sql.rows`select 1`)
  expect(embedded.pid).toBe(pid)
})

test('a server that is killed repeatedly is restarted every time', async () => {
  const embedded = await start({ fsync: 'off' }, { backoff: { firstMs: 5, maxMs: 20 } })
  for (let kill = 0; kill < KILLS_IN_A_ROW; kill++) {
    const { pid } = embedded
    process.kill(pid, 'SIGKILL')
    expect(await pollUntil(scaledTimeout(30_000), () => embedded.pid !== pid)).toBe(true)
  }
  expect(await connect(embedded.url).rows`select 1 as one`).toEqual([{ one: 1 }])
})

test('each failed restart is reported, and the server returns once it can start', async () => {
  const waits: number[] = []
  const embedded = await start(
    { fsync: 'off' },
    {
      backoff: { firstMs: 5, maxMs: 20 },
      onDown: (reason, retryMs) => {
        expect(reason).toContain('The embedded database is down')
        waits.push(retryMs)
      },
    },
  )
  const repair = breakCluster()
  const { pid } = embedded
  process.kill(pid, 'SIGKILL')
  expect(await pollUntil(scaledTimeout(60_000), () => waits.length >= 2)).toBe(true)
  repair()
  expect(await pollUntil(scaledTimeout(60_000), () => embedded.pid !== pid)).toBe(true)
  expect(await connect(embedded.url).rows`select 1 as one`).toEqual([{ one: 1 }])
  expect(waits.slice(0, 2)).toEqual([5, 10])
})

test('a stop does not wait for the next restart', async () => {
  const { promise: isDown, resolve } = Promise.withResolvers<void>()
  const embedded = await start(
    { fsync: 'off' },
    { backoff: { firstMs: 600_000, maxMs: 600_000 }, onDown: () => resolve() },
  )
  breakCluster()
  process.kill(embedded.pid, 'SIGKILL')
  await isDown
  expect(
    await withTimeout(
      scaledTimeout(30_000),
      embedded.stop().then(() => 'stopped'),
    ),
  ).toBe('stopped')
})

soakTest('a server that hangs after its parent died is ended by force', async () => {
  const fixture = startProcess()
  const pid = await fixture.serverPid()
  process.kill(pid, 'SIGSTOP')
  await fixture.kill()
  const embedded = await start({ fsync: 'off' })
  expect(embedded.pid).not.toBe(pid)
  expect(processIdentity(pid)).toBeUndefined()
})

test('a pid file with an unrelated process, a zombie or a missing process does not prevent the start', async () => {
  await (await start({ fsync: 'off' })).stop()
  const zombieMaker = spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // PostgreSQL ignores processes of other users, so these run as the user of the server.
    ...spawnAs(serverUserFor('/nowhere')),
  })
  onTestEnd(() => zombieMaker.kill('SIGKILL'))
  const zombie = await new Promise<string>((found) =>
    zombieMaker.stdout.setEncoding('utf8').once('data', found),
  )
  for (const pid of [String(zombieMaker.pid), zombie.trim(), String(2 ** 22 + 1), '']) {
    writeFileSync(
      join(testFolder.dir, 'cluster', 'postmaster.pid'),
      pid && `${pid}\n${join(testFolder.dir, 'cluster')}\n1\n5432\n/tmp\n\n 1 1\nready\n`,
    )
    await (await start({ fsync: 'off' })).stop()
  }
})

test('the server does not keep an idle process alive and ends with it', async () => {
  const fixture = startProcess('leave')
  const pid = await fixture.serverPid()
  expect(await withTimeout(scaledTimeout(30_000), fixture.exited)).toBe(0)
  expect(await pollUntil(scaledTimeout(30_000), () => processIdentity(pid) === undefined)).toBe(true)
})
