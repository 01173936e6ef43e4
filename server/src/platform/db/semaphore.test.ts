import { describe, expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

describe('a semaphore', () => {
  test('admits immediately while slots are free, then in the order of arrival', async () => {
    const slots = createSemaphore(2, 1_000, 10)
    expect(slots.acquire()).toBeUndefined()
    expect(slots.acquire()).toBeUndefined()
    const order: number[] = []
    const waiting = [1, 2].map((n) => slots.acquire()?.then(() => order.push(n)))
    expect(slots).toMatchObject({ inUse: 2, waiting: 2 })
    slots.release()
    slots.release()
    await Promise.all(waiting)
    expect(order).toEqual([1, 2])
    slots.release()
    slots.release()
    expect(slots).toMatchObject({ inUse: 0, waiting: 0 })
  })

  test('fails with busy when the wait is too long or the queue is full', async () => {
    const slots = createSemaphore(1, 20, 1)
    slots.acquire()
    const late = slots.acquire()
    expect(() => slots.acquire()).toThrow('at its limit')
    await expect(late).rejects.toMatchObject({ code: 'busy', status: 503, retryAfter: 2 })
    expect(slots.waiting).toBe(0)
    slots.release()
    expect(slots.acquire()).toBeUndefined()
  })
})
