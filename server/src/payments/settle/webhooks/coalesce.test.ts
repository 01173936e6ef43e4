import { beforeEach, expect, test } from 'vitest'
import type { App } from '../../../platform/app.ts'
import { coalesce } from './coalesce.ts'

let app: App
/** Records the copies of each call, and ends calls on demand. */
let calls: { copies: number; end: PromiseWithResolvers<void> }[]
const keep = (copies: number): Promise<void> => {
  const end = Promise.withResolvers<void>()
  calls.push({ copies, end })
  return end.promise
}
const counts = () => calls.map(({ copies }) => copies)

beforeEach(() => {
  app = {} as App
  calls = []
})

test('copies that arrive during a store share the next one', async () => {
  const first = coalesce(app, 'a', keep)
  const others = Array.from({ length: 9 }, () => coalesce(app, 'a', keep))
  expect(counts()).toEqual([1])
  calls[0]?.end.resolve()
  await first
  await expect.poll(counts).toEqual([1, 9])
  const late = coalesce(app, 'a', keep)
  calls[1]?.end.resolve()
  await Promise.all(others)
  await expect.poll(counts).toEqual([1, 9, 1])
  calls[2]?.end.resolve()
  await late
  // The lane is closed, so the next copy starts immediately.
  void coalesce(app, 'a', keep)
  expect(counts()).toEqual([1, 9, 1, 1])
})

test('a failure rejects only the copies of its call', async () => {
  const first = coalesce(app, 'a', keep)
  const second = coalesce(app, 'a', keep)
  calls[0]?.end.reject(new Error('no database'))
  await expect(first).rejects.toThrow('no database')
  await expect.poll(counts).toEqual([1, 1])
  calls[1]?.end.resolve()
  await second
})

test('other events and other apps do not wait', () => {
  void coalesce(app, 'a', keep)
  void coalesce(app, 'b', keep)
  void coalesce({} as App, 'a', keep)
  expect(counts()).toEqual([1, 1, 1])
})
