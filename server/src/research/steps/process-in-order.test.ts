import { expect, test } from 'vitest'
import { processInOrder } from './process-in-order.ts'

test('results are handled in the given order, whichever comes first', async () => {
  const gates = new Map([1, 2, 3].map((n) => [n, Promise.withResolvers<string>()]))
  const kept: string[] = []
  const done = processInOrder(
    [1, 2, 3],
    3,
    (n) => gates.get(n)?.promise ?? Promise.reject(new Error('unknown')),
    async (n, result) => void kept.push(`${n}${result}`),
  )
  gates.get(3)?.resolve('c')
  gates.get(2)?.resolve('b')
  gates.get(1)?.resolve('a')
  await done
  expect(kept).toEqual(['1a', '2b', '3c'])
})

test('the concurrency is limited', async () => {
  let now = 0
  let most = 0
  await processInOrder(
    Array.from({ length: 20 }, (_, at) => at),
    4,
    async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
    },
    async () => undefined,
  )
  expect(most).toBe(4)
})

test('after a failed handler nothing more starts, and running operations are awaited', async () => {
  let begun = 0
  let ended = 0
  const done = processInOrder(
    [1, 2, 3, 4, 5, 6],
    2,
    async () => {
      begun++
      await new Promise((resolve) => setImmediate(resolve))
      ended++
    },
    async () => {
      throw new Error('no room')
    },
  )
  await expect(done).rejects.toThrow('no room')
  expect(begun).toBe(3)
  expect(ended).toBe(3)
})
