import { testLeaseStore } from '@cowrie/testkit/platform/rate-store-contract.ts'
import { describe } from 'vitest'
import { ManualClock } from '../../../../kernel/clock.ts'
import { createMemoryStore } from './memory.ts'

describe('the store in memory', () => {
  const clock = new ManualClock()
  const store = createMemoryStore(clock)
  testLeaseStore(() => ({ store, clock }))
})
