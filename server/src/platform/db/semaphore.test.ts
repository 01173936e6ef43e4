import { describe, expect, test } from 'vitest'
import { createSlots } from './semaphore.ts'

describe('places in the pool', () => {
  test('are given at once while there are any, then in the order of asking', async () => {
    const slots = createSlots(2, 1_000, 10)
    expect(slots.take()).toBeUndefined()
    expect(slots.take()).toBeUndefined()
    const order: number[] = []
    const waiting = [1, 2].map((n) => slots.take()?.then(() => order.push(n)))
    expect(slots).toMatchObject({ inUse: 2, waiting: 2 })
    slots.give()
    slots.give()
    await Promise.all(waiting)
    expect(order).toEqual([1, 2])
    slots.give()
    slots.give()
    expect(slots).toMatchObject({ inUse: 0, waiting: 0 })
  })

  test('are refused as busy when waiting takes too long or too many wait', async () => {
    const slots = createSlots(1, 20, 1)
    slots.take()
    const late = slots.take()
    expect(() => slots.take()).toThrow('at its limit')
    await expect(late).rejects.toMatchObject({ code: 'busy', status: 503, retryAfter: 2 })
    expect(slots.waiting).toBe(0)
    slots.give()
    expect(slots.take()).toBeUndefined()
  })
})
