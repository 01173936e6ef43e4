// Turns with tools on models of every provider format: what goes both ways, what is charged, and what a failure costs.

import { thinkingSignature } from '@cowrie/testkit/fakes/models/fake-anthropic.ts'
import { thoughtSignature } from '@cowrie/testkit/fakes/models/fake-gemini.ts'
import { type FakeReply, type FakeRequest, gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  CLASS_PRICES,
  type ModelProviders,
  type ProviderName,
  startModelProviders,
} from '@cowrie/testkit/gateway/model-providers.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { calls, type TaskView, type TurnView } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TaskEvent } from '../events.ts'

const NAMES = ['openai', 'anthropic', 'gemini'] as const
const FILES = [
  { path: 'a.txt', content: 'alpha\n' },
  { path: 'b.txt', content: 'beta\n' },
  // Six bytes each in JSON.
  { path: 'controls.txt', content: '\u0001'.repeat(59_000) },
]

let providers: ModelProviders
let ada: Person
beforeAll(async () => {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  providers = await startModelProviders(sandbox)
  for (const name of NAMES) await providers.putModel(`on-${name}`, [name])
  await providers.putModel('on-two', ['anthropic', 'gemini'])
})
afterAll(() => providers.close())
beforeEach(async () => {
  for (const name of NAMES) providers[name].reset()
  ada = await providers.customer(10_000_000n)
})

const call = (...args: Parameters<ModelProviders['server']['call']>) => providers.server.call(...args)

async function createTask(): Promise<string> {
  const reply = await call('POST', '/tasks', {
    as: ada,
    body: { workspace: { kind: 'files', files: FILES } },
  })
  return String(reply.body.id)
}

let turns = 0
async function runTurn(
  task: string,
  model: string,
  prompt = 'Read the files.',
  more: object = {},
): Promise<TurnView> {
  const headers = { 'idempotency-key': `provider-${++turns}` }
  const started = await call('POST', `/tasks/${task}/turns`, {
    as: ada,
    headers,
    body: { prompt, model, ...more },
  })
  if (started.status !== 202) throw new Error(started.text)
  await providers.server.app.jobs.drain()
  return lastTurn(task)
}

async function lastTurn(task: string): Promise<TurnView> {
  const { body } = await providers.server.call<TaskView>('GET', `/tasks/${task}`, { as: ada })
  const turn = body.turns.at(-1)
  if (!turn) throw new Error('there is no turn')
  return turn
}

const eventsOf = async (task: string): Promise<TaskEvent[]> =>
  (
    await providers.server.sql.rows<{ event: TaskEvent }>`
      select event from stream_events where stream_id = ${task} order by seq`
  ).map(({ event }) => event)

/** The number of answers of the model in a request of any format. */
const answersIn = ({ body }: FakeRequest): number =>
  ((body.messages ?? body.contents ?? []) as { role: string }[]).filter(
    ({ role }) => role === 'assistant' || role === 'model',
  ).length

const byAnswers =
  (...replies: readonly FakeReply[]) =>
  (request: FakeRequest): FakeReply =>
    replies[answersIn(request)] ?? 'There is nothing left to do.'

const READS: FakeReply = {
  ...calls(['read', { path: 'a.txt' }], ['read', { path: 'b.txt' }]),
  thinking: 'I look at both files.',
}
const messagesOf = ({ body }: FakeRequest): string => JSON.stringify(body.messages ?? body.contents)
const completionsOf = (name: ProviderName) =>
  providers[name].requests.filter(({ path }) => /completions|messages$|:streamGenerateContent/.test(path))

/** The proof of the reasoning before the calls, as the provider gave it. */
const PROOFS = {
  openai: 'call_1_2',
  anthropic: thinkingSignature('I look at both files.'),
  gemini: thoughtSignature('read'),
}

const OWN_TOOL = {
  name: 'todo',
  description: 'Changes the to-do list.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['items', 'unknown'],
    properties: {
      items: { type: 'array', uniqueItems: true },
      due: { type: ['string', 'null'], format: 'date', pattern: '(' },
      kind: { oneOf: [{ const: 'a' }, { const: 1 }] },
    },
  },
}

test.for(NAMES)('tools of the caller are described and called (%s)', async (name) => {
  providers[name].fallback(byAnswers(calls(['todo', { items: ['a'] }]), 'Done.'))
  const workspace = { kind: 'client', name: 'laptop', tools: [OWN_TOOL] }
  const created = await call('POST', '/tasks', { as: ada, body: { workspace } })
  const task = String(created.body.id)
  expect(await runTurn(task, `on-${name}`)).toMatchObject({ status: 'waiting' })
  const { body } = await providers.server.call<TaskView>('GET', `/tasks/${task}`, { as: ada })
  expect(body.needs).toMatchObject([{ tool: 'todo', input: { items: ['a'] } }])
  const results = body.needs.map(({ callId }) => ({ callId, ok: true, output: 'noted' }))
  await call('POST', `/tasks/${task}/tool-results`, { as: ada, body: { results } })
  await providers.server.app.jobs.drain()
  expect(await lastTurn(task)).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
  expect(await runTurn(task, `on-${name}`, 'Plan it.', { mode: 'plan', compact: true })).toMatchObject({
    stopReason: 'completed',
    mode: 'plan',
  })
})

test.for(NAMES)('calls, results and reasoning go both ways (%s)', async (name) => {
  providers[name].fallback(byAnswers(READS, calls(['create', { path: 'c.txt', content: 'c\n' }]), 'Done.'))
  const task = await createTask()
  const turn = await runTurn(task, `on-${name}`)
  expect(turn).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
  const requests = completionsOf(name)
  expect(requests).toHaveLength(3)
  const last = messagesOf(requests[2] as FakeRequest)
  for (const part of ['alpha', 'beta', PROOFS[name]]) expect(last).toContain(part)
  const events = await eventsOf(task)
  expect(events.filter(({ kind }) => kind === 'tool_result')).toHaveLength(3)
  expect(events).toContainEqual(expect.objectContaining({ kind: 'change', path: 'c.txt', action: 'create' }))
  if (name !== 'openai') expect(textOf(events, 'reasoning', 1)).toBe('I look at both files.')
  // The next turn is on a model of another provider, which does not know the proofs.
  const other = name === 'anthropic' ? 'gemini' : 'anthropic'
  providers[other].fallback(() => 'It is all there.')
  expect(await runTurn(task, `on-${other}`, 'And now?')).toMatchObject({ summary: 'It is all there.' })
})

const textOf = (events: readonly TaskEvent[], kind: 'message' | 'reasoning', step: number, attempt = 1) =>
  events
    .map((event) =>
      event.kind === kind && event.step === step && event.attempt === attempt ? event.text : '',
    )
    .join('')

const USAGE: Readonly<Record<ProviderName, object>> = {
  openai: {
    prompt_tokens: 3_000,
    completion_tokens: 100,
    total_tokens: 3_100,
    prompt_tokens_details: { cached_tokens: 1_000 },
  },
  anthropic: {
    input_tokens: 1_500,
    cache_creation_input_tokens: 500,
    cache_read_input_tokens: 1_000,
    output_tokens: 100,
  },
  gemini: {
    promptTokenCount: 3_000,
    cachedContentTokenCount: 1_000,
    candidatesTokenCount: 60,
    thoughtsTokenCount: 40,
    totalTokenCount: 3_100,
  },
}

test.for(NAMES)('every class of tokens is charged at its price (%s)', async (name) => {
  const usage = USAGE[name]
  providers[name].fallback(byAnswers({ ...calls(['list', {}]), usage }, { text: 'Done.', usage }))
  const { spentMinor } = await runTurn(await createTask(), `on-${name}`)
  const written = name === 'anthropic' ? 500 : 0
  const perAnswer =
    (2_000 - written) * CLASS_PRICES.input +
    1_000 * CLASS_PRICES.cachedInput +
    written * CLASS_PRICES.cacheWrite +
    100 * CLASS_PRICES.output
  expect(spentMinor).toBe(BigInt(Math.ceil((2 * perAnswer) / 1_000_000)))
  const { balanceMinor, heldMinor } = await providers.money(ada)
  expect([10_000_000n - balanceMinor, heldMinor]).toEqual([spentMinor, 0n])
})

test.for(NAMES)('arguments that are not JSON do not break the next request (%s)', async (name) => {
  const wrong = [
    { name: 'read', arguments: '{"path": a.txt}' },
    { name: 'read', arguments: '[1]' },
    { name: 'no such tool!', arguments: '{"path":"a.txt"}' },
  ]
  const broken =
    name === 'openai'
      ? wrong
      : [
          { name: 'unknown', arguments: '{}' },
          { name: 'read', arguments: '{"path":7}' },
        ]
  providers[name].fallback(byAnswers({ toolCalls: broken }, 'I could not.'))
  const task = await createTask()
  expect(await runTurn(task, `on-${name}`)).toMatchObject({ stopReason: 'completed' })
  // A model of the strictest format continues with what the other one wrote.
  providers.anthropic.fallback(() => 'I can.')
  expect(await runTurn(task, 'on-anthropic')).toMatchObject({ stopReason: 'completed', summary: 'I can.' })
  providers.gemini.fallback(() => 'So can I.')
  expect(await runTurn(task, 'on-gemini')).toMatchObject({ stopReason: 'completed', summary: 'So can I.' })
})

const HIGH = '\ud83d'
const EDITS = Array.from({ length: 60 }, (_, n) => ({ find: `${n}${' '.repeat(5_000)}`, replace: '' }))
test.for([
  ['a large piece', { pieces: [' '.repeat(300_000), 'Done.'] }],
  ['NUL and half a pair', { pieces: ['a\u0000', HIGH, 'b', `\udc00${HIGH}`] }],
  ['NUL in a call', calls(['create', { path: 'n.txt', content: `a\u0000${HIGH}b` }])],
  ['NUL in a path and a query', calls(['read', { path: 'a\u0000' }], ['search', { query: `\u0000${HIGH}` }])],
  ['a read of control characters', calls(['read', { path: 'controls.txt' }])],
  ['many long edits', calls(['edit', { path: 'a.txt', edits: EDITS }])],
] as const)('an answer with %s is stored, and the turn ends', async ([, answer]) => {
  providers.openai.fallback(byAnswers(answer, 'Done.'))
  const task = await createTask()
  const turn = await runTurn(task, 'on-openai')
  expect(turn).toMatchObject({ stopReason: 'completed' })
  const again = await runTurn(task, 'on-anthropic', 'And now?', { maxMinor: 1_000_000 })
  expect(again).toMatchObject({ stopReason: 'completed' })
  for (const request of completionsOf('anthropic'))
    expect(JSON.stringify(request.body)).not.toMatch(/\\ud[89a-f]/)
})

describe('a provider that fails', () => {
  test.for(NAMES)(
    'in the middle of its stream is asked again, and only the answer is charged (%s)',
    async (name) => {
      const paused = gate()
      let asked = 0
      providers[name].fallback(() =>
        ++asked === 1
          ? { pieces: ['This will ', 'never ', () => paused.opened, 'end.'], cutAfter: 3 }
          : 'The whole answer.',
      )
      const task = await createTask()
      const failing = runTurn(task, `on-${name}`)
      await expect.poll(async () => textOf(await eventsOf(task), 'message', 1)).toBe('This will never ')
      paused.open()
      expect(await failing).toMatchObject({ status: 'running', spentMinor: 0n })
      // The job waits before it asks again.
      providers.server.clock.advance({ seconds: 5 })
      await providers.server.app.jobs.drain()
      const turn = await lastTurn(task)
      expect(turn).toMatchObject({ stopReason: 'completed', summary: 'The whole answer.' })
      const events = await eventsOf(task)
      expect(textOf(events, 'message', 1, 2)).toBe('The whole answer.')
      expect(events).toContainEqual(expect.objectContaining({ kind: 'status', note: 'retrying' }))
      const holds = await providers.server.sql.rows<{ state: string; charged: bigint | null }>`
        select state, charged_minor as charged from holds where org_id = ${ada.orgId} order by created_at, id`
      expect(holds.map(({ state }) => state)).toEqual(['released', 'settled'])
      expect(events.filter(({ kind }) => kind === 'cost')).toHaveLength(1)
      expect(turn.spentMinor).toBe(holds[1]?.charged)
    },
  )

  test('before its answer is replaced by the next route of the model', async () => {
    providers.anthropic.fallback(byAnswers(READS, { status: 529 }, { status: 529 }))
    providers.gemini.fallback(byAnswers('Too early.', 'Gemini continued.'))
    const task = await createTask()
    expect(await runTurn(task, 'on-two')).toMatchObject({
      stopReason: 'completed',
      summary: 'Gemini continued.',
    })
    expect(messagesOf(completionsOf('gemini').at(-1) as FakeRequest)).toContain('alpha')
  })

  const TOO_LONG: Readonly<Record<ProviderName, FakeReply>> = {
    openai: { status: 400, body: { error: { code: 'context_length_exceeded', message: 'too long' } } },
    anthropic: {
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } },
    },
    gemini: {
      status: 400,
      body: { error: { code: 400, message: 'The input token count exceeds the maximum number of tokens' } },
    },
  }
  const isSummary = (request: FakeRequest) => messagesOf(request).includes('Write a summary of this conv')

  test.for(NAMES)('to take a long prompt gets a summary (%s)', async (name) => {
    providers[name].fallback((request) => {
      if (isSummary(request)) return 'SUMMARY: both files were read.'
      if (messagesOf(request).includes('SUMMARY')) return 'Done.'
      return answersIn(request) === 0 ? READS : TOO_LONG[name]
    })
    const task = await createTask()
    expect(await runTurn(task, `on-${name}`)).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
    const events = await eventsOf(task)
    expect(events).toContainEqual(expect.objectContaining({ kind: 'status', note: 'compacted' }))
    expect(events.filter(({ kind }) => kind === 'cost')).toHaveLength(3)
    expect(completionsOf(name)).toHaveLength(4)
    // So does the first step of a later turn, and a summary that does not fit either ends it.
    providers[name].fallback(() => TOO_LONG[name])
    expect(await runTurn(task, `on-${name}`, 'More.')).toMatchObject({
      stopReason: 'too_long',
      errorCode: 'prompt_too_long',
      spentMinor: 0n,
    })
    providers[name].fallback((request) => {
      if (isSummary(request)) return 'SECOND SUMMARY.'
      return messagesOf(request).includes('SECOND') ? 'Done again.' : TOO_LONG[name]
    })
    expect(await runTurn(task, `on-${name}`, 'More.')).toMatchObject({ summary: 'Done again.' })
  })
})
