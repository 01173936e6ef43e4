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
  update,
  wholeAnswer,
} from '@cowrie/testkit/agent/run.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { RENEW_MS } from '../../kernel/lease.ts'

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

describe('before the model is called', () => {
  test('an empty wallet is rejected with the missing amount, and leaves no data behind', async () => {
    const who = await createFundedPerson(stage.server, 0n)
    const { status, body } = await ask(who)
    expect(status).toBe(402)
    expect(body).toMatchObject({
      code: 'insufficient_funds',
      availableMinor: 0n,
      requiredMinor: expect.any(BigInt),
    })
    expect(stage.upstream.requests).toEqual([])
    expect(await rows(who)).toEqual([])
  })

  test('a low balance lowers the output limit, and is never exceeded', async () => {
    const who = await createFundedPerson(stage.server, 400n)
    stage.upstream.script(fixingAnswer({ usage: { prompt_tokens: 1_000, completion_tokens: 16_000 } }))
    const { status, body } = await ask(who)
    expect(status).toBe(200)
    expect(stage.upstream.requests[0]?.body.max_tokens).toBeLessThan(4_444)
    expect(body.balanceMinor).toBeGreaterThanOrEqual(0n)
  })

  test('the cap of a member is respected', async () => {
    const who = await rich()
    await stage.server.sql.rows`update memberships set seat_cap_minor = 10 where org_id = ${who.orgId}`
    expect(await ask(who)).toMatchObject({
      status: 402,
      body: { code: 'member_cap_reached', availableMinor: 10n },
    })
  })

  test('the cost limit of the caller is respected, or the run is rejected', async () => {
    const who = await rich()
    expect(await ask(who, { ...TASK, maxMinor: 20 })).toMatchObject({
      status: 402,
      body: { code: 'budget_too_low', maxMinor: 20n },
    })
    expect(stage.upstream.requests).toEqual([])
    stage.upstream.script(fixingAnswer({ usage: { prompt_tokens: 1_500, completion_tokens: 15_000 } }))
    expect((await ask(who, { ...TASK, maxMinor: 300 })).body.costMinor).toBeLessThanOrEqual(300n)
  })

  test('a suspended organisation and a key without the scope are rejected', async () => {
    const who = await rich()
    const key = await stage.server.key(who, ['wallet:read'])
    expect(await ask(key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    await stage.server.sql
      .rows`update orgs set suspended_at = ${stage.server.clock.now()} where id = ${who.orgId}`
    expect(await ask(who)).toMatchObject({ status: 403, body: { code: 'org_suspended' } })
    expect(stage.upstream.requests).toEqual([])
  })

  test.for<[string, object, string]>([
    ['no prompt', {}, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['a prompt that is too long', { prompt: 'x'.repeat(200_001) }, 'prompt'],
    ['a path that leaves', { prompt: 'x', context: [{ path: '../a', content: '' }] }, 'context.0.path'],
    ['an absolute path', { prompt: 'x', context: [{ path: '/etc/passwd', content: '' }] }, 'context.0.path'],
    [
      'a path twice',
      {
        prompt: 'x',
        context: [
          { path: 'a', content: '' },
          { path: 'a', content: 'b' },
        ],
      },
      'context.1.path',
    ],
    [
      'a file below another file',
      {
        prompt: 'x',
        context: [
          { path: 'a/b/c', content: '' },
          { path: 'a/b', content: '' },
        ],
      },
      'context.0.path',
    ],
    [
      'too many files',
      { prompt: 'x', context: Array.from({ length: 201 }, (_, i) => ({ path: `${i}`, content: '' })) },
      'context',
    ],
    [
      'too much text',
      { prompt: 'x', context: [0, 1].map((i) => ({ path: `${i}`, content: 'x'.repeat(800_000) })) },
      'context',
    ],
    ['a fraction of money', { prompt: 'x', maxMinor: 1.5 }, 'maxMinor'],
  ])('%s is rejected by its name', async ([, body, field]) => {
    const reply = await ask(await rich(), body)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect(reply.body.fields?.map(({ path }) => path)).toContain(field)
  })

  test('a task that exceeds the context window is rejected, and the key stays usable', async () => {
    const who = await rich()
    const reply = await ask(who, { prompt: '\u1200'.repeat(200_000) }, 'long')
    expect(reply).toMatchObject({ status: 400, body: { code: 'prompt_too_long' } })
    stage.upstream.script(fixingAnswer())
    expect((await ask(who, TASK, 'long')).status).toBe(200)
  })
})

describe('the lane', () => {
  test('is frontier on request, at its price', async () => {
    const who = await rich()
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    expect((await ask(who, { ...TASK, frontier: true })).body).toMatchObject({
      lane: 'frontier',
      model: 'big-1',
      costMinor: 1_806n,
    })
  })

  test('is open when the policy does not allow frontier, and never an error', async () => {
    const who = await rich()
    await stage.server.sql.rows`update orgs set allowed_lanes = '{open}' where id = ${who.orgId}`
    stage.upstream.script(fixingAnswer())
    expect((await ask(who, { ...TASK, frontier: true })).body).toMatchObject({
      lane: 'open',
      model: 'small-1',
    })
  })

  test('of an organisation with a residency region is rejected while no model is available there', async () => {
    const who = await rich()
    await stage.server.sql.rows`update orgs set residency_region = 'eu' where id = ${who.orgId}`
    expect(await ask(who)).toMatchObject({ status: 451, body: { code: 'residency_blocked' } })
    expect(stage.upstream.requests).toEqual([])
    expect(await wallet(who)).toMatchObject({ heldMinor: 0n })
  })
})

describe('edits that do not match', () => {
  const two = {
    prompt: 'Change both.',
    context: [...TASK.context, { path: 'src/b.js', content: 'const b = 1\n' }],
  }
  const half = answerWith(
    (m) =>
      wholeAnswer(
        m,
        update(m, 'src/add.js', '  return a * b', '  return a + b'),
        update(m, 'src/b.js', 'const b = 1', 'const b = 2'),
      ),
    { usage: USAGE },
  )

  test('are requested again, and both turns are charged as one run', async () => {
    const who = await rich()
    stage.upstream.script(half, fixingAnswer({ usage: USAGE }))
    const { status, body } = await ask(who, two)
    expect(status).toBe(200)
    // 2408 tokens are 216.72 kobo: rounded up once, not twice.
    expect(body).toMatchObject({ status: 'complete', costMinor: 217n, balanceMinor: 999_783n })
    expect(body.edits.map(({ path, content }) => [path, content])).toEqual([
      ['src/add.js', FIXED],
      ['src/b.js', 'const b = 2\n'],
    ])
    expect((await debits(who)).map(({ ref }) => ref).sort()).toEqual([`${body.id}.1`, `${body.id}.2`])
    const [, second] = stage.upstream.requests
    expect(second && promptOf(second)).toContain('return a * b')
    expect(second && promptOf(second)).not.toContain('const b')
    expect(await wallet(who)).toMatchObject({ heldMinor: 0n })
  })

  test('are dropped when the repair fails, which then costs only the first turn', async () => {
    const who = await rich()
    stage.upstream.script(half, half)
    const { body } = await ask(who, {
      ...two,
      context: two.context.slice(0, 1).concat({ path: 'src/b.js', content: 'const b = 1\n' }),
    })
    expect(body.edits.map(({ path }) => path)).toEqual(['src/b.js'])
    expect(body).toMatchObject({ status: 'partial', costMinor: 109n })
    expect(body.warnings?.join()).toContain('not_applied: "src/add.js"')
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n, heldMinor: 0n })
  })

  test('keep the matching ones when the upstream fails the second time', async () => {
    const who = await rich()
    stage.upstream.script(half, { status: 400, body: 'no' })
    const { status, body } = await ask(who, two)
    expect(status).toBe(200)
    expect(body.edits.map(({ path }) => path)).toEqual(['src/b.js'])
    expect(body.warnings).toContain('repair_failed')
    expect(await wallet(who)).toMatchObject({ balanceMinor: 999_891n, heldMinor: 0n })
  })

  test('are not requested again if that is not affordable', async () => {
    const who = await rich()
    stage.upstream.script(half)
    const quoted = await stage.server.call<{ leastMinor: bigint }>('POST', '/agent/quote', {
      as: who,
      body: two,
    })
    const { body } = await ask(who, { ...two, maxMinor: quoted.body.leastMinor + 20n })
    expect(body.warnings).toContain('repair_unaffordable')
    expect(stage.upstream.requests).toHaveLength(1)
    expect(body.costMinor).toBe(109n)
  })
})

test('a running run keeps its row and its key alive', async () => {
  const who = await rich()
  const timers = vi.spyOn(globalThis, 'setInterval')
  const wait = gate()
  stage.upstream.script((request) => ({ pieces: [wait.opened, fixingAnswer()(request).text ?? ''] }))
  const first = ask(who, TASK, 'lives')
  await expect.poll(() => stage.upstream.requests.length).toBe(1)
  stage.server.clock.advance({ minutes: 14 })
  for (const [beat, everyMs] of timers.mock.calls) if (everyMs === RENEW_MS) beat()
  timers.mockRestore()
  await expect
    .poll(
      () => stage.server.sql.rows`
        select 1 from idempotency_keys k join agent_runs r on r.intent_id = k.id
        where k.key = 'lives' and k.claimed_at = ${stage.server.clock.now()} and r.beat_at = k.claimed_at`,
    )
    .toHaveLength(1)
  stage.server.clock.advance({ minutes: 14 })
  await expect
    .poll(
      () => stage.server.sql.rows`
        select 1 from idempotency_keys where key = 'lives' and lease_until > ${stage.server.clock.now()}`,
      { timeout: 15_000 },
    )
    .toHaveLength(1)
  expect(await ask(who, TASK, 'lives')).toMatchObject({
    status: 409,
    body: { code: 'idempotency_in_progress' },
  })
  wait.open()
  expect((await first).status).toBe(200)
  expect(await debits(who)).toHaveLength(1)
})

test('characters that the database cannot store are removed from the result', async () => {
  const who = await rich()
  stage.upstream.script(
    answerWith((m) =>
      wholeAnswer(m, create(m, 'a.txt', 'zero \0byte \ud83d!')).replace('Do it', 'Do\0 it\udc00'),
    ),
  )
  const { status, body } = await ask(who)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    plan: '1. Do it\ufffd.',
    edits: [{ path: 'a.txt', content: 'zero byte \ufffd!\n' }],
  })
  expect(await stage.server.call('GET', '/agent/runs', { as: who })).toMatchObject({
    status: 200,
    body: { runs: [{ result: { edits: [{ path: 'a.txt', action: 'create' }] } }] },
  })
})
