import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeServer, openFakeServer, parameter, READY, WELCOME } from '@cowrie/testkit/fakes/postgres.ts'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { openStallingProxy, type StallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool, withPool } from '../pool.ts'
import { readConnectionSettings } from './connection-settings.ts'

let own: TestDb
let proxy: StallingProxy
let dead: FakeServer
let standby: FakeServer
beforeAll(async () => {
  own = await openTestDb()
  proxy = await openStallingProxy(own.url)
  dead = await openFakeServer((socket) => void socket.destroy())
  standby = await openFakeServer(answerAsStandby)
})
afterAll(async () => {
  for (const each of [proxy, dead, standby]) each.close()
  await own.close()
})

function answerAsStandby(socket: Socket): void {
  const state = [parameter('in_hot_standby', 'on'), parameter('default_transaction_read_only', 'off')]
  socket.once('data', () => socket.write(Buffer.concat([WELCOME, ...state, READY])))
}

/** A URL with the same user and database on each of these ports. */
const urlOf = (parameters: string, ...ports: readonly number[]): string =>
  proxy.url.replace(/@[^/]*/, `@${ports.map((port) => `127.0.0.1:${port}`).join(',')}`) + parameters
const real = () => Number(new URL(proxy.url).port)
const ask = (url: string) => withPool(url, (pool) => pool.rows`select 1 as one`, { connectTimeoutMs: 1_000 })

describe('with several hosts', () => {
  test('the primary is found after a dead host and a standby, each tried once', async () => {
    const before = [dead.accepted, standby.accepted]
    const url = urlOf('?target_session_attrs=read-write', dead.port, standby.port, real())
    expect(await ask(url)).toEqual([{ one: 1 }])
    expect([dead.accepted, standby.accepted]).toEqual(before.map((n) => n + 1))
  })

  test('the host that worked last is tried first', async () => {
    const pool = openPool(urlOf('?target_session_attrs=primary', dead.port, real()), { max: 2 })
    await pool.rows`select 1`
    const before = dead.accepted
    await Promise.all([pool.rows`select pg_sleep(0.1)`, pool.rows`select pg_sleep(0.1)`])
    expect(dead.accepted).toBe(before)
    await pool.end()
  })

  test('prefer-standby selects a standby, or any host when there is none', async () => {
    const before = standby.accepted
    const pool = openPool(urlOf('?target_session_attrs=prefer-standby', real(), standby.port))
    // The fake accepts the login and answers nothing else.
    pool.rows`select 1`.catch(() => 'cut off')
    await expect.poll(() => standby.accepted).toBe(before + 1)
    await pool.end({ timeout: 0 })
    expect(await ask(urlOf('?target_session_attrs=prefer-standby', dead.port, real()))).toEqual([{ one: 1 }])
  })

  test('the connection fails when no host has the wanted role', async () => {
    const url = urlOf('?target_session_attrs=standby', real(), dead.port)
    await expect(ask(url)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  })

  test('a host whose login times out is skipped', async () => {
    const hole = await openFakeServer(() => undefined)
    expect(await ask(urlOf('', hole.port, real()))).toEqual([{ one: 1 }])
    await expect(ask(urlOf('', hole.port))).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
    hole.close()
  })
})

test('an unknown target_session_attrs is rejected with the supported values', () => {
  expect(() => openPool(`${proxy.url}?target_session_attrs=fastest`)).toThrow(/use one of any, read-write/)
})

describe('a server without TLS', () => {
  test.for(['disable', 'allow', 'prefer'])('is used with sslmode=%s', async (mode) => {
    expect(await ask(`${proxy.url}?sslmode=${mode}`)).toEqual([{ one: 1 }])
  })

  test.for(['require', 'verify-ca', 'verify-full'])('is rejected with sslmode=%s', async (mode) => {
    await expect(ask(`${proxy.url}?sslmode=${mode}`)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  })
})

describe('the certificate of a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-root-'))
  const root = join(folder, 'root.pem')
  writeFileSync(root, 'a root certificate')
  afterAll(() => rmSync(folder, { recursive: true }))
  const tlsWith = (parameters: string) => {
    const { ssl } = readConnectionSettings(`postgres://someone@127.0.0.1/some?${parameters}`, {
      connectTimeoutMs: 1,
      silenceMs: 1,
      session: {},
    })
    return ssl && { isChecked: ssl.rejectUnauthorized, isNameChecked: !ssl.checkServerIdentity }
  }

  test.for([
    ['sslmode=require', false, false],
    [`sslmode=require&sslrootcert=${root}`, true, false],
    ['sslmode=require&sslrootcert=system', true, true],
    [`sslmode=verify-full&sslrootcert=${root}`, true, true],
    [`sslrootcert=${root}`, true, true],
    ['sslmode=prefer', false, true],
  ] as const)('with %s is checked: %s, its name: %s', ([parameters, isChecked, isNameChecked]) => {
    expect(tlsWith(parameters)).toEqual({ isChecked, isNameChecked })
  })
})

test('session parameters of the URL are sent to the server', async () => {
  const settings = (pool: { rows: TestDb['sql']['rows'] }) =>
    pool.rows`select current_setting('application_name') as name, current_setting('lock_timeout') as lock`
  const options = { session: { application_name: 'ours', lock_timeout: 4_000 } }
  expect(await withPool(proxy.url, settings, options)).toEqual([{ name: 'ours', lock: '4s' }])
  expect(await withPool(`${proxy.url}?application_name=theirs`, settings, options)).toEqual([
    { name: 'theirs', lock: '4s' },
  ])
})

test('a statement timeout in the URL also sets the silence timer', async () => {
  const sleep = (pool: { rows: TestDb['sql']['rows'] }) => pool.rows`select 1 as one from pg_sleep(0.6)`
  const options = { statementTimeoutMs: 100, silenceMs: 100 }
  for (const timeout of ['5s', '0'])
    expect(await withPool(`${proxy.url}?statement_timeout=${timeout}`, sleep, options)).toEqual([{ one: 1 }])
})

test('the server requests and checks the password', async () => {
  // Roles belong to the whole server, which other files use too.
  const role = `reader_${randomBytes(6).toString('hex')}`
  await own.sql.rows(templateOf(`create role ${role} login password 'sécret'`))
  const asReader = proxy.url.replace(/\/\/[^@]*@/, `//${role}:s%C3%A9cret@`)
  expect(await withPool(asReader, (pool) => pool.rows`select current_user::text as name`)).toEqual([
    { name: role },
  ])
  await own.sql.rows(templateOf(`drop role ${role}`))
})

const templateOf = (text: string) => Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray
