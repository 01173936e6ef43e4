import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeNextFair } from './fair-queue.ts'
import { limitThreads, runTask, TaskTimeout, task } from './workers.ts'

const demo = task<{ what: string; times?: number }, { echo: string }>(
  new URL('../../../../testkit/workers/test-task.ts', import.meta.url),
)
const limits = { timeoutMs: 30_000 }

// Other tests use one thread.
beforeAll(() => limitThreads(2))
afterAll(() => limitThreads(1))

test('tasks run on worker threads', async () => {
  const all = Array.from({ length: 20 }, (_, i) => runTask(demo, { what: `${i}` }, limits))
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, i) => ({ echo: `${i}` })))
})

test('the error of a task reaches the caller, and the next task runs', async () => {
  await expect(runTask(demo, { what: 'fail' }, limits)).rejects.toThrow('this task fails')
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ echo: 'again' })
})

test('a task that never ends or exits its thread fails, and the next task runs', async () => {
  await expect(runTask(demo, { what: 'spin' }, { timeoutMs: 200 })).rejects.toBeInstanceOf(TaskTimeout)
  await expect(runTask(demo, { what: 'die' }, limits)).rejects.toBeInstanceOf(TaskTimeout)
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ echo: 'again' })
})

test('an aborted task frees its thread', async () => {
  const aborting = new AbortController()
  const spinning = runTask(demo, { what: 'spin' }, { ...limits, signal: aborting.signal })
  const waiting = runTask(demo, { what: 'next' }, limits)
  aborting.abort(new Error('no more'))
  await expect(spinning).rejects.toThrow('no more')
  expect(await waiting).toEqual({ echo: 'next' })
  await expect(runTask(demo, { what: 'x' }, { ...limits, signal: aborting.signal })).rejects.toThrow(
    'no more',
  )
})

test('a queued task can be aborted', async () => {
  const aborting = new AbortController()
  const spin = () => runTask(demo, { what: 'spin' }, { ...limits, signal: aborting.signal })
  const spinning = Promise.allSettled(Array.from({ length: 4 }, spin))
  const leaving = new AbortController()
  const left = runTask(demo, { what: 'x' }, { ...limits, signal: leaving.signal })
  leaving.abort(new Error('waited enough'))
  await expect(left).rejects.toThrow('waited enough')
  aborting.abort(new Error('no more'))
  await spinning
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ echo: 'again' })
})

test('an owner with few tasks does not wait behind an owner with many', () => {
  const waiting = ['much', 'much', 'much', 'much', 'little', 'much', 'little']
  const turns = Array.from({ length: 7 }, () => takeNextFair(waiting, (owner) => owner))
  expect(turns).toEqual(['much', 'little', 'much', 'little', 'much', 'much', 'much'])
  expect(waiting).toEqual([])
})

test('an unusable thread is not used again', async () => {
  expect(await runTask(demo, { what: 'break' }, limits)).toEqual({ echo: 'break' })
  expect(await runTask(demo, { what: 'check' }, limits)).toEqual({ echo: 'usable' })
})

test('a task runs on the thread that ran a near one, if that thread is idle', async () => {
  const threadOf = async (near: string) => (await runTask(demo, { what: 'thread' }, { ...limits, near })).echo
  const [one, other] = await Promise.all([threadOf('one'), threadOf('other')])
  expect(one).not.toBe(other)
  for (let round = 0; round < 3; round++) {
    expect(await threadOf('one')).toBe(one)
    expect(await threadOf('other')).toBe(other)
  }
})

test('tasks beyond the queue limit fail immediately with busy', async () => {
  const aborting = new AbortController()
  const ask = () => runTask(demo, { what: 'spin' }, { timeoutMs: 60_000, signal: aborting.signal })
  const all = Promise.allSettled(Array.from({ length: 210 }, ask))
  aborting.abort()
  const codes = (await all).map((each) => (each.status === 'rejected' ? each.reason.code : 'done'))
  expect(codes.filter((code) => code === 'busy').length).toBeGreaterThan(0)
  expect(await runTask(demo, { what: 'again' }, limits)).toEqual({ echo: 'again' })
})
