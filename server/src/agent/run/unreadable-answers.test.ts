import {
  type AgentTestServer,
  answerWith,
  CONTEXT,
  create,
  createFundedPerson,
  createRunCaller,
  FIXED,
  fixingAnswer,
  listDebits,
  promptOf,
  readWallet,
  startAgentServer,
  TASK,
  USAGE,
  update,
  wholeAnswer,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.reset())

const ask: ReturnType<typeof createRunCaller> = (...asked) => createRunCaller(stage)(...asked)
const rich = () => createFundedPerson(stage.server, 1_000_000n)
const UNTOUCHED = { balanceMinor: 1_000_000n, heldMinor: 0n }
const expectUntouched = async (who: Person) => {
  expect(await readWallet(stage.server, who)).toMatchObject(UNTOUCHED)
  expect(await listDebits(stage, who)).toEqual([])
}

const LONG = Array.from({ length: 20 }, (_, i) => `export const line${i} = ${i}`).join('\n')
const HALF = { prompt: 'Double all.', context: [{ path: 'a.js', content: `${LONG}\n` }] }
/** Replaces a file, and ends in the middle of it. */
const halfOf = (path: string, rest = {}) =>
  answerWith(
    (m) =>
      [m('PLAN'), '1. Do it.', m(`FILE create ${path}`), 'why: x', m('BODY'), LONG.slice(0, 200)].join('\n'),
    { usage: USAGE, ...rest },
  )

describe.for(['stop', 'content_filter', null])('a file that ends without its END, finish %s', (finish) => {
  test('is requested again, and the complete one is applied', async () => {
    const who = await rich()
    stage.upstream.script(
      halfOf('a.js', { finish }),
      answerWith((m) => wholeAnswer(m, create(m, 'a.js', `${LONG}\nexport const end = 1`)), { usage: USAGE }),
    )
    const { body } = await ask(who, HALF)
    // A content filter may have withheld more than that file.
    const status = finish === 'content_filter' ? 'partial' : 'complete'
    expect(body).toMatchObject({ status, costMinor: 217n, edits: [{ path: 'a.js' }] })
    expect(body.edits[0]?.content).toContain('line19')
    expect(stage.upstream.requests).toHaveLength(2)
  })

  test('is never applied: the result is partial, names the file and costs nothing', async () => {
    const who = await rich()
    stage.upstream.fallback(halfOf('a.js', { finish }))
    const { status, body } = await ask(who, HALF)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'partial', edits: [], costMinor: 0n, balanceMinor: 1_000_000n })
    expect(body.warnings?.join()).toContain('not_applied: "a.js"')
    expect(body.summary).toContain('"a.js"')
    expect(stage.upstream.requests).toHaveLength(2)
    await expectUntouched(who)
  })
})

test('a file without its END beside a complete one leaves a partial result with the complete one', async () => {
  const who = await rich()
  stage.upstream.script(
    answerWith(
      (m) =>
        [
          m('PLAN'),
          '1. Do it.',
          update(m, 'src/add.js', '  return a - b', '  return a + b'),
          m('FILE create b.js'),
          'why: x',
          m('BODY'),
          'const half',
          m('SUMMARY'),
          'I fixed add() and created b.js.',
        ].join('\n'),
      { usage: USAGE },
    ),
    { status: 400, body: 'no' },
  )
  const { body } = await ask(who)
  expect(body).toMatchObject({
    status: 'partial',
    costMinor: 109n,
    edits: [{ path: 'src/add.js', content: FIXED }],
  })
  expect(body.summary).toMatch(/^Partial result: 1 changed, 1 not changed\.\n\nNot applied:\n- "b\.js": /)
  expect(body.summary).toContain('Changed:\n- "src/add.js": it was asked for')
  expect(body.summary).not.toContain('created b.js')
})

describe('an answer that intended to change files and cannot be read', () => {
  const UNREADABLE: [name: string, text: string][] = [
    ['a fence with a part of a file', 'I fixed the bug:\n\n```js\n  return a + b\n```\n'],
    ['nothing but code', '```js\nconst sum = (a, b) => a + b\n```'],
    ['a claim', 'I fixed the bug in add().'],
    ['a claim in French', 'J’ai corrigé la fonction add().'],
    ['SEARCH without a path', '<<<<<<< SEARCH\n  return a - b\n=======\n  return a + b\n>>>>>>> REPLACE'],
    ['edits without a path', '{"edits": [{"old": "a - b", "new": "a + b"}]}'],
    ['a tool call without a path', '<write_to_file>\n<content>\nx\n</content>\n</write_to_file>'],
  ]

  test.for(UNREADABLE)('is requested again, with all files and the answer: %s', async ([, text]) => {
    const who = await rich()
    stage.upstream.script({ text, usage: USAGE }, fixingAnswer({ usage: USAGE }))
    const { body } = await ask(who)
    expect(body).toMatchObject({
      status: 'complete',
      summary: 'It is done.',
      plan: '1. Do it.',
      warnings: [],
      costMinor: 217n,
      edits: [{ path: 'src/add.js', content: FIXED }],
    })
    const [, second] = stage.upstream.requests
    expect(second && promptOf(second)).toContain('No edit could be found')
    expect(second && promptOf(second)).toContain('return a - b')
  })

  test.for(UNREADABLE)('costs nothing when that does not help: %s', async ([, text]) => {
    const who = await rich()
    stage.upstream.fallback(() => ({ text, usage: USAGE }))
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'partial',
      edits: [],
      plan: '',
      costMinor: 0n,
      balanceMinor: 1_000_000n,
    })
    expect(body.summary).toMatch(/^No file was changed\. Nothing was charged\./)
    expect(body.summary).not.toContain('fixed')
    expect(body.warnings).toEqual(expect.arrayContaining(['no_edits_parsed', 'not_charged', 'repair_failed']))
    expect(stage.upstream.requests).toHaveLength(2)
    await expectUntouched(who)
  })

  test('is in the history, and is replayed under its key', async () => {
    const who = await rich()
    stage.upstream.fallback(() => ({ text: 'I fixed the bug in add().', usage: USAGE }))
    const first = await ask(who, TASK, 'unread')
    const again = await ask(who, TASK, 'unread')
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(stage.upstream.requests).toHaveLength(2)
    const { body } = await stage.server.call('GET', `/agent/runs/${first.body.id}`, { as: who })
    expect(body).toMatchObject({
      status: 'completed',
      costMinor: 0n,
      result: { status: 'partial', summary: first.body.summary, edits: [] },
    })
    await expectUntouched(who)
  })

  test('is not requested again if that is not affordable, and costs nothing', async () => {
    const who = await rich()
    stage.upstream.fallback(() => ({ text: 'I fixed the bug in add().', usage: USAGE }))
    const quoted = await stage.server.call<{ leastMinor: bigint }>('POST', '/agent/quote', {
      as: who,
      body: TASK,
    })
    const { body } = await ask(who, { ...TASK, maxMinor: quoted.body.leastMinor })
    expect(body).toMatchObject({ costMinor: 0n, status: 'partial' })
    expect(body.warnings).toContain('repair_unaffordable')
    expect(stage.upstream.requests).toHaveLength(1)
    await expectUntouched(who)
  })
})

describe('when every edit is rejected', () => {
  test('the summary reports it, and nothing is charged', async () => {
    const who = await rich()
    stage.upstream.fallback(
      answerWith(
        (m) =>
          wholeAnswer(m, update(m, 'src/add.js', '  return a * b', '  return a + b')).replace(
            'It is done.',
            'I fixed the bug.',
          ),
        { usage: USAGE },
      ),
    )
    const { body } = await ask(who)
    expect(body).toMatchObject({ status: 'partial', edits: [], costMinor: 0n })
    expect(body.summary).toMatch(
      /^No file was changed\. Nothing was charged\.\n\nNot applied:\n- "src\/add\.js": /,
    )
    expect(body.summary).not.toContain('I fixed')
    await expectUntouched(who)
  })

  test('because it leaves the workspace, the summary reports that first', async () => {
    const who = await rich()
    stage.upstream.script(answerWith((m) => wholeAnswer(m, create(m, '../x.js', 'x')), { usage: USAGE }))
    const { body } = await ask(who, { prompt: 'Write outside.' })
    expect(body).toMatchObject({ edits: [], costMinor: 0n })
    expect(body.summary).toMatch(/^No file was changed\./)
    expect(body.summary).toContain('../x.js')
    expect(body.summary).not.toContain('It is done')
  })

  test('because the file already has that text, the summary reports that nothing was changed', async () => {
    const who = await rich()
    stage.upstream.script(
      answerWith((m) => wholeAnswer(m, update(m, 'src/add.js', '  return a - b', '  return a - b')), {
        usage: USAGE,
      }),
    )
    const { body } = await ask(who)
    expect(body).toMatchObject({
      edits: [],
      costMinor: 0n,
      warnings: ['no_change: src/add.js', 'not_charged'],
    })
    expect(body.summary).toMatch(/^No file was changed\./)
  })
})

describe('an answer that needs no edit is complete and charged', () => {
  test.for<[name: string, text: string]>([
    ['a question answered', 'It subtracts b from a. The name suggests that it should add them.'],
    [
      'with the code in question',
      'It subtracts:\n\n```js\nexport function add(a, b) {\n  return a - b\n}\n```',
    ],
    ['with a command', 'Run the tests:\n\n```sh\nnpm test\n```'],
    [
      'with a short illustration',
      'A reducer folds a list into one value, step by step, and the accumulator holds what was computed so far. Your function is called once for each item and returns the next accumulator, as in\n\n```js\n[1, 2].reduce(f, 0)\n```\n\nwhich is why the order of its parameters matters here.',
    ],
    [
      'nothing to change',
      'No changes are needed: add() is right.\n\n```js\nadd(1, 2) // 3, as documented\n```',
    ],
    ['a refusal', 'I cannot do that without the file.'],
    ['a claim about another author', 'The bug was fixed upstream in version 2, so upgrade instead.'],
  ])('%s', async ([, text]) => {
    const who = await rich()
    stage.upstream.script({ text, usage: USAGE })
    const { body } = await ask(who)
    expect(body).toMatchObject({ status: 'complete', edits: [], costMinor: 109n, summary: text })
    expect(stage.upstream.requests).toHaveLength(1)
  })

  test.for([
    'All is well.',
    'Release notes:\n- Fixed the login bug',
    'The column has been created by migration 7.',
  ])('in the requested format: %s', async (summary) => {
    const who = await rich()
    stage.upstream.script(
      answerWith((m) => `${m('PLAN')}\n1. Look.\n${m('SUMMARY')}\n${summary}`, { usage: USAGE }),
    )
    expect((await ask(who, { prompt: 'Is it well?', context: CONTEXT })).body).toMatchObject({
      status: 'complete',
      plan: '1. Look.',
      summary,
      costMinor: 109n,
      warnings: [],
    })
  })
})
