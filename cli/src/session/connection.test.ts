import { CowrieError } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { type ConnectionNote, createConnection } from './connection.ts'

const failure = (status: number, code: string, retryAfter: number | null = null) =>
  new CowrieError({ status, code, message: `${code} happened.`, retryAfter })
const never = new AbortController().signal

/** Fails with these errors, then succeeds. */
function failing(...errors: Error[]) {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error) throw error
    return 'done'
  }
}

test('failures that pass are repeated without a note when they are short', async () => {
  const notes: ConnectionNote[] = []
  const connection = createConnection((note) => notes.push(note), { random: () => 0 })
  const call = failing(failure(0, 'network_error'), failure(503, 'busy', 0), failure(429, 'rate_limited', 0))
  expect(await connection.patiently(call, never)).toBe('done')
  expect(notes).toEqual([])
})

test('a long absence is named once, and so is the return', async () => {
  const notes: string[] = []
  const connection = createConnection(({ note, detail }) => notes.push(`${note}: ${detail}`))
  const wake = failing(failure(503, 'busy', 100))
  const [waiting, other] = [
    connection.patiently(wake, never),
    connection.patiently(failing(failure(503, 'busy', 100)), never),
  ]
  await expect.poll(() => notes).toEqual(['offline: busy happened.'])
  expect(connection.isOffline).toBe(true)
  connection.answered()
  // Both stop waiting as soon as one call was answered.
  expect(await Promise.all([waiting, other])).toEqual(['done', 'done'])
  expect(notes).toEqual(['offline: busy happened.', 'online: The service answers again.'])
})

test.for([
  failure(401, 'unauthorized'),
  failure(402, 'insufficient_funds'),
  failure(403, 'org_suspended'),
  failure(404, 'not_found'),
  failure(409, 'turn_running'),
  new TypeError('a bug'),
])('$message is not repeated', async (error) => {
  const connection = createConnection(() => undefined)
  await expect(connection.patiently(failing(error), never)).rejects.toBe(error)
})

test('patience ends', async () => {
  const connection = createConnection(() => undefined, { patienceMs: 5, random: () => 0 })
  const call = async () => {
    throw failure(0, 'network_error')
  }
  await expect(connection.patiently(call, never)).rejects.toMatchObject({ code: 'service_away', exit: 7 })
})

test('patience ends also when every answer is a refusal', async () => {
  const options = { patienceMs: 60_000, inProgressMs: 5, random: () => 0 }
  const connection = createConnection(() => undefined, options)
  const call = async () => {
    throw failure(409, 'idempotency_in_progress', 0)
  }
  await expect(connection.patiently(call, never)).rejects.toMatchObject({
    code: 'request_in_progress',
    exit: 8,
    next: expect.stringContaining('cowrie resume'),
  })
  const busy = async () => {
    throw failure(429, 'rate_limited', 0)
  }
  const short = createConnection(() => undefined, { patienceMs: 5, random: () => 0 })
  await expect(short.patiently(busy, never)).rejects.toMatchObject({ code: 'service_away', exit: 7 })
})

test('an abort ends the wait at once', async () => {
  const connection = createConnection(() => undefined)
  const stop = new AbortController()
  const waiting = connection.patiently(failing(failure(503, 'busy', 100)), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})
