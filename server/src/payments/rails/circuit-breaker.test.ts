import { type LoopbackServer, startLoopbackServer } from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../platform/app.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import type { HttpClient } from './http-client.ts'
import type { ProviderStatus } from './rail.ts'

const paystack = { name: 'paystack', account: 'NG' } as const
const momo = { name: 'momo', account: 'UG' } as const
const daraja = { name: 'daraja', account: 'KE' } as const

let server: TestServer
let provider: LoopbackServer
/** A new app without breaker state. */
let app: App

beforeAll(async () => {
  server = await startTestServer()
  provider = await startLoopbackServer(() => ({
    status: 500,
    body: { error: 'in the provider’s own words' },
  }))
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => {
  app = { ...server.app }
  provider.fault = null
  provider.requests.length = 0
})

const pending: ProviderStatus = { status: 'pending', detail: '' }

async function call(http: HttpClient): Promise<ProviderStatus> {
  try {
    await http.call(provider.url, { method: 'GET' })
    return pending
  } catch {
    return { status: 'unknown', reason: 'silence' }
  }
}

describe('a provider', () => {
  test('gets at most eight concurrent calls, and waiting calls follow', async () => {
    const gate = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const ask = async (): Promise<ProviderStatus> => {
      most = Math.max(most, ++running)
      await gate.promise
      running--
      return pending
    }
    const calls = Array.from({ length: 8 + 64 }, () => withCircuitBreaker(app, paystack, ask))
    // Calls beyond the slots and the queue do not wait.
    expect(await withCircuitBreaker(app, paystack, ask)).toMatchObject({ status: 'unknown' })
    // Another rail has a separate breaker.
    expect(await withCircuitBreaker(app, momo, async () => pending)).toEqual(pending)
    gate.resolve()
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(most).toBe(8)
    expect(await withCircuitBreaker(app, paystack, async () => pending)).toEqual(pending)
  })

  test('keeps its concurrency limit after a full queue', async () => {
    let running = 0
    let most = 0
    const ask = async (): Promise<ProviderStatus> => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return pending
    }
    for (let round = 0; round < 2; round++)
      await Promise.all(Array.from({ length: 30 }, () => withCircuitBreaker(app, paystack, ask)))
    expect(most).toBe(8)
  })

  test('releases the slot after an unexpected error', async () => {
    const broken = async (): Promise<ProviderStatus> => {
      throw new Error('a bug')
    }
    for (let i = 0; i < 20; i++)
      await expect(withCircuitBreaker(app, paystack, broken)).rejects.toThrow('a bug')
    expect(await withCircuitBreaker(app, paystack, async () => pending)).toEqual(pending)
  })

  test.for(['down', 'silent'] as const)(
    'is paused for 30 seconds after being %s five times',
    async (fault) => {
      provider.fault = fault
      for (let i = 0; i < 5; i++) await withCircuitBreaker(app, paystack, call)
      provider.fault = null
      expect(await withCircuitBreaker(app, paystack, call)).toMatchObject({ status: 'unknown' })
      expect(provider.requests).toHaveLength(5)
      server.clock.advance({ seconds: 31 })
      expect(await withCircuitBreaker(app, paystack, call)).toEqual(pending)
      // A success resets the failure count.
      provider.fault = fault
      await withCircuitBreaker(app, paystack, call)
      provider.fault = null
      expect(await withCircuitBreaker(app, paystack, call)).toEqual(pending)
    },
  )

  test('is not paused after error replies', async () => {
    for (let i = 0; i < 8; i++) expect(await withCircuitBreaker(app, daraja, call)).toEqual(pending)
    expect(provider.requests).toHaveLength(8)
  })
})
