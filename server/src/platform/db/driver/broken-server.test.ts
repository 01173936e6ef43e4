// What a server does that breaks down in the middle of things, or answers in a way that is hard to provoke.
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
  test('that is lost when it begins to listen tries again once, not twice', async () => {
    await start((socket) => answerEach(socket, () => hangUp(socket)))
    let failures = 0
    const ignore = () => undefined
    pool.listen({ channel: 'any', onNotification: ignore, onListening: ignore, onFailure: () => failures++ })
    await expect.poll(() => server.accepted, { timeout: 5_000 }).toBeGreaterThan(3)
    expect(failures).toBeLessThanOrEqual(server.accepted)
  })

  test('whose connection is lost as soon as it is open tries again', async () => {
    const leave = [complete('SELECT 0'), ready('I'), refusal('FATAL', '57P01')]
    await start((socket) => answerEach(socket, () => leave), '?target_session_attrs=read-write')
    const ignore = () => undefined
    pool.listen({ channel: 'any', onNotification: ignore, onListening: ignore, onFailure: ignore })
    await expect.poll(() => server.accepted).toBeGreaterThan(1)
  })
})

describe('the end of a transaction', () => {
  const OPEN = [complete('BEGIN'), ready('T')]
  /** Answers in the order of these, then with the last one; keeps what was asked. */
  function script(asked: string[], answers: Readonly<Record<string, readonly Buffer[]>>) {
    return (socket: Socket) =>
      answerEach(socket, (text) => {
        asked.push(text)
        return answers[text] ?? [complete('SELECT 0'), ready('I')]
      })
  }
  const work = () => pool.begin((tx) => tx.unsafe('work'))

  test('is not known when the server breaks down while it commits, whatever it says', async () => {
    await start(script([], { begin: OPEN, work: OPEN, commit: [refusal('PANIC', '53100')] }))
    const error = await work().catch((caught: unknown) => caught)
    expect(toApiError(error, true)).toMatchObject({ code: 'outcome_unknown' })
  })

  test('comes before other statements, also when COMMIT was refused inside the transaction', async () => {
    const asked: string[] = []
    const refused = [refusal('ERROR', '57014'), ready('E')]
    await start(script(asked, { begin: OPEN, work: OPEN, commit: refused }))
    await expect(work()).rejects.toMatchObject({ code: '57014' })
    await pool.unsafe('next')
    expect(asked).toEqual(['begin', 'work', 'commit', 'rollback', 'next'])
  })

  test('is no success when BEGIN was refused and no answer was waited for', async () => {
    const refused = [refusal('ERROR', '57014'), ready('I')]
    await start(script([], { begin: refused, commit: [complete('COMMIT'), ready('I')] }))
    const careless = pool.begin(async (tx) => void tx.unsafe('work'))
    await expect(careless).rejects.toMatchObject({ code: '57014' })
  })

  test('is that of its connection when ROLLBACK is refused', async () => {
    const refused = [refusal('ERROR', '57014'), ready('E')]
    await start(script([], { begin: OPEN, work: refused, rollback: refused }))
    await expect(work()).rejects.toMatchObject({ code: '57014' })
    await pool.unsafe('next')
    expect(server.accepted).toBe(2)
  })
})

test('a server that sends a message of no known type is left', async () => {
  await start((socket) => answerEach(socket, () => [message('?', Buffer.alloc(0)), ready('I')]))
  await expect(pool.unsafe('select 1')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await expect.poll(() => server.open).toBe(0)
})

test('the longest statement timeout that a server takes fits the timer that waits for the answer', async () => {
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

describe('a server that is asked whether it takes writes', () => {
  const ask = () => pool.unsafe('select 1')

  test('and refuses to say is left', async () => {
    const refused = [refusal('ERROR', '42501'), ready('I')]
    await start((socket) => answerEach(socket, () => refused), '?target_session_attrs=read-write')
    await expect(ask()).rejects.toMatchObject({ code: '42501' })
    await expect.poll(() => server.open).toBe(0)
  })

  test('and says nothing is not waited for longer than a connection may take', async () => {
    const options = { connectTimeoutMs: 200 }
    await start((socket) => answerEach(socket, () => []), '?target_session_attrs=read-write', options)
    await expect(ask()).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
    await expect.poll(() => server.open).toBe(0)
  })
})
