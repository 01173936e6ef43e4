// Contract tests for lease stores. The test file of each store runs them.

import type { ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import type { LeaseStore } from '@cowrie/server/src/platform/http/rate/lease-store.ts'
import { expect, test } from 'vitest'

const limit = { requests: 100, seconds: 60 }

/** `open` returns a store over shared counters, so that two stores act as two replicas. */
export function testLeaseStore(open: () => { store: LeaseStore; clock: ManualClock }): void {
  let addresses = 0
  /** Each request uses a new client address. */
  const newAsk = (want: number) => ({ bucket: 'money', address: `198.18.0.${addresses++}`, want, limit })

  test('a lease grants the requested amount, then the rest of the window, then nothing', async () => {
    const { store, clock } = open()
    const ask = newAsk(40)
    const resetsAtMs = clock.now().getTime() + 60_000
    expect(await store.take([ask])).toEqual([{ granted: 40, used: 40, resetsAtMs }])
    clock.advance({ seconds: 20 })
    expect(await store.take([ask])).toEqual([{ granted: 40, used: 80, resetsAtMs }])
    expect(await store.take([ask])).toEqual([{ granted: 20, used: 100, resetsAtMs }])
    expect(await store.take([ask])).toEqual([{ granted: 0, used: 100, resetsAtMs }])
  })

  test('a lease never grants more than the limit', async () => {
    const { store } = open()
    expect(await store.take([newAsk(5_000)])).toMatchObject([{ granted: 100, used: 100 }])
  })

  test('a window ends exactly at its reset, and the next one starts with the next request', async () => {
    const { store, clock } = open()
    const ask = newAsk(100)
    await store.take([ask])
    clock.advance({ ms: 59_999 })
    expect(await store.take([ask])).toMatchObject([{ granted: 0 }])
    clock.advance({ ms: 1 })
    clock.advance({ seconds: 30 })
    const resetsAtMs = clock.now().getTime() + 60_000
    expect(await store.take([ask])).toEqual([{ granted: 100, used: 100, resetsAtMs }])
  })

  test('buckets and addresses are counted separately, and a batch is answered in order', async () => {
    const { store } = open()
    const first = newAsk(10)
    const asks = [first, { ...first, bucket: 'auth', want: 20 }, newAsk(30), newAsk(5)]
    const granted = async () => (await store.take(asks)).map((lease) => [lease.granted, lease.used])
    expect(await granted()).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
      [5, 5],
    ])
    asks.reverse()
    expect(await granted()).toEqual([
      [5, 10],
      [30, 60],
      [20, 40],
      [10, 20],
    ])
  })

  test('a batch of 3 000 addresses is answered in full', async () => {
    const { store } = open()
    const asks = Array.from({ length: 3_000 }, (_, i) => ({
      ...newAsk(2),
      address: `2001:db8:${i.toString(16)}::`,
    }))
    const leases = await store.take(asks)
    expect(leases).toHaveLength(3_000)
    expect(leases.every((lease) => lease.granted === 2 && lease.used === 2)).toBe(true)
  })

  test('two replicas with overlapping batches get exactly the limit in total', async () => {
    const replicas = [open().store, open().store]
    const asks = [newAsk(3), newAsk(7), newAsk(1)]
    const granted = asks.map(() => 0)
    await Promise.all(
      Array.from({ length: 220 }, async (_, call) => {
        const order = call % 3 === 0 ? [0, 1, 2] : call % 3 === 1 ? [2, 1, 0] : [1, 2]
        const mine = order.flatMap((i) => asks[i] ?? [])
        const leases = await replicas[call % 2]?.take(mine)
        for (const [position, i] of order.entries())
          granted[i] = (granted[i] ?? 0) + (leases?.[position]?.granted ?? 0)
      }),
    )
    expect(granted).toEqual([100, 100, 100])
  })

  test('a lowered limit grants nothing more, and a raised limit grants the difference', async () => {
    const { store } = open()
    const ask = newAsk(60)
    await store.take([ask])
    expect(await store.take([{ ...ask, limit: { requests: 50, seconds: 60 } }])).toMatchObject([
      { granted: 0, used: 60 },
    ])
    expect(await store.take([{ ...ask, limit: { requests: 90, seconds: 60 } }])).toMatchObject([
      { granted: 30, used: 90 },
    ])
  })

  test('a window is never longer than configured, even when the clock is set back', async () => {
    const { store, clock } = open()
    const ask = newAsk(100)
    await store.take([ask])
    clock.advance({ hours: -1 })
    expect(await store.take([ask])).toEqual([
      { granted: 0, used: 100, resetsAtMs: clock.now().getTime() + 60_000 },
    ])
    clock.advance({ seconds: 60 })
    expect(await store.take([ask])).toMatchObject([{ granted: 100 }])
  })
}
