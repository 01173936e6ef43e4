import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/clock.ts'
import { type AttemptLimit, checkAttempt, countAttempt, sweepAttempts } from './attempts.ts'

const LIMIT: AttemptLimit = { name: 'test.guess', most: 3, withinSeconds: 60 }
const ALLOWED = { allowed: true, retryAfter: 0 }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const guess = ({ app }: TestServer, who: string) => countAttempt(app, app.db.direct, LIMIT, who)
const look = ({ app }: TestServer, who: string) => checkAttempt(app, app.db.direct, LIMIT, who)

describe('attempts', () => {
  test('are allowed again when the window has ended, also for a check that does not count', async () => {
    for (let i = 0; i < 5; i++) await guess(server, 'ada')
    server.clock.advance({ seconds: 59 })
    expect(await look(server, 'ada')).toEqual({ allowed: false, retryAfter: 1 })
    server.clock.advance({ seconds: 1 })
    expect(await look(server, 'ada')).toEqual(ALLOWED)
  })

  test('are not deleted while their window is open', async () => {
    for (let i = 0; i < 3; i++) await guess(server, 'grace')
    server.clock.advance({ seconds: 59 })
    await sweepAttempts(server.app, 1_000)
    expect(await guess(server, 'grace')).toEqual({ allowed: false, retryAfter: 1 })
  })

  test('never wait longer than the window, also on a replica whose clock is behind', async () => {
    const late = await startTestServer({
      url: server.url,
      clock: new ManualClock('2026-11-15T06:00:00.000Z'),
    })
    try {
      for (let i = 0; i < 4; i++) await guess(server, 'linus')
      expect(await guess(late, 'linus')).toEqual({ allowed: false, retryAfter: 60 })
      expect(await look(late, 'linus')).toEqual({ allowed: false, retryAfter: 60 })
    } finally {
      await late.close()
    }
  })
})
