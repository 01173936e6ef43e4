// A fake server that fails in the middle of a protocol exchange, or answers in ways that a real one rarely does.
import type { Socket } from 'node:net'
import {
  answerEach,
  complete,
  type FakeServer,
  message,
  openFakeServer,
  ready,
  refusal,
} from '@cowrie/testkit/fakes/postgres.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { toApiError } from '../errors.ts'
import { openPool, type Pool, type PoolOptions } from '../pool.ts'

let server: FakeServer
let pool: Pool
afterEach(async () => {
  await pool.end({ timeout: 0 })
  server.close()
})

async function start(onConnection: (socket: Socket) => void, parameters = '', options: PoolOptions = {}) {
  server = await openFakeServer(onConnection)
  pool = openPool(`postgres://someone@127.0.0.1:${server.port}/some${parameters}`, options)
}

function hangUp(socket: Socket): [] {
  socket.destroy()
  return []
}

describe('a listener', () => {
  test('that loses its connection during LISTEN reconnects once, not twice', async () => {
    await start((socket) => answerEach(socket, () => hangUp(socket)))
    let failures = 0
    const ignore = () => undefined
    pool.listen({ channel: 'any', onNotification: ignore, onListening: ignore, onFailure: () => failures++ })
    await expect.poll(() => server.accepted, { timeout: 5_000 }).toBeGreaterThan(3)
    expect(failures).toBeLessThanOrEqual(server.accepted)
  })

  test('that loses its connection immediately after the login reconnects', async () => {
    const leave = [complete('SELECT 0'), ready('I'), refusal('FATAL', '57P01')]
    await start((socket) => answerEach(socket, () => leave), '?target_session_attrs=read-write')
    const ignore = () => undefined
    pool.listen({ channel: 'any', onNotification: ignore, onListening: ignore, onFailure: ignore })
    await expect.poll(() => server.accepted).toBeGreaterThan(1)
  })
})

describe('the end of a transaction', () => {
  const OPEN = [complete('BEGIN'), ready('T')]
  /** Sends these answers in order and repeats the last one. Records the statements. */
  function script(asked: string[], answers: Readonly<Record<string, readonly Buffer[]>>) {
    return (socket: Socket) =>
      answerEach(socket, (text) => {
        asked.push(text)
        return answers[text] ?? [complete('SELECT 0'), ready('I')]
      })
  }
  const work = () => pool.begin((tx) => tx.unsafe('work'))

  test('is unknown when the server fails during COMMIT, whatever error it reports', async () => {
    await start(script([], { begin: OPEN, work: OPEN, commit: [refusal('PANIC', '53100')] }))
    const error = await work().catch((caught: unknown) => caught)
    expect(toApiError(error, true)).toMatchObject({ code: 'outcome_unknown' })
  })

  test('precedes other statements, also when COMMIT was rejected', async () => {
    const asked: string[] = []
    const refused = [refusal('ERROR', '57014'), ready('E')]
    await start(script(asked, { begin: OPEN, work: OPEN, commit: refused }))
    await expect(work()).rejects.toMatchObject({ code: '57014' })
    await pool.unsafe('next')
    expect(asked).toEqual(['begin', 'work', 'commit', 'rollback', 'next'])
  })

  test('is a failure when BEGIN was rejected and its answer not awaited', async () => {
    const refused = [refusal('ERROR', '57014'), ready('I')]
    await start(script([], { begin: refused, commit: [complete('COMMIT'), ready('I')] }))
    const careless = pool.begin(async (tx) => void tx.unsafe('work'))
    await expect(careless).rejects.toMatchObject({ code: '57014' })
  })

  test('closes the connection when ROLLBACK is rejected', async () => {
    const refused = [refusal('ERROR', '57014'), ready('E')]
    await start(script([], { begin: OPEN, work: refused, rollback: refused }))
    await expect(work()).rejects.toMatchObject({ code: '57014' })
    await pool.unsafe('next')
    expect(server.accepted).toBe(2)
  })
})

test('a connection is closed when the server sends an unknown message type', async () => {
  await start((socket) => answerEach(socket, () => [message('?', Buffer.alloc(0)), ready('I')]))
  await expect(pool.unsafe('select 1')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await expect.poll(() => server.open).toBe(0)
})

test('the longest statement timeout of PostgreSQL does not overflow the silence timer', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  await start(
    (socket) => answerEach(socket, () => [complete('SELECT 0'), ready('I')]),
    `?statement_timeout=${2 ** 31 - 1}`,
  )
  await pool.unsafe('select 1')
  await new Promise(setImmediate)
  process.off('warning', note)
  expect(warnings).not.toContain('TimeoutOverflowWarning')
})

describe('a server that is queried for its role', () => {
  const ask = () => pool.unsafe('select 1')

  test('and reports an error is not used', async () => {
    const refused = [refusal('ERROR', '42501'), ready('I')]
    await start((socket) => answerEach(socket, () => refused), '?target_session_attrs=read-write')
    await expect(ask()).rejects.toMatchObject({ code: '42501' })
    await expect.poll(() => server.open).toBe(0)
  })

  test('and does not answer fails after the connect timeout', async () => {
    const options = { connectTimeoutMs: 200 }
    await start((socket) => answerEach(socket, () => []), '?target_session_attrs=read-write', options)
    await expect(ask()).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
    await expect.poll(() => server.open).toBe(0)
  })
})
