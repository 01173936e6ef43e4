// A step waits for a task only for a limited time, and does not fail with it.
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import { type CheckInput, run } from '../evidence/check-findings-task.ts'
import { runOptionalTask } from './run-optional-task.ts'

const demo = task<{ what: string }, { heard: string }>(
  new URL('../../../../testkit/workers/test-task.ts', import.meta.url),
)
const log = createLog({ level: 'silent' })
const given = new AbortController()
const step = (signal = given.signal) => ({ app: { log }, work: { signal }, orgId: 'org_x' })

test('the step gets the result of the task', async () => {
  expect(await runOptionalTask(step(), demo, { what: 'hello' }, 10_000)).toEqual({
    value: { echo: 'hello' },
  })
})

test.for(['fail', 'die', 'spin'])('a task that does "%s" leaves the step without a result', async (what) => {
  expect(await runOptionalTask(step(), demo, { what }, what === 'spin' ? 100 : 10_000)).toBe('failed')
})

test('an abort ends the wait', async () => {
  const leaving = new AbortController()
  const waiting = runOptionalTask(step(leaving.signal), demo, { what: 'spin' }, 60_000)
  leaving.abort(new Error('no more'))
  await expect(waiting).rejects.toThrow('no more')
})

test('busy threads are retried', async () => {
  const others = new AbortController()
  const spin = () => runTask(demo, { what: 'spin' }, { timeoutMs: 60_000, signal: others.signal })
  const taken = Promise.allSettled(Array.from({ length: 210 }, spin))
  const waiting = runOptionalTask(step(), demo, { what: 'again' }, 10_000)
  others.abort()
  expect(await waiting).toEqual({ value: { echo: 'again' } })
  await taken
})

test('long pages are checked without blocking the service', async () => {
  const sentence = 'The port of Makoro handled 120 ships in 2024, and all of them paid the fee. '
  const text = sentence.repeat(200_000 / sentence.length)
  const input: CheckInput = {
    question: 'How busy is the port of Makoro?',
    plan: { subquestions: [{ question: 'How busy is the port of Makoro?', queries: [] }] },
    pages: Array.from({ length: rounds(3, 8) }, (_, at) => ({
      n: at + 1,
      title: '',
      url: '',
      text: `${at} ${text}`,
    })),
    known: [],
    answer: null,
  }
  const check = task<CheckInput, ReturnType<typeof run>>(
    new URL('../evidence/check-findings-task.ts', import.meta.url),
  )
  let beats = 0
  const beat = setInterval(() => beats++, 5)
  const looked = await runOptionalTask(step(), check, input, 20_000)
  clearInterval(beat)
  expect(looked).toEqual({ value: run(input) })
  expect(beats).toBeGreaterThan(10)
})
