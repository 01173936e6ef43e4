import { setImmediate as turn } from 'node:timers/promises'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assert, present } from '../../../kernel/assert.ts'
import { ManualClock } from '../../../kernel/clock.ts'
import type { Lease, LeaseRequest, LeaseStore } from './lease-store.ts'
import { createRateLimiter } from './rate.ts'
import { createMemoryStore } from './stores/memory.ts'
import type { RateVerdict } from './window.ts'

type Step =
  | { do: 'request'; replica: number; client: number; times: number }
  | { do: 'count'; pick: number }
  | { do: 'answer'; pick: number }
  | { do: 'lose'; pick: number }
  | { do: 'advance'; ms: number }

const pick = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      replica: fc.nat(1),
      client: fc.nat(1),
      times: fc.constantFrom(1, 2, 3, 20, 70),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('count' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1, 900, 5_000, 10_000) }),
  },
)

test('no interleaving of two replicas admits more than the limit in any window', async () => {
  // Small limits are leased one by one, large ones two to four at a time.
  const limit = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 100, max: 200 }))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), limit, async (script, requests) => {
      const world = createWorld(requests)
      for (const todo of script) await world.perform(todo)
      await world.finish()
      expect(world.faults).toEqual([])
      for (const [window, admitted] of world.admitted) expect(admitted, window).toBeLessThanOrEqual(requests)
    }),
    { numRuns: rounds(40, 150) },
  )
})

type Call = {
  asks: LeaseRequest[]
  leases?: Lease[]
  resolve: (leases: Lease[]) => void
  reject: (error: Error) => void
}

/**
 * Two replicas over one store that counts, responds and loses responses by script. All requests use `money`, where a lost
 * response must never admit an uncounted request.
 */
function createWorld(requests: number) {
  const clock = new ManualClock()
  const shared = createMemoryStore(clock)
  const calls: Call[] = []
  const faults: string[] = []
  const store: LeaseStore = {
    take(asks) {
      if (new Set(asks.map((ask) => ask.address)).size < asks.length)
        faults.push('a client was requested twice')
      return new Promise((resolve, reject) => calls.push({ asks, resolve, reject }))
    },
    close: shared.close,
  }
  const limit = { requests, seconds: 10 }
  const limits = { auth: limit, money: limit, webhook: limit, global: limit, document: limit }
  const options = { storeTimeoutMs: 60_000, onStoreFailure: () => undefined }
  const replicas = [0, 1].map(() => createRateLimiter(store, limits, clock, options))

  /** Admissions by client and by the end of the window of their token. */
  const admitted = new Map<string, number>()
  const windowEndsMs = new Map<string, number>()
  let delivered: Call | undefined

  function admit(client: string, resetsAtMs: number | undefined): void {
    assert(resetsAtMs !== undefined, 'no request is admitted before the store has counted')
    const window = `${client} until ${resetsAtMs}`
    admitted.set(window, (admitted.get(window) ?? 0) + 1)
  }

  function request(replica: number, client: string): void {
    const verdict = replicas[replica]?.check('money', client)
    if (verdict instanceof Promise) {
      const onAnswer = ({ allowed }: RateVerdict) => allowed && admit(client, resetOf(client, delivered))
      verdict.then(onAnswer, (error) => expect(error).toMatchObject({ status: 503 }))
    } else if (verdict?.allowed) {
      const endMs = windowEndsMs.get(client)
      assert(endMs !== undefined && clock.now().getTime() < endMs, 'tokens end with their window')
      admit(client, endMs)
    }
  }

  async function count(call: Call): Promise<void> {
    call.leases = await shared.take(call.asks)
    for (const [i, ask] of call.asks.entries()) {
      const endMs = call.leases[i]?.resetsAtMs
      if (endMs !== undefined) windowEndsMs.set(ask.address, endMs)
    }
  }

  async function answer(call: Call): Promise<void> {
    if (call.leases === undefined) await count(call)
    calls.splice(calls.indexOf(call), 1)
    delivered = call
    call.resolve(present(call.leases, 'it was counted'))
    await turn()
    delivered = undefined
  }

  async function perform(todo: Step): Promise<void> {
    if (todo.do === 'advance') clock.advance({ ms: todo.ms })
    else if (todo.do === 'request') {
      for (let i = 0; i < todo.times; i++) request(todo.replica, `198.51.100.${todo.client}`)
      await turn()
    } else {
      const call = calls[todo.pick % calls.length]
      if (call === undefined) return
      if (todo.do === 'answer') await answer(call)
      else if (todo.do === 'count' && call.leases === undefined) await count(call)
      else if (todo.do === 'lose') {
        calls.splice(calls.indexOf(call), 1)
        call.reject(new Error('the answer was lost'))
        await turn()
      }
    }
  }

  async function finish(): Promise<void> {
    for (let rounds = 0; calls.length > 0; rounds++) {
      assert(rounds < 1_000, 'every request is settled')
      await perform({ do: 'answer', pick: 0 })
    }
  }

  return { admitted, faults, perform, finish }
}

const resetOf = (client: string, call: Call | undefined): number | undefined =>
  call?.leases?.[call.asks.findIndex((ask) => ask.address === client)]?.resetsAtMs
