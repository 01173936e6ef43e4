import { expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import { createCacheRefresher } from './cache-refresh.ts'
import type { Db } from './tx.ts'

const log = createLog({ level: 'silent' })
const db = { listen: () => () => {} } as unknown as Db

test('a read that is running or queued when the refresher closes is not applied', async () => {
  const begun: PromiseWithResolvers<void>[] = []
  const enforced: number[] = []
  const fresh = createCacheRefresher(db, {
    log,
    topic: 'things',
    everyMs: 60_000,
    async read() {
      const reading = Promise.withResolvers<void>()
      const number = begun.push(reading)
      await reading.promise
      return () => void enforced.push(number)
    },
  })
  const first = fresh.refresh()
  await expect.poll(() => begun.length).toBe(1)
  begun[0]?.resolve()
  await first
  const underWay = fresh.refresh()
  await expect.poll(() => begun.length).toBe(2)
  const waiting = fresh.refresh()
  fresh.close()
  begun[1]?.resolve()
  await Promise.all([underWay, waiting])
  expect(enforced).toEqual([1])
  expect(begun).toHaveLength(2)
})
