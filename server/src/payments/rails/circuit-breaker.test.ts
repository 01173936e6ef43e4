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
/** An app that no gate has seen yet. */
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
  test('is asked eight things at once and not more; who waits is asked next', async () => {
    const door = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const ask = async (): Promise<ProviderStatus> => {
      most = Math.max(most, ++running)
      await door.promise
      running--
      return pending
    }
    const asked = Array.from({ length: 8 + 64 }, () => withCircuitBreaker(app, paystack, ask))
    // Beyond the room and the bench nobody waits.
    expect(await withCircuitBreaker(app, paystack, ask)).toMatchObject({ status: 'unknown' })
    // Another rail has a gate of its own.
    expect(await withCircuitBreaker(app, momo, async () => pending)).toEqual(pending)
    door.resolve()
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(most).toBe(8)
    expect(await withCircuitBreaker(app, paystack, async () => pending)).toEqual(pending)
  })

  test('is asked no more at once after many have waited', async () => {
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

  test('that fails in an unforeseen way gives its place back', async () => {
    const broken = async (): Promise<ProviderStatus> => {
      throw new Error('a bug')
    }
    for (let i = 0; i < 20; i++)
      await expect(withCircuitBreaker(app, paystack, broken)).rejects.toThrow('a bug')
    expect(await withCircuitBreaker(app, paystack, async () => pending)).toEqual(pending)
  })

  test.for(['down', 'silent'] as const)(
    'that is %s five times is left alone for half a minute',
    async (fault) => {
      provider.fault = fault
      for (let i = 0; i < 5; i++) await withCircuitBreaker(app, paystack, call)
      provider.fault = null
      expect(await withCircuitBreaker(app, paystack, call)).toMatchObject({ status: 'unknown' })
      expect(provider.requests).toHaveLength(5)
      server.clock.advance({ seconds: 31 })
      expect(await withCircuitBreaker(app, paystack, call)).toEqual(pending)
      // One silence is forgotten by the next answer.
      provider.fault = fault
      await withCircuitBreaker(app, paystack, call)
      provider.fault = null
      expect(await withCircuitBreaker(app, paystack, call)).toEqual(pending)
    },
  )

  test('that answers with errors of its own is asked on', async () => {
    for (let i = 0; i < 8; i++) expect(await withCircuitBreaker(app, daraja, call)).toEqual(pending)
    expect(provider.requests).toHaveLength(8)
  })
})
