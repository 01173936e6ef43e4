import { expect, test } from 'vitest'
import { takeNextFair } from './fair-queue.ts'
import { runTask, TaskTimeout, task } from './workers.ts'

const demo = task<{ what: string; times?: number }, { heard: string }>(
  new URL('../../../../testkit/workers/test-task.ts', import.meta.url),
)
const limits = { timeoutMs: 30_000 }

test('a task is done on a thread, and many are done one after the other', async () => {
  const all = Array.from({ length: 20 }, (_, i) => runTask(demo, { what: `${i}` }, limits))
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, i) => ({ heard: `${i}` })))
})

test('what a task throws reaches who asked, and the next one works', async () => {
  await expect(runTask(demo, { what: 'fail' }, limits)).rejects.toThrow('this task fails')
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ heard: 'again' })
})

test('a task that never ends is ended, also one that ends its thread, and the next one works', async () => {
  await expect(runTask(demo, { what: 'spin' }, { timeoutMs: 200 })).rejects.toBeInstanceOf(TaskTimeout)
  await expect(runTask(demo, { what: 'die' }, limits)).rejects.toBeInstanceOf(TaskTimeout)
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ heard: 'again' })
})

test('who gives up gets the thread back for others', async () => {
  const asked = new AbortController()
  const spinning = runTask(demo, { what: 'spin' }, { ...limits, signal: asked.signal })
  const waiting = runTask(demo, { what: 'next' }, limits)
  asked.abort(new Error('no more'))
  await expect(spinning).rejects.toThrow('no more')
  expect(await waiting).toEqual({ heard: 'next' })
  await expect(runTask(demo, { what: 'x' }, { ...limits, signal: asked.signal })).rejects.toThrow('no more')
})

test('who waits can give up before its turn comes', async () => {
  const asked = new AbortController()
  const spin = () => runTask(demo, { what: 'spin' }, { ...limits, signal: asked.signal })
  const spinning = Promise.allSettled(Array.from({ length: 4 }, spin))
  const leaving = new AbortController()
  const left = runTask(demo, { what: 'x' }, { ...limits, signal: leaving.signal })
  leaving.abort(new Error('waited enough'))
  await expect(left).rejects.toThrow('waited enough')
  asked.abort(new Error('no more'))
  await spinning
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ heard: 'again' })
})

test('who asks for little does not wait behind who asks for much', () => {
  const waiting = ['much', 'much', 'much', 'much', 'little', 'much', 'little']
  const turns = Array.from({ length: 7 }, () => takeNextFair(waiting, (owner) => owner))
  expect(turns).toEqual(['much', 'little', 'much', 'little', 'much', 'much', 'much'])
  expect(waiting).toEqual([])
})

test('a thread that was spoilt is not used again', async () => {
  expect(await runTask(demo, { what: 'spoil' }, limits)).toEqual({ heard: 'spoil' })
  expect(await runTask(demo, { what: 'spoilt' }, limits)).toEqual({ heard: 'sound' })
})

test('more than may wait are refused at once', async () => {
  const asked = new AbortController()
  const ask = () => runTask(demo, { what: 'spin' }, { timeoutMs: 60_000, signal: asked.signal })
  const all = Promise.allSettled(Array.from({ length: 210 }, ask))
  asked.abort()
  const codes = (await all).map((each) => (each.status === 'rejected' ? each.reason.code : 'done'))
  expect(codes.filter((code) => code === 'busy').length).toBeGreaterThan(0)
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ heard: 'again' })
})
