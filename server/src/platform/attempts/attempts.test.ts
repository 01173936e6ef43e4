import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AttemptLimit,
  checkAttempt,
  countAttempt,
  resetAttempts,
  sweepAttempts,
  uncountAttempt,
} from './attempts.ts'

const LIMIT: AttemptLimit = { name: 'test.guess', most: 3, withinSeconds: 60 }
const ALLOWED = { allowed: true, retryAfter: 0 }

let server: TestServer
let other: TestServer
beforeAll(async () => {
  server = await startTestServer()
  other = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const guess = ({ app }: TestServer, who: string) => countAttempt(app, app.db.direct, LIMIT, who)

describe('attempts', () => {
  test('are allowed up to the limit over all replicas, then rejected until the window ends', async () => {
    for (const replica of [server, other, server]) expect(await guess(replica, 'ada')).toEqual(ALLOWED)
    expect(await guess(other, 'ada')).toEqual({ allowed: false, retryAfter: 60 })
    server.clock.advance({ seconds: 45 })
    expect(await guess(server, 'ada')).toEqual({ allowed: false, retryAfter: 15 })
    server.clock.advance({ seconds: 15 })
    expect(await guess(server, 'ada')).toEqual(ALLOWED)
  })

  test('that run concurrently are all counted', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => guess(i % 2 ? server : other, 'all at once')),
    )
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(3)
  })

  test('are counted per subject and limit', async () => {
    for (let i = 0; i < 5; i++) await guess(server, 'eve')
    expect(await guess(server, 'grace')).toEqual(ALLOWED)
    const { app } = server
    expect(await countAttempt(app, app.db.direct, { ...LIMIT, name: 'test.other' }, 'eve')).toEqual(ALLOWED)
  })

  test('can be checked without counting, and reset after a success', async () => {
    const { app } = server
    const look = () => checkAttempt(app, app.db.direct, LIMIT, 'linus')
    for (let i = 0; i < 3; i++) {
      expect(await look()).toEqual(ALLOWED)
      await guess(server, 'linus')
    }
    expect(await look()).toMatchObject({ allowed: false })
    await resetAttempts(app, app.db.direct, LIMIT, 'linus')
    expect(await look()).toEqual(ALLOWED)
  })

  test('that did not fail are taken back', async () => {
    const { app } = server
    for (let i = 0; i < 3; i++) await guess(server, 'mary')
    await uncountAttempt(app, app.db.direct, LIMIT, 'mary')
    expect(await guess(server, 'mary')).toEqual(ALLOWED)
    expect(await guess(server, 'mary')).toMatchObject({ allowed: false })
    await uncountAttempt(app, app.db.direct, LIMIT, 'never counted')
    expect(await guess(server, 'never counted')).toEqual(ALLOWED)
  })

  test('are stored with a hashed subject, and deleted when their window has ended', async () => {
    await guess(server, 'someone@example.com')
    const rows = await server.sql.rows<{ subject: string }>`select subject from attempts`
    expect(JSON.stringify(rows)).not.toContain('someone')
    server.clock.advance({ minutes: 2 })
    expect(await sweepAttempts(server.app, 1_000)).toBe(rows.length)
    expect(await server.sql.rows`select name from attempts`).toEqual([])
  })
})
