// The tools of tasks, called by a client SDK.
import {
  type AgentTestServer,
  createFundedPerson,
  listDebits,
  readWallet,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { connect, type McpClient, startMcpServer } from '@cowrie/testkit/mcp/clients.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let stage: AgentTestServer
let address: string
let ada: Person
let program: McpClient
const open: McpClient[] = []

beforeAll(async () => {
  stage = await startMcpServer()
  address = await stage.server.listen()
})
beforeEach(async () => {
  stage.upstream.reset()
  ada = await createFundedPerson(stage.server, 1_000_000n)
  const { bearer } = await stage.server.key(ada, ['agent:run', 'wallet:read'])
  program = await connect(address, bearer)
  open.push(program)
})
afterAll(async () => {
  for (const each of open) await each.close()
  await stage.close()
})

const ADD = 'export function add(a, b) {\n  return a - b\n}\n'
const FILES = { kind: 'files', files: [{ path: 'add.js', content: ADD }] }
const EDIT = calls(['edit', { path: 'add.js', edits: [{ find: 'a - b', replace: 'a + b' }] }])
const PROMPT = { prompt: 'Correct the sum.' }
const LIMIT = { maxCostMinor: 100_000 }

async function factsOf(name: string, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { facts, isError, texts } = await program.call(name, given)
  expect(isError, texts.join('\n')).toBe(false)
  return facts
}

test('a task is created, quoted, worked on, read and charged', async () => {
  const { id } = await factsOf('task_create', { workspace: FILES, title: 'The sum' })
  const unpaid = await program.call('task_turn', { id, ...PROMPT })
  expect(unpaid).toMatchObject({
    isError: true,
    facts: {
      code: 'max_cost_required',
      quote: { model: 'open', maxMinor: expect.any(Number), usuallyMinor: null },
    },
  })
  expect(unpaid.texts[0]).toContain('maxCostMinor')

  stage.upstream.fallback(
    byStep({ ...EDIT, usage: USAGE }, { text: 'The sum is correct now.', usage: USAGE }),
  )
  const started = await factsOf('task_turn', { id, ...PROMPT, ...LIMIT, idempotencyKey: 'once' })
  expect(started).toMatchObject({ maxMinor: 100_000, ledgerRef: started.turnId, replayed: false })
  const again = await factsOf('task_turn', { id, ...PROMPT, ...LIMIT, idempotencyKey: 'once' })
  expect(again).toMatchObject({ turnId: started.turnId, replayed: true })
  expect(await factsOf('task_status', { id })).toMatchObject({ status: 'queued' })

  await stage.server.app.jobs.drain()
  const task = await factsOf('task_status', { id })
  expect(task).toMatchObject({
    title: 'The sum',
    status: 'idle',
    turns: [{ id: started.turnId, stopReason: 'completed', summary: 'The sum is correct now.' }],
  })
  expect(await factsOf('task_diff', { id })).toMatchObject({
    files: [{ path: 'add.js', action: 'update', patch: expect.stringContaining('+  return a + b') }],
  })
  expect(await factsOf('task_list', {})).toMatchObject({ tasks: [{ id, title: 'The sum' }] })
  const debits = await listDebits(stage, ada)
  expect(debits.length).toBeGreaterThan(0)
  const { entries } = (await factsOf('list_charges', { type: 'debit' })) as { entries: { ref: string }[] }
  expect(entries.every(({ ref }) => ref.startsWith(`${started.ledgerRef}.`))).toBe(true)
  const { balanceMinor } = await readWallet(stage.server, ada)
  expect(1_000_000n - balanceMinor).toBe(BigInt(task.spentMinor as number))
})

test('a client runs the tools on a local folder', async () => {
  const { id } = await factsOf('task_create', { workspace: { kind: 'client', name: 'demo' } })
  stage.upstream.fallback(byStep(calls(['read', { path: 'add.js' }]), 'It subtracts.'))
  await factsOf('task_turn', { id, ...PROMPT, ...LIMIT })
  await stage.server.app.jobs.drain()
  const { status, needs } = await factsOf('task_status', { id })
  expect(status).toBe('waiting')
  const [{ callId }] = needs as [{ callId: string }]
  expect(needs).toMatchObject([{ kind: 'tool', tool: 'read', input: { path: 'add.js' } }])
  const results = [{ callId, ok: true, output: ADD }]
  expect(await factsOf('task_tool_results', { id, results })).toMatchObject({ accepted: [callId] })
  expect(await factsOf('task_tool_results', { id, results })).toMatchObject({ ignored: [callId] })
  const unknown = await program.call('task_tool_results', {
    id,
    results: [{ callId: 'call_9_9', ok: true, output: '' }],
  })
  expect(unknown).toMatchObject({ isError: true, facts: { code: 'not_found' } })
  await stage.server.app.jobs.drain()
  expect(await factsOf('task_status', { id })).toMatchObject({
    status: 'idle',
    turns: [{ summary: 'It subtracts.' }],
  })
})

test('a turn is stopped, and the status has only the last turns', async () => {
  const { id } = await factsOf('task_create', { workspace: FILES })
  for (let turn = 1; turn <= 4; turn++) {
    await factsOf('task_turn', { id, ...PROMPT, ...LIMIT, idempotencyKey: `turn-${turn}` })
    const busy = await program.call('task_turn', { id, ...PROMPT, ...LIMIT })
    expect(busy).toMatchObject({ isError: true, facts: { code: 'turn_running' } })
    await factsOf('task_stop', { id })
  }
  const { turns } = await factsOf('task_stop', { id })
  expect(turns).toMatchObject([2, 3, 4].map((ordinal) => ({ ordinal, stopReason: 'stopped' })))
  expect((await factsOf('task_status', { id })).turns).toEqual(turns)
  expect(await listDebits(stage, ada)).toEqual([])
})

test('the status and the changes fit the context of a model', async () => {
  const { id } = await factsOf('task_create', { workspace: { kind: 'client', name: 'demo' } })
  stage.upstream.fallback(byStep(calls(['read', { path: 'a' }]), 'Read.'))
  await factsOf('task_turn', { id, prompt: 'Read. '.repeat(2_000), ...LIMIT })
  await stage.server.app.jobs.drain()
  const { needs, turns } = (await factsOf('task_status', { id })) as {
    needs: [{ callId: string }]
    turns: [{ prompt: string }]
  }
  expect(turns[0].prompt).toBe(`${'Read. '.repeat(2_000).slice(0, 2_000)}…`)
  const patchOf = (path: string, lines: number) =>
    `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${'+line\n'.repeat(lines)}`
  const changes = [
    { path: 'a', patch: patchOf('a', 3) },
    { path: 'b', patch: patchOf('b', 50_000) },
  ]
  const results = [{ callId: needs[0].callId, ok: true, output: '', changes }]
  await factsOf('task_tool_results', { id, results })
  expect(await factsOf('task_diff', { id })).toMatchObject({
    files: [{ path: 'a', action: 'create', added: 3 }],
    skipped: [{ path: 'b', reason: 'too_large' }],
  })
})

test('wrong arguments are refused by field, and nothing is created or charged', async () => {
  const { id } = await factsOf('task_create', { workspace: FILES })
  const WRONG: [string, Record<string, unknown>, object][] = [
    ['task_create', {}, { code: 'invalid_fields', fields: [{ path: 'workspace' }] }],
    ['task_create', { workspace: { kind: 'disk' } }, { code: 'invalid_fields' }],
    [
      'task_create',
      { workspace: { kind: 'files', files: [{ path: '../a', content: '' }] } },
      { code: 'invalid_fields', fields: [{ path: 'workspace.files.0.path' }] },
    ],
    ['task_turn', { id, ...LIMIT }, { code: 'invalid_fields', fields: [{ path: 'prompt' }] }],
    [
      'task_turn',
      { id, ...PROMPT, maxCostMinor: -1 },
      { code: 'invalid_fields', fields: [{ path: 'maxCostMinor' }] },
    ],
    ['task_turn', { id, ...PROMPT, ...LIMIT, model: 'none' }, { code: 'model_not_found' }],
    ['task_turn', { id, ...PROMPT, maxCostMinor: 1 }, { code: 'budget_too_low' }],
    ['task_status', { id: 'tsk_1' }, { code: 'not_found' }],
    ['task_diff', { id, from: 'trn_1' }, { code: 'invalid_fields', fields: [{ path: 'from' }] }],
    ['task_tool_results', { id, results: [] }, { code: 'invalid_fields', fields: [{ path: 'results' }] }],
    [
      'task_tool_results',
      { id, results: [{ callId: 'call_1_1', ok: true, output: '' }] },
      { code: 'not_client_workspace' },
    ],
    ['task_list', { limit: 0 }, { code: 'invalid_fields', fields: [{ path: 'limit' }] }],
  ]
  for (const [name, given, facts] of WRONG)
    expect(await program.call(name, given), name).toMatchObject({ isError: true, facts })
  for (const name of ['task_status', 'task_turn', 'task_stop'])
    await expect(program.call(name, { ...PROMPT, ...LIMIT }), name).rejects.toThrow('needs "id"')
  expect(await factsOf('task_list', {})).toMatchObject({ tasks: [{ id, turnCount: 0 }] })
  expect(await listDebits(stage, ada)).toEqual([])
})

test('the tasks of another organisation do not exist, for each tool', async () => {
  const { id } = await factsOf('task_create', { workspace: FILES, title: 'Secret' })
  const eve = await createFundedPerson(stage.server, 1_000_000n)
  const { bearer } = await stage.server.key(eve, ['agent:run'])
  const other = await connect(address, bearer)
  open.push(other)
  const ACTIONS: [string, object][] = [
    ['task_status', {}],
    ['task_turn', PROMPT],
    ['task_turn', { ...PROMPT, ...LIMIT }],
    ['task_diff', {}],
    ['task_stop', {}],
    ['task_tool_results', { results: [{ callId: 'call_1_1', ok: true, output: '' }] }],
  ]
  for (const [name, given] of ACTIONS) {
    const reply = await other.call(name, { id, ...given })
    expect(reply, name).toMatchObject({ isError: true, facts: { code: 'not_found' } })
    expect(reply.texts.join(), name).not.toContain('Secret')
  }
  expect((await other.call('task_list', {})).facts).toMatchObject({ tasks: [] })
})

test('a key without the scope neither sees nor calls the tools', async () => {
  const { id } = await factsOf('task_create', { workspace: FILES })
  const { bearer } = await stage.server.key(ada, ['wallet:read'])
  const reader = await connect(address, bearer)
  open.push(reader)
  const names = (await reader.list()).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('task_'))).toEqual([])
  for (const name of ['task_status', 'task_diff', 'task_stop'])
    expect(await reader.call(name, { id }), name).toMatchObject({
      isError: true,
      facts: { code: 'insufficient_scope' },
    })
})

test('a lost reply is repeated without a second task or turn', async () => {
  const given = { workspace: FILES, idempotencyKey: 'create-once' }
  const { id } = await factsOf('task_create', given)
  expect(await factsOf('task_create', given)).toMatchObject({ id })
  const other = await program.call('task_create', { ...given, title: 'Other' })
  expect(other).toMatchObject({ isError: true, facts: { code: 'idempotency_key_reused' } })
  const turn = { id, ...PROMPT, ...LIMIT, idempotencyKey: 'turn-once' }
  // The later one of two concurrent calls may have to retry.
  const both = await Promise.all([program.call('task_turn', turn), program.call('task_turn', turn)])
  const first = both.find(({ isError }) => !isError)?.facts
  for (const each of both)
    expect(each.facts).toMatchObject(
      each.isError ? { code: 'idempotency_in_progress' } : { turnId: first?.turnId },
    )
  expect(await factsOf('task_turn', turn)).toMatchObject({ turnId: first?.turnId })
  await factsOf('task_stop', { id })
  expect(await factsOf('task_status', { id })).toMatchObject({ turns: [{ id: first?.turnId }] })
})
