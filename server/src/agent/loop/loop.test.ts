import {
  answer,
  change,
  create,
  LOCAL,
  type LoopTestServer,
  openLoopClient,
  readBooks,
  runToEnd,
  SHELL,
  startLoopServer,
  textOf,
} from '@cowrie/testkit/agent/loop.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let loops: LoopTestServer
beforeAll(async () => {
  loops = await startLoopServer()
})
afterAll(() => loops.close())
afterEach(() => loops.upstream.reset())

const RIGHT = change('add.mjs', 'export const add = (a, b) => a - b', 'export const add = (a, b) => a + b')
const word = (before: string, after: string) => change('word.txt', before, after)

describe('a loop', () => {
  test('makes a failing test pass, and reports its steps and costs', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(RIGHT))
    const { status, frames, steps, deltas, last } = await runToEnd(loops.address, ada, LOCAL)
    const books = await readBooks(loops.server, ada.orgId)

    expect(status).toBe(200)
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1))
    expect(frames[0]).toMatchObject({
      start: { id: books.runs[0]?.id, lane: 'open', model: 'small-1', sandbox: 'local', maxIters: 3 },
    })
    expect(deltas).toContain('1. Look.')
    expect(deltas).toContain('update add.mjs\n')
    expect(deltas).toContain('It is repaired.')
    expect(deltas).not.toContain('[[')
    const costMinor = last.totalCostMinor
    expect(steps).toMatchObject([
      { step: 'verify', turn: 0, ok: false, costMinor: 0n, tests: { passed: 1, failed: 1 } },
      { step: 'plan', turn: 1, ok: true, costMinor },
      { step: 'edit', turn: 1, ok: true, costMinor, files: [{ path: 'add.mjs', action: 'update' }] },
      { step: 'verify', turn: 1, ok: true, costMinor, tests: { passed: 2, failed: 0 } },
    ])
    expect(last).toMatchObject({
      verified: true,
      iterations: 1,
      cancelled: false,
      stopReason: 'verified',
      evidence: 'tests',
      tests: { passed: 2, failed: 0 },
      balanceMinor: 1_000_000n - costMinor,
      result: {
        plan: '1. Look.\n2. Repair.',
        summary: 'It is repaired.',
        edits: [{ path: 'add.mjs', action: 'update', content: 'export const add = (a, b) => a + b\n' }],
        lane: 'open',
        model: 'small-1',
        costMinor,
        balanceMinor: 1_000_000n - costMinor,
      },
    })
    expect(last).not.toHaveProperty('testsModified')
    expect(costMinor).toBeGreaterThan(0n)
    expect(books).toMatchObject({
      balance: 1_000_000n - costMinor,
      held: 0n,
      charged: costMinor,
      count: 1n,
      runs: [
        {
          status: 'completed',
          stop_reason: 'verified',
          iterations: 1,
          verified: true,
          cost_minor: costMinor,
        },
      ],
    })
  })

  test('sends the failure and the earlier attempts to the next turn, with the current files', async () => {
    const ada = await loops.customer()
    loops.upstream.script(
      answer(change('add.mjs', 'export const add = (a, b) => a - b', 'export const add = (a, b) => a * b')),
      answer(change('add.mjs', 'export const add = (a, b) => a * b', 'export const add = (a, b) => a + b')),
    )
    const { last, steps } = await runToEnd(loops.address, ada, LOCAL)
    expect(last).toMatchObject({ verified: true, iterations: 2, stopReason: 'verified' })
    expect(last.result.edits).toMatchObject([{ content: 'export const add = (a, b) => a + b\n' }])
    expect(steps.map(({ step, turn, ok }) => [step, turn, ok])).toEqual([
      ['verify', 0, false],
      ['plan', 1, true],
      ['edit', 1, true],
      ['verify', 1, false],
      ['retry', 2, true],
      ['edit', 2, true],
      ['verify', 2, true],
    ])
    const asked = textOf(loops.upstream.requests[1])
    expect(asked).toContain('=> a * b')
    expect(asked).toContain('6 == 5')
    expect(asked).toContain('attempt 1: changed add.mjs')
  })

  test('charges the rounded sum of its iterations once, and the ledger shows that sum', async () => {
    const ada = await loops.customer()
    const usage = { prompt_tokens: 1_000, completion_tokens: 1, total_tokens: 1_001 }
    const wordy = (text: string, before: string) => (request: Parameters<ReturnType<typeof answer>>[0]) => ({
      text: answer(word(before, text))(request),
      usage,
    })
    loops.upstream.script(wordy('poor', 'bad'), wordy('fair', 'poor'), wordy('good', 'fair'))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({ verified: true, iterations: 3, evidence: 'exit-code' })
    // 3 × 1001 tokens at 90 000 kobo per million are 270.27: one kobo of rounding, not three.
    expect(last.totalCostMinor).toBe(271n)
    expect(await readBooks(loops.server, ada.orgId)).toMatchObject({ charged: 271n, count: 3n, held: 0n })
  })

  test('ends at the last iteration of the plan, with its best attempt', async () => {
    const ada = await loops.customer()
    let turn = 0
    loops.upstream.fallback((request) => answer(create(`note-${++turn}.txt`, `${turn}`))(request))
    const { frames, last } = await runToEnd(loops.address, ada, { ...SHELL, maxIters: 8 })
    expect(frames[0]).toMatchObject({ start: { maxIters: 3 } })
    expect(last).toMatchObject({ verified: false, iterations: 3, stopReason: 'max_iters' })
    expect(loops.upstream.requests).toHaveLength(3)
    expect(textOf(loops.upstream.requests[2])).toContain('different hypothesis')
    expect(last.result.edits.map(({ path }) => path)).toEqual(['note-1.txt', 'note-2.txt', 'note-3.txt'])
  })

  test('of a team has four iterations, or fewer if requested', async () => {
    const team = await loops.customer(1_000_000n, 'team')
    loops.upstream.fallback(answer(word('bad', 'good')))
    const most = await runToEnd(loops.address, team, { ...SHELL, sandbox: 'none' })
    expect(most.frames[0]).toMatchObject({ start: { maxIters: 4, sandbox: 'none' } })
    const fewer = await runToEnd(loops.address, team, { ...SHELL, sandbox: 'none', maxIters: 2 })
    expect(fewer.frames[0]).toMatchObject({ start: { maxIters: 2 } })
  })

  test('stops when an attempt would repeat the last one', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('bad', 'poor')), answer(word('poor', 'poor')))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({ verified: false, iterations: 2, stopReason: 'stuck' })
    expect(last.result.edits).toMatchObject([{ path: 'word.txt', content: 'poor\n' }])
  })

  test('stops when attempts repeat in a cycle', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('bad', 'poor')), answer(word('poor', 'bad')))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({ verified: false, iterations: 2, stopReason: 'stuck' })
  })

  test('requests edits again that could not be applied', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('worse', 'good')), answer(word('bad', 'good')))
    const { last, steps } = await runToEnd(loops.address, ada, SHELL)
    expect(last).toMatchObject({ verified: true, iterations: 2 })
    expect(steps[2]).toMatchObject({ step: 'edit', turn: 1, ok: false, failures: [{ path: 'word.txt' }] })
    expect(textOf(loops.upstream.requests[1])).toContain('FIND does not occur in the file')
  })

  test('without a change is never verified, although all tests pass', async () => {
    const ada = await loops.customer()
    const context = SHELL.context.map((file) => ({ ...file, content: file.content.replace('bad', 'good') }))
    loops.upstream.script(answer())
    const { last, steps } = await runToEnd(loops.address, ada, { ...SHELL, context })
    expect(steps[0]).toMatchObject({
      step: 'verify',
      turn: 0,
      ok: true,
      note: expect.stringContaining('pass'),
    })
    expect(last).toMatchObject({ verified: false, iterations: 1, stopReason: 'stuck', result: { edits: [] } })
  })

  test('drops and reports edits outside the workspace', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('bad', 'good'), create('../evil.sh', 'x')))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    expect(last.result.edits.map(({ path }) => path)).toEqual(['word.txt'])
    expect(last.result.summary).toContain('../evil.sh')
  })

  test('uses the frontier lane on request', async () => {
    const ada = await loops.customer(10_000_000n)
    loops.upstream.script(answer(word('bad', 'good')))
    const { frames } = await runToEnd(loops.address, ada, { ...SHELL, sandbox: 'none', frontier: true })
    expect(frames[0]).toMatchObject({ start: { lane: 'frontier', model: 'big-1' } })
  })

  test('can be read afterwards with its whole result', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('bad', 'good')))
    const { last } = await runToEnd(loops.address, ada, SHELL)
    const { balanceMinor: _, ...result } = last.result
    const read = await loops.server.call('GET', `/agent/runs/${last.id}`, { as: ada })
    expect(read.body).toMatchObject({
      kind: 'loop',
      status: 'completed',
      verified: true,
      iterations: 1,
      sandbox: 'local',
      testCmd: 'sh check.sh',
      costMinor: last.totalCostMinor,
      result,
    })
  })
})

describe('without a sandbox', () => {
  test('the first attempt that can be applied is the outcome, and it is not marked as verified', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(word('worse', 'good')), answer(word('bad', 'good')))
    const { last, steps } = await runToEnd(loops.address, ada, { prompt: 'x', context: SHELL.context })
    expect(last).toMatchObject({
      verified: false,
      iterations: 2,
      stopReason: 'not_verified',
      cancelled: false,
    })
    expect(last.result.edits).toMatchObject([{ path: 'word.txt', content: 'good\n' }])
    expect(steps.at(-1)).toMatchObject({
      step: 'verify',
      turn: 2,
      ok: false,
      note: expect.stringContaining('Not run'),
    })
  })
})

describe('is rejected before anything is held', () => {
  test.for<[string, object, string[]]>([
    ['without a command for its sandbox', { sandbox: 'local', testCmd: undefined }, ['testCmd']],
    ['with an empty command', { testCmd: '  ' }, ['testCmd']],
    ['with a command that is too long', { testCmd: 'x'.repeat(2_001) }, ['testCmd']],
    ['with more than eight iterations', { maxIters: 9 }, ['maxIters']],
    ['with no iterations', { maxIters: 0 }, ['maxIters']],
    ['with an unknown sandbox', { sandbox: 'cloud' }, ['sandbox']],
  ])('%s', async ([, change, paths]) => {
    const ada = await loops.customer(0n)
    const { status, refusal } = await openLoopClient(loops.address, ada, { ...SHELL, ...change })
    expect(status).toBe(400)
    expect(refusal).toMatchObject({ code: 'invalid_fields', fields: paths.map((path) => ({ path })) })
  })

  test('in a sandbox that cannot run here', async () => {
    const ada = await loops.customer()
    const { status, refusal } = await openLoopClient(loops.address, ada, { ...SHELL, sandbox: 'docker' })
    expect(status).toBe(400)
    expect(refusal).toMatchObject({ code: 'sandbox_unavailable', sandboxes: ['none', 'local'] })
  })

  test('without money, and no model is called', async () => {
    const ada = await loops.customer(0n)
    const { status, refusal } = await openLoopClient(loops.address, ada, SHELL)
    expect(status).toBe(402)
    expect(refusal).toMatchObject({ code: 'insufficient_funds', availableMinor: 0n })
    expect(loops.upstream.requests).toEqual([])
    expect(await readBooks(loops.server, ada.orgId)).toMatchObject({ runs: [], held: 0n })
  })

  test('when its cost limit is below the first turn', async () => {
    const ada = await loops.customer()
    const { status, refusal } = await openLoopClient(loops.address, ada, { ...SHELL, maxMinor: 1n })
    expect(status).toBe(402)
    expect(refusal).toMatchObject({ code: 'budget_too_low', maxMinor: 1n })
  })

  test('when the residency region has no model', async () => {
    const ada = await loops.customer()
    await loops.server.sql.rows`update orgs set residency_region = 'ng' where id = ${ada.orgId}`
    const { status, refusal } = await openLoopClient(loops.address, ada, SHELL)
    expect(status).toBe(451)
    expect(refusal).toMatchObject({ code: 'residency_blocked' })
  })

  test('by a key without the scope', async () => {
    const key = await loops.server.key(await loops.customer(), ['wallet:read'])
    expect((await openLoopClient(loops.address, key, SHELL)).status).toBe(403)
  })
})
