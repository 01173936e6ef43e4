import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepDeviceLogins } from './device-login.ts'
import { formatUserCode, newUserCode, normaliseUserCode } from './user-code.ts'

describe('the code to type', () => {
  test('has eight letters of twenty, none of them a vowel or like a digit', () => {
    const letters = new Set<string>()
    for (let i = 0; i < 500; i++) {
      const code = newUserCode()
      expect(code).toMatch(/^[A-Z]{8}$/)
      for (const letter of code) letters.add(letter)
    }
    expect([...letters].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ')
    expect(8 * Math.log2(letters.size)).toBeGreaterThan(34)
  })

  test.for(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk\t', 'B-C-D-F-G-H-J-K', 'BCDF—GHJK'])(
    '%j is read as it is shown',
    (typed) => {
      expect(formatUserCode(normaliseUserCode(typed))).toBe('BCDF-GHJK')
    },
  )
})

describe('an expired request', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test('is deleted in batches, and no other is', async () => {
    for (let i = 0; i < 3; i++) await server.call('POST', '/auth/device', { body: {} })
    server.clock.advance({ minutes: 9 })
    await server.call('POST', '/auth/device', { body: { clientName: 'younger' } })
    expect(await sweepDeviceLogins(server.app, 10)).toBe(0)
    server.clock.advance({ minutes: 1 })
    expect(await sweepDeviceLogins(server.app, 2)).toBe(2)
    expect(await sweepDeviceLogins(server.app, 2)).toBe(1)
    expect(await server.sql.rows`select client_name from device_logins`).toEqual([{ client_name: 'younger' }])
  })
})
