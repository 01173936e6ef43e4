import {
  type AgentTestServer,
  answerWith,
  create,
  createFundedPerson,
  createRunCaller,
  FIXED,
  fixingAnswer,
  listDebits,
  listRunRows,
  promptOf,
  readWallet,
  startAgentServer,
  TASK,
  USAGE,
  wholeAnswer,
} from '@cowrie/testkit/agent/run.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inferenceSettings } from '../../models/settings.ts'

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.reset())

const ask: ReturnType<typeof createRunCaller> = (...asked) => createRunCaller(stage)(...asked)
const rich = () => createFundedPerson(stage.server, 1_000_000n)
const wallet = (who: Person) => readWallet(stage.server, who)
const rows = (who: Person) => listRunRows(stage, who)
const debits = (who: Person) => listDebits(stage, who)

describe('a run', () => {
  test('returns a plan, whole new files and a summary, and charges the exact usage', async () => {
    const who = await rich()
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      plan: '1. Do it.',
      summary: 'It is done.',
      lane: 'open',
      model: 'small-1',
      costMinor: 109n,
      balanceMinor: 999_891n,
      status: 'complete',
      warnings: [],
      context: { included: ['src/add.js'], omitted: [] },
    })
    expect(body.edits).toEqual([
      {
        path: 'src/add.js',
        action: 'update',
        content: FIXED,
        description: 'it was asked for',
        baseSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(body).not.toHaveProperty('review')
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n, heldMinor: 0n })
    const [entry] = await debits(who)
    expect(entry).toMatchObject({ source: 'agent', ref: `${body.id}.1`, amountMinor: 109n })
    const explained = await stage.server.call('GET', `/wallet/ledger/${entry?.id}`, { as: who })
    expect(explained.body).toMatchObject({
      explanation: { metered: { model: 'small-1', tokens: 1_204, costMinor: 109n, recomputed: true } },
    })
  })

  test('sends the files and the task to the model, and limits the output to the held amount', async () => {
    stage.upstream.script(fixingAnswer())
    await ask(await rich())
    const [request] = stage.upstream.requests
    expect(request?.body).toMatchObject({ model: 'small-1', max_tokens: 16_000 })
    expect(promptOf(request ?? { method: 'POST', path: '', query: {}, headers: {}, body: {} })).toContain(
      'return a - b',
    )
  })

  test('creates files in an empty workspace', async () => {
    stage.upstream.script(answerWith((m) => wholeAnswer(m, create(m, 'src/new.js', 'export const x = 1'))))
    const { body } = await ask(await rich(), { prompt: 'Make a file.' })
    expect(body.edits).toMatchObject([{ path: 'src/new.js', action: 'create', baseSha256: null }])
    expect(body.edits[0]?.content.trimEnd()).toBe('export const x = 1')
  })

  test('without edits is delivered with that information', async () => {
    const who = await rich()
    stage.upstream.script({ text: 'I cannot do that without the file.', usage: USAGE })
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(body).toMatchObject({ edits: [], costMinor: 109n })
    expect(body.summary).toContain('I cannot do that')
    expect(body.warnings?.join()).toContain('no_edits_parsed')
  })

  test('drops and reports edits that leave the workspace or are protected', async () => {
    stage.upstream.script(
      answerWith((m) =>
        wholeAnswer(
          m,
          create(m, '../../etc/passwd', 'root'),
          create(m, '.git/hooks/pre-commit', 'sh'),
          create(m, 'ok.txt', 'fine'),
        ),
      ),
    )
    const { body } = await ask(await rich(), { prompt: 'Do evil.' })
    expect(body.edits.map(({ path }) => path)).toEqual(['ok.txt'])
    expect(body.summary).toContain('../../etc/passwd')
    expect(body.summary).toContain('.git/hooks/pre-commit')
  })

  test('uses the plan allowance before the wallet', async () => {
    const who = await createFundedPerson(stage.server, 1_000n)
    await grantAllowance(stage.server, who.orgId, 5_000n)
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    expect((await ask(who)).body).toMatchObject({ costMinor: 109n, balanceMinor: 1_000n })
    expect(await wallet(who)).toMatchObject({ includedRemainingMinor: 4_891n, heldMinor: 0n })
  })

  test.for([
    ['KES', 10n],
    ['UGX', 3n],
    ['TZS', 186n],
  ] as const)('in %s is rounded up once to its minor unit', async ([currency, cost]) => {
    const who = await createFundedPerson(stage.server, 1_000_000n, currency)
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    expect((await ask(who)).body).toMatchObject({ costMinor: cost, balanceMinor: 1_000_000n - cost })
  })

  test('is served by the development model without an upstream, and charged', async () => {
    const { server } = stage
    const set = async (value: string) => {
      await server.app.db.tx('platform', (tx) =>
        server.app.settings.set(tx, inferenceSettings.settings.upstream_base_url, value, {
          email: 'ops@example.com',
        }),
      )
      await server.app.settings.refresh()
    }
    await set('')
    try {
      const who = await rich()
      const { status, body } = await ask(who)
      expect(status).toBe(200)
      expect(body.costMinor).toBeGreaterThan(0n)
      expect(await wallet(who)).toMatchObject({ balanceMinor: 1_000_000n - body.costMinor, heldMinor: 0n })
      expect(stage.upstream.requests).toEqual([])
    } finally {
      await set(stage.upstream.url)
    }
  })
})

describe('a retry', () => {
  test('gets the same bytes and is not charged again; another body is rejected', async () => {
    const who = await rich()
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const first = await ask(who, TASK, 'k1')
    const again = await ask(who, TASK, 'k1')
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await ask(who, { ...TASK, prompt: 'Another.' }, 'k1')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
    expect(stage.upstream.requests).toHaveLength(1)
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n })
    expect(await rows(who)).toHaveLength(1)
  })

  test('while the first still runs is rejected with idempotency_in_progress', async () => {
    const who = await rich()
    const { opened, open } = gate()
    stage.upstream.script((request) => ({
      pieces: [opened, fixingAnswer()(request).text ?? ''],
      usage: USAGE,
    }))
    stage.upstream.fallback(fixingAnswer())
    const first = ask(who, TASK, 'k2')
    await expect.poll(() => stage.upstream.requests.length).toBe(1)
    expect(await ask(who, TASK, 'k2')).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress' },
    })
    expect((await wallet(who)).heldMinor).toBeGreaterThan(0n)
    open()
    expect((await first).status).toBe(200)
    expect(stage.upstream.requests).toHaveLength(1)
  })

  test('after a failure runs again, and only the success is charged', async () => {
    const who = await rich()
    stage.upstream.script({ text: '', usage: USAGE }, fixingAnswer({ usage: USAGE }))
    expect((await ask(who, TASK, 'k3')).status).toBe(502)
    expect((await ask(who, TASK, 'k3')).status).toBe(200)
    expect((await rows(who)).map(({ status }) => status)).toEqual(['failed', 'completed'])
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n, heldMinor: 0n })
  })

  test('that takes over a stale key charges once, and the slow first attempt nothing', async () => {
    const who = await rich()
    const { opened, open } = gate()
    const slow = (request: Parameters<ReturnType<typeof fixingAnswer>>[0]) => ({
      pieces: ['[', opened, fixingAnswer()(request).text?.slice(1) ?? ''],
      usage: USAGE,
    })
    stage.upstream.script(slow, fixingAnswer({ usage: USAGE }))
    const first = ask(who, TASK, 'k4')
    // Wait for more than the row: the first request to the model gets the slow answer.
    await expect.poll(() => stage.upstream.requests.length).toBe(1)
    stage.server.clock.advance({ minutes: 16 })
    const second = await ask(who, TASK, 'k4')
    expect(second.status).toBe(200)
    open()
    expect((await first).status).toBe(409)
    expect(await rows(who)).toMatchObject([
      { status: 'failed', stop_reason: 'interrupted' },
      { status: 'completed', id: second.body.id },
    ])
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n, heldMinor: 0n })
    expect((await ask(who, TASK, 'k4')).text).toBe(second.text)
  })
})

describe('a failure costs nothing', () => {
  const FAILURES = {
    'an error': { status: 500, body: 'no' },
    'a wrong key': { status: 401, body: 'no' },
    'an empty answer': { text: '' },
    'a broken stream': { pieces: ['[[', 'x'], cutAfter: 1 },
    'nothing but space': { text: '  \n ' },
  } as const

  test('for any fault of the upstream', async () => {
    stage.upstream.fallback((request) => {
      const name = Object.keys(FAILURES).find((each) => promptOf(request).includes(`case: ${each}.`))
      return FAILURES[name as keyof typeof FAILURES]
    })
    const outcomes = await Promise.all(
      Object.keys(FAILURES).map(async (name) => {
        const who = await rich()
        const { status, body } = await ask(
          who,
          { prompt: `case: ${name}.` },
          `key ${name.length}`.replace(' ', '-'),
        )
        const { balanceMinor, heldMinor } = await wallet(who)
        const [row] = await rows(who)
        return {
          name,
          isOurs: status === 502 || status === 503,
          balanceMinor,
          heldMinor,
          ended: row?.status,
          isSame: row?.error_code === body.code,
        }
      }),
    )
    expect(outcomes).toEqual(
      Object.keys(FAILURES).map((name) => ({
        name,
        isOurs: true,
        balanceMinor: 1_000_000n,
        heldMinor: 0n,
        ended: 'failed',
        isSame: true,
      })),
    )
  })

  test('an answer of marks alone', async () => {
    const who = await rich()
    stage.upstream.script(answerWith((m) => `${m('PLAN')}\n${m('SUMMARY')}\n`))
    expect(await ask(who)).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
    expect(await wallet(who)).toMatchObject({ balanceMinor: 1_000_000n, heldMinor: 0n })
  })

  test('an answer that is cut before its first file is complete', async () => {
    const who = await rich()
    stage.upstream.script(
      answerWith(
        (m) => [m('PLAN'), '1. Do it.', m('FILE create a.js'), 'why: x', m('BODY'), 'half'].join('\n'),
        {
          finish: 'length',
        },
      ),
    )
    expect(await ask(who)).toMatchObject({
      status: 502,
      body: { code: 'upstream_failed', error: expect.stringContaining('Ask for less') },
    })
    expect(await wallet(who)).toMatchObject({ balanceMinor: 1_000_000n, heldMinor: 0n })
  })
})

describe('a run that cannot be stored', () => {
  test('is not charged', async () => {
    const who = await rich()
    const { opened, open } = gate()
    stage.upstream.script((request) => ({
      pieces: ['[', opened, fixingAnswer()(request).text?.slice(1) ?? ''],
    }))
    const asked = ask(who)
    await expect.poll(() => stage.upstream.requests.length).toBe(1)
    await stage.server.sql.rows`update agent_runs set intent_id = null where org_id = ${who.orgId}`
    open()
    expect((await asked).status).toBe(409)
    expect(await wallet(who)).toMatchObject({ balanceMinor: 1_000_000n, heldMinor: 0n })
    expect(await debits(who)).toEqual([])
    expect(await rows(who)).toMatchObject([{ status: 'failed' }])
  })
})

describe('an answer that is cut later', () => {
  test('by the content filter of the upstream is partial, and not complete', async () => {
    const who = await rich()
    stage.upstream.script((request) => ({ ...fixingAnswer()(request), finish: 'content_filter' }))
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'partial', warnings: expect.arrayContaining(['answer_cut']) })
  })

  test('is complete when the caller allowed no more output', async () => {
    const who = await rich()
    stage.upstream.fallback(
      answerWith(
        (m) => [m('PLAN'), '1. Do it.', m('FILE create a.js'), 'why: x', m('BODY'), 'half'].join('\n'),
        {
          finish: 'length',
        },
      ),
    )
    const { body: quoted } = await stage.server.call<{ leastMinor: bigint }>('POST', '/agent/quote', {
      as: who,
      body: { prompt: 'Make a file.' },
    })
    const { status, body } = await ask(who, { prompt: 'Make a file.', maxMinor: quoted.leastMinor })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'partial', edits: [], plan: '1. Do it.' })
    expect(body.costMinor).toBeGreaterThan(0n)
    expect(body.costMinor).toBeLessThanOrEqual(quoted.leastMinor)
  })

  test('keeps its complete files, and is marked as partial', async () => {
    const who = await rich()
    stage.upstream.script(
      answerWith(
        (m) =>
          [
            m('PLAN'),
            '1. Do it.',
            create(m, 'a.js', 'const a = 1'),
            m('FILE create b.js'),
            'why: x',
            m('BODY'),
            'half',
          ].join('\n'),
        {
          finish: 'length',
          usage: USAGE,
        },
      ),
      { status: 400, body: 'no' },
    )
    const { status, body } = await ask(who, { prompt: 'Make two files.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'partial', costMinor: 109n, edits: [{ path: 'a.js' }] })
    expect(body.warnings).toEqual(expect.arrayContaining(['answer_cut', 'repair_failed']))
  })
})
