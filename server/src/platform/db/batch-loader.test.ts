import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'
import { sendAtTurnEnd } from './turn-end.ts'

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

const turnEnd = () => new Promise(setImmediate)

test('the lookups of one turn of the event loop are batched, and each gets its own result', async () => {
  const { asked, doors, gather } = slow()
  const all = [1, 2, -4, 1].map((key) => gather(key))
  const later = Promise.resolve().then(() => gather(3))
  await turnEnd()
  expect(asked).toEqual([[1, 2, -4, 1, 3]])
  doors[0]?.resolve()
  expect(await Promise.all([...all, later])).toEqual(['found 1', 'found 2', undefined, 'found 1', 'found 3'])
})

test('the statement of a lookup leaves at the end of the same turn', async () => {
  const sent: string[] = []
  const gather = createBatchLoader<number, string>(async (keys) => {
    sendAtTurnEnd(() => sent.push(`statement for ${keys}`))
    return keys.map(String)
  })
  sendAtTurnEnd(() => sent.push('another statement'))
  const found = gather(1)
  await turnEnd()
  expect(sent).toEqual(['another statement', 'statement for 1'])
  expect(await found).toBe('1')
})

test('lookups that arrive while two queries run are batched', async () => {
  const { asked, doors, gather } = slow()
  const all = [gather(1)]
  await turnEnd()
  all.push(gather(2))
  await turnEnd()
  all.push(gather(3), gather(-4))
  await turnEnd()
  all.push(gather(3))
  await turnEnd()
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
  await turnEnd()
  const second = gather(2)
  await turnEnd()
  doors[0]?.reject(new Error('lost'))
  doors[1]?.resolve()
  await expect(first).rejects.toThrow('lost')
  expect(await second).toBe('found 2')
  const third = gather(3)
  await turnEnd()
  doors[2]?.resolve()
  expect(await third).toBe('found 3')
})
