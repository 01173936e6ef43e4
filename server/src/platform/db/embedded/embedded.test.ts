import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { connect, hostOf, start, startProcess, testFolder } from '@cowrie/testkit/platform/embedded.ts'
import { expect, test } from 'vitest'
import { processIdentity } from './processes.ts'
import { canEnter, serverUserFor } from './server-user.ts'
import { pollUntil } from './timeouts.ts'

// Started as root, the server runs as this user.
const nobody = process.getuid?.() === 0 ? serverUserFor('/nowhere') : undefined

test('the first start creates a cluster, and a restart finds the committed rows', async () => {
  const first = await start()
  const sql = connect(first.url)
  await sql.rows`create table kept (id int primary key)`
  await sql.rows`insert into kept values (7)`
  const [facts] = await sql.rows`select current_user as owner, current_setting('listen_addresses') as tcp,
    current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
    current_setting('server_encoding') as encoding, (select datcollate from pg_database where datname = 'postgres') as collation`
  expect(facts).toEqual({
    owner: 'cowrie_owner',
    tcp: '',
    checksums: 'on',
    fsync: 'on',
    encoding: 'UTF8',
    collation: 'C',
  })
  await sql.end()

  await first.stop()
  const again = await start()
  expect(await connect(again.url).rows`select id from kept`).toEqual([{ id: 7 }])
})

test('stop ends every process of the server and may be called again', async () => {
  const embedded = await start({ fsync: 'off' })
  const { pid } = embedded
  await Promise.all([embedded.stop(), embedded.stop()])
  await embedded.stop()
  expect(processIdentity(pid)).toBeUndefined()
  expect(existsSync(join(testFolder.dir, 'cluster', 'postmaster.pid'))).toBe(false)
})

test('a second process is rejected with the pid of the owner and the possible actions', async () => {
  const fixture = startProcess()
  await fixture.serverPid()
  await expect(start()).rejects.toThrow(
    new RegExp(`pid ${fixture.pid}\\).*Stop that process.*SERVICE_DATA_DIR.*DATABASE_URL`),
  )
})

soakTest('of several processes that start at once exactly one owns the folder', async () => {
  await (await start({ fsync: 'off' })).stop()
  const fixtures = Array.from({ length: 4 }, () => startProcess())
  const outcomes = await Promise.all(fixtures.map((fixture) => fixture.firstLine()))
  expect(outcomes.filter((line) => 'url' in line)).toHaveLength(1)
  expect(
    outcomes.filter((line) => String(line.refused).includes('is in use by another process')),
  ).toHaveLength(3)
})

test('the claim of a dead process is superseded, also when another process has its pid', async () => {
  mkdirSync(testFolder.dir, { mode: 0o755 })
  const claims = [
    JSON.stringify({ pid: 2 ** 22 + 1, born: 'long ago' }),
    JSON.stringify({ pid: process.ppid, born: 'long ago' }),
    '{"pid": 1',
  ]
  for (const [index, claim] of claims.entries()) {
    writeFileSync(join(testFolder.dir, `owner-${10 * (index + 1)}.json`), claim)
    await (await start({ fsync: 'off' })).stop()
  }
  expect(readdirSync(testFolder.dir).filter((name) => name.startsWith('owner'))).toEqual(['owner-31.json'])
})

soakTest('a folder too long for a socket address gets its socket elsewhere, closed to others', async () => {
  testFolder.dir = join(testFolder.folder, 'd'.repeat(60), 'e'.repeat(60))
  const embedded = await start({ fsync: 'off' })
  const host = hostOf(embedded.url)
  expect(host.length).toBeLessThan(80)
  expect(execFileSync('ls', ['-ld', host], { encoding: 'utf8' })).toMatch(/^drwx------/)
  const sql = connect(embedded.url)
  expect(await sql.rows`select 1 as one`).toEqual([{ one: 1 }])
  await embedded.stop()
  expect(existsSync(host)).toBe(false)
})

test('the server runs in a folder below a private parent folder', async () => {
  chmodSync(testFolder.folder, 0o700)
  testFolder.dir = join(testFolder.folder, 'name, with "signs"', 'db')
  for (let round = 0; round < 2; round++) {
    const embedded = await start({ fsync: 'off' })
    const { pid } = embedded
    process.kill(pid, 'SIGKILL')
    expect(await pollUntil(30_000, () => embedded.pid !== pid)).toBe(true)
    expect(await connect(embedded.url).rows`select 1 as one`).toEqual([{ one: 1 }])
    await embedded.stop()
  }
})

test('a failed start reports the reason and releases the folder', async () => {
  await expect(start({ shared_buffers: 'plenty' })).rejects.toThrow(
    /invalid value for parameter "shared_buffers"/,
  )
  await start({ fsync: 'off' })
})

soakTest('a draft that a killed start left behind is removed', async () => {
  mkdirSync(join(testFolder.dir, 'cluster-draft-half', 'base'), { recursive: true })
  await start({ fsync: 'off' })
  expect(readdirSync(testFolder.dir).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
})

// Without root, the whole file already runs unprivileged. In other places an unprivileged user cannot read the repository.
test.runIf(nobody && canEnter(nobody, import.meta.dirname))(
  'an ordinary user can run it, and root can take over',
  async () => {
    mkdirSync(testFolder.dir, { mode: 0o700 })
    if (nobody) chownSync(testFolder.dir, nobody.uid, nobody.gid)
    const fixture = startProcess('hold', nobody)
    const pid = await fixture.serverPid()
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${nobody?.uid}\\s`, 'm'))
    await fixture.kill()
    expect(await connect((await start({ fsync: 'off' })).url).rows`select 1 as one`).toEqual([{ one: 1 }])
  },
)
