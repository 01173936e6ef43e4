// Rate windows in memory: a fake of the shared store, with the same arithmetic.
import type { Clock } from '../../../../kernel/clock.ts'
import type { Lease, LeaseStore } from '../lease-store.ts'

/** Grows with every address, so it is only for tests. */
export function createMemoryStore(clock: Clock): LeaseStore {
  const windows = new Map<string, { used: number; resetsAtMs: number }>()

  return {
    async take(requests) {
      const nowMs = clock.now().getTime()
      return requests.map(({ bucket, address, want, limit }): Lease => {
        const endMs = nowMs + limit.seconds * 1000
        const held = windows.get(`${bucket} ${address}`)
        const { used, resetsAtMs } = held && held.resetsAtMs > nowMs ? held : { used: 0, resetsAtMs: endMs }
        const granted = Math.max(0, Math.min(want, limit.requests - used))
        const window = { used: used + granted, resetsAtMs: Math.min(resetsAtMs, endMs) }
        windows.set(`${bucket} ${address}`, window)
        return { granted, ...window }
      })
    },
    close: async () => undefined,
  }
}
