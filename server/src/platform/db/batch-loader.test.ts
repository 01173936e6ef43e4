import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

/** A loader whose answers the test releases. It records the keys of each batch. */
function slow() {
  const asked: number[][] = []
  const doors: PromiseWithResolvers<void>[] = []
  const gather = createBatchLoader<number, string>(async (keys) => {
    asked.push([...keys])
    const door = Promise.withResolvers<void>()
    doors.push(door)
    await door.promise
    return keys.map((key) => (key < 0 ? undefined : `found ${key}`))
  })
  return { asked, doors, gather }
}

test('a lookup is sent immediately when no query is running', async () => {
  const { asked, doors, gather } = slow()
  const first = gather(1)
  expect(asked).toEqual([[1]])
  doors[0]?.resolve()
  expect(await first).toBe('found 1')
})

test('lookups that arrive during a query are batched, and each gets its own result', async () => {
  const { asked, doors, gather } = slow()
  const all = [1, 2, 3, -4, 3].map((key) => gather(key))
  expect(asked).toEqual([[1], [2]])
  doors[0]?.resolve()
  await expect.poll(() => asked.length).toBe(3)
  expect(asked[2]).toEqual([3, -4, 3])
  for (const door of doors) door.resolve()
  expect(await Promise.all(all)).toEqual(['found 1', 'found 2', 'found 3', undefined, 'found 3'])
})

test('a failed query rejects only the lookups of its batch', async () => {
  const { doors, gather } = slow()
  const first = gather(1)
  const second = gather(2)
  doors[0]?.reject(new Error('lost'))
  doors[1]?.resolve()
  await expect(first).rejects.toThrow('lost')
  expect(await second).toBe('found 2')
  const third = gather(3)
  doors[2]?.resolve()
  expect(await third).toBe('found 3')
})
