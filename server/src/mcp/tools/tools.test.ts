// Every tool, called by the public client SDKs.

import {
  type AgentTestServer,
  createFundedPerson,
  FIXED,
  fixingAnswer,
  listDebits,
  readWallet,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { connect, MCP_CLIENTS, type McpClient, startMcpServer } from '@cowrie/testkit/mcp/clients.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let stage: AgentTestServer
let address: string
let ada: Person
let key: string
let program: McpClient
const open: McpClient[] = []

beforeAll(async () => {
  stage = await startMcpServer()
  address = await stage.server.listen()
})
beforeEach(async () => {
  stage.upstream.reset()
  ada = await createFundedPerson(stage.server, 1_000_000n)
  key = (await stage.server.key(ada, ['agent:run', 'wallet:read'])).bearer
  program = await connect(address, key)
  open.push(program)
})
afterAll(async () => {
  for (const each of open) await each.close()
  await stage.close()
})

describe.each(Object.entries(MCP_CLIENTS))('%s', (_, start) => {
  test('finds the tools with their prices and calls them', async () => {
    const program = await start(address, key)
    open.push(program)
    const tools = await program.list()
    expect(tools.map(({ name }) => name)).toEqual([
      ...[
        'wallet_balance',
        'list_charges',
        'explain_charge',
        'quote',
        'search_repo',
        'run_agent',
        'run_loop',
      ],
      ...['review_diff', 'research_start', 'research_status', 'research_report', 'research_cancel'],
      ...[
        'task_create',
        'task_turn',
        'task_status',
        'task_diff',
        'task_stop',
        'task_tool_results',
        'task_list',
      ],
      ...['list_runs', 'get_run'],
    ])
    for (const { name, description, inputSchema } of tools) {
      const isPaid = ['run_agent', 'run_loop', 'research_start', 'task_turn'].includes(name)
      // The price of a turn depends on its task.
      const price = name === 'task_turn' ? /at most `maxCostMinor`/ : /at most `maxCostMinor`.* at most ₦\d/
      expect(description, name).toMatch(isPaid ? price : / Free\.$/)
      expect(Object.hasOwn(inputSchema.properties ?? {}, 'maxCostMinor'), name).toBe(isPaid)
    }
    expect(await program.call('wallet_balance')).toMatchObject({
      isError: false,
      facts: { balanceMinor: 1_000_000, currency: 'NGN' },
    })
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const run = await program.call('run_agent', { ...TASK, maxCostMinor: 100_000 })
    expect(run).toMatchObject({ isError: false, facts: { costMinor: 109, replayed: false } })
    expect(await program.call('get_run', { id: 'agr_nothing' })).toMatchObject({
      isError: true,
      facts: { code: 'not_found', requestId: expect.any(String) },
    })
  })
})

test('an edit is quoted, run, charged once, listed and explained', async () => {
  const quote = await program.call('quote', TASK)
  expect(quote.facts).toMatchObject({ affordable: true, iterations: 1 })
  stage.upstream.script(fixingAnswer({ usage: USAGE }))
  const { facts, texts } = await program.call('run_agent', { ...TASK, maxCostMinor: quote.facts.maxMinor })
  expect(facts).toMatchObject({
    edits: [{ path: 'src/add.js', action: 'update', content: FIXED }],
    costMinor: 109,
    balanceMinor: 999_891,
    replayed: false,
  })
  expect(texts[1]).toBe(`Cost ₦1.09 · Balance ₦9,998.91 · ${facts.ledgerRef}`)

  const [debit] = await listDebits(stage, ada)
  const charges = await program.call('list_charges', { type: 'debit', limit: 5 })
  expect(charges.facts).toMatchObject({
    entries: [{ id: debit?.id, ref: `${facts.ledgerRef}.1`, amountMinor: 109 }],
  })
  expect((await program.call('explain_charge', { id: debit?.id })).isError).toBe(false)
  expect((await program.call('list_runs', { kind: 'run' })).facts).toMatchObject({ runs: [{ id: facts.id }] })
  expect((await program.call('get_run', { id: facts.id })).facts).toMatchObject({
    result: { edits: [{ content: FIXED }] },
  })
})

test('a loop reports its progress on request, and its cost', async () => {
  stage.upstream.script(fixingAnswer({ usage: USAGE }))
  const steps: string[] = []
  const given = { ...TASK, maxIters: 1, maxCostMinor: 100_000 }
  const { facts, isError } = await program.call('run_loop', given, {
    onProgress: (words) => steps.push(words),
  })
  expect(isError).toBe(false)
  expect(facts).toMatchObject({
    result: { edits: [{ path: 'src/add.js' }] },
    verified: false,
    iterations: 1,
    balanceMinor: 1_000_000 - Number(facts.costMinor),
  })
  expect(steps[0]).toMatch(/^started agr_\w{26} on small-1$/)
  expect(steps.some((words) => words.startsWith('edit 1: done'))).toBe(true)
})

test('code search and diff review are free', async () => {
  const content = 'export function valueAddedTax(total) {\n  return total * 7.5\n}\n'
  await stage.server.call('POST', '/repo/index', {
    as: ada,
    body: { files: [{ path: 'src/tax.ts', content }] },
  })
  const before = await readWallet(stage.server, ada)
  const found = await program.call('search_repo', { query: 'value added tax', limit: 3 })
  expect(found.facts).toMatchObject({ hits: [{ path: 'src/tax.ts' }] })
  const diff = '--- /dev/null\n+++ b/run.js\n@@ -0,0 +1 @@\n+eval(process.argv[2])\n'
  const review = await program.call('review_diff', { diff })
  expect(review.isError).toBe(false)
  expect(review.facts).toMatchObject({ summary: { files: 1 } })
  expect(await readWallet(stage.server, ada)).toEqual(before)
})

test('research is started with a budget, read and cancelled', async () => {
  const given = { question: 'How is jollof cooked?', depth: 'quick', maxCostMinor: 50_000 }
  const { facts } = await program.call('research_start', given)
  expect(facts).toMatchObject({
    status: 'running',
    budgetMinor: 50_000,
    ledgerRef: facts.id,
    replayed: false,
  })
  const { id } = facts
  expect((await program.call('research_status', { id })).facts).toEqual(
    expect.objectContaining({ id, status: 'running', phase: 'queued', spentMinor: 0 }),
  )
  expect((await program.call('research_report', { id })).facts).toMatchObject({
    id,
    report: null,
    text: null,
  })
  expect((await program.call('research_cancel', { id })).facts).toMatchObject({ status: 'cancelled' })
})
