import {
  answer,
  change,
  create,
  type LoopTestServer,
  readBooks,
  runToEnd,
  SHELL,
  startLoopServer,
  textOf,
} from '@cowrie/testkit/agent/loop.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mark } from '../prompt/markers.ts'

let loops: LoopTestServer
beforeAll(async () => {
  loops = await startLoopServer()
})
afterAll(() => loops.close())
afterEach(() => loops.upstream.reset())

const NONE = { prompt: 'Let there be a good word.', context: SHELL.context }
const GOOD = change('word.txt', 'bad', 'good')
const UNREAD = 'I fixed it:\n\n```\na good word\n```\n'
const endless = (nonce: string) =>
  [mark(nonce, 'FILE create word.txt'), 'why: x', mark(nonce, 'BODY'), 'good'].join('\n')

test('an unreadable answer is requested again, and only the readable one is charged', async () => {
  const ada = await loops.customer()
  loops.upstream.script({ text: UNREAD }, answer(GOOD))
  const { last, steps } = await runToEnd(loops.address, ada, SHELL)
  expect(last).toMatchObject({
    verified: true,
    iterations: 2,
    result: {
      status: 'complete',
      summary: 'It is repaired.',
      edits: [{ path: 'word.txt', content: 'good\n' }],
    },
  })
  expect(last.result.warnings).toEqual([])
  expect(steps.filter(({ step }) => step === 'edit').map(({ ok }) => ok)).toEqual([false, true])
  expect(textOf(loops.upstream.requests[1])).toContain('No edit could be found')
  const books = await readBooks(loops.server, ada.orgId)
  expect(books).toMatchObject({ held: 0n, count: 1n, charged: last.totalCostMinor })
})

test.for([
  ['answers that cannot be read', () => ({ text: UNREAD })],
  ['files without their end', answer(endless)],
  ['edits that cannot be applied', answer(change('word.txt', 'worse', 'good'))],
] as const)('a loop of only %s costs nothing, and reports the reason', async ([, reply]) => {
  const ada = await loops.customer()
  loops.upstream.fallback(reply)
  const { last } = await runToEnd(loops.address, ada, SHELL, 'idle')
  expect(last).toMatchObject({
    verified: false,
    stopReason: 'stuck',
    iterations: 2,
    totalCostMinor: 0n,
    balanceMinor: 1_000_000n,
    result: { status: 'partial', edits: [] },
  })
  expect(last.result.summary).toMatch(/^No file was changed\. Nothing was charged\./)
  expect(last.result.warnings).toContain('not_charged')
  expect(await readBooks(loops.server, ada.orgId)).toMatchObject({ balance: 1_000_000n, held: 0n, count: 0n })
  const read = await loops.server.call('GET', `/agent/runs/${last.id}`, { as: ada })
  expect(read.body).toMatchObject({
    costMinor: 0n,
    result: { status: 'partial', summary: last.result.summary },
  })
  const again = await runToEnd(loops.address, ada, SHELL, 'idle')
  expect(again.last).toMatchObject({ id: last.id, totalCostMinor: 0n })
})

test('a file without its end is not applied, and the result is partial and names it', async () => {
  const ada = await loops.customer()
  loops.upstream.fallback(answer(create('ok.txt', 'fine'), endless))
  const { last } = await runToEnd(loops.address, ada, { ...NONE, maxIters: 1 })
  expect(last.result).toMatchObject({ status: 'partial', edits: [{ path: 'ok.txt' }] })
  expect(last.result.warnings?.join()).toContain('not_applied: "word.txt"')
  expect(last.result.summary).toMatch(
    /^Partial result: 1 changed, 1 not changed\.\n\nNot applied:\n- "word\.txt"/,
  )
  expect(last.totalCostMinor).toBeGreaterThan(0n)
})

test('long prose is charged even if no edit could be applied', async () => {
  const ada = await loops.customer()
  const essay = 'Once upon a time. '.repeat(600)
  loops.upstream.fallback((request) =>
    answer(change('word.txt', 'worse', 'good'))(request).replace('1. Look.', essay),
  )
  const { last } = await runToEnd(loops.address, ada, { ...NONE, maxIters: 1 })
  expect(last.totalCostMinor).toBeGreaterThan(0n)
})

test('the summary is about the attempt whose files are returned', async () => {
  const ada = await loops.customer()
  const context = [
    { path: 'n.txt', content: '5\n' },
    { path: 'check.mjs', content: CHECK },
  ]
  const said =
    (words: string, before: string, after: string) => (request: Parameters<ReturnType<typeof answer>>[0]) =>
      answer(change('n.txt', before, after))(request).replace('It is repaired.', words)
  loops.upstream.script(said('Down to one.', '5', '1'), said('Up to nine.', '1', '9'))
  const { last } = await runToEnd(loops.address, ada, {
    prompt: 'Make it 0.',
    context,
    sandbox: 'local',
    testCmd: 'node check.mjs',
    maxIters: 2,
  })
  expect(last.result).toMatchObject({ edits: [{ content: '1\n' }], summary: 'Down to one.' })
})

/** Fails as many tests as the file says. */
const CHECK = `import { readFileSync } from 'node:fs'
import test from 'node:test'
import assert from 'node:assert'
const n = Number(readFileSync('n.txt', 'utf8'))
for (let i = 0; i < 10; i++) test('t' + i, () => assert.ok(i >= n))
`
