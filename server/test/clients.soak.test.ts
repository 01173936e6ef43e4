// Real coding clients edit a file through this service, with a scripted model behind it.
import {
  CLAUDE_CODE,
  CLINE,
  CODEX,
  type CodingClient,
  GEMINI_CLI,
  OPENCODE,
  QWEN_CODE,
} from '@cowrie/testkit/clients/clients.ts'
import { editSession, type ProviderWire, type Tokens } from '@cowrie/testkit/clients/edit-session.ts'
import { startRecorder } from '@cowrie/testkit/clients/record.ts'
import { runClient } from '@cowrie/testkit/clients/run.ts'
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let api: ModelProviders

const BALANCE = 100_000_000n
/** Writes the last request of each client to testkit/gateway/client-requests. */
const RECORDS = process.env.RECORD_CLIENT_REQUESTS === '1'

/** Kobo per token. */
const PRICE = { input: 30n, output: 150n, cachedInput: 3n, cacheWrite: 40n }
const perMillion = Object.fromEntries(
  Object.entries(PRICE).map(([name, kobo]) => [name, Number(kobo) * 1_000_000]),
)
const costOf = ({ input, cached, written, output }: Tokens): bigint =>
  BigInt(input) * PRICE.input +
  BigInt(cached) * PRICE.cachedInput +
  BigInt(written) * PRICE.cacheWrite +
  BigInt(output) * PRICE.output

beforeAll(async () => {
  api = await startModelProviders()
  for (const wire of ['openai', 'anthropic', 'gemini'] as const)
    await api.putModel(`coder-${wire}`, [wire], {
      lane: 'frontier',
      capabilities: ['tools', 'reasoning', 'cache'],
      price: perMillion,
    })
})
afterAll(() => api.close())

/** Runs the client and checks its file, the model's view of it, its requests and its costs. */
async function edit(client: CodingClient, wire: ProviderWire): Promise<void> {
  const provider = api[wire]
  provider.reset()
  const session = editSession(client, wire)
  provider.fallback(session.reply)
  const customer = await api.customer(BALANCE)
  const logStart = api.server.logged.length
  const recorder = RECORDS ? await startRecorder(api.address) : undefined
  const run = await runClient(client, {
    address: recorder?.address ?? api.address,
    key: customer.key,
    model: `coder-${wire}`,
    content: 'Hello, world.\n',
  })
  const report = [run.output.slice(-4_000), ...api.server.logged.slice(logStart)].join('\n')
  expect(run.code, report).toBe(0)
  expect(run.file, report).toBe('Hello, Lagos.\n')
  expect(session.results.length, report).toBeGreaterThanOrEqual(3)
  expect(session.results[0]).toContain('Hello, world.')
  expect(session.results.at(-1)).toContain('Hello, Lagos.')
  const statuses = statusesOf(api.server.logged.slice(logStart), customer.orgId)
  expect(statuses.length).toBeGreaterThanOrEqual(session.usage.length)
  expect(new Set(statuses), report).toEqual(new Set([200]))
  const cost = session.usage.reduce((sum, tokens) => sum + costOf(tokens), 0n)
  expect(await spentBy(api, customer, BALANCE)).toBe(cost)
  recorder?.save(client.id, [
    [customer.key, 'cwk_key'],
    [`coder-${wire}`, 'coder'],
    [run.folder, '/project'],
    [run.home, '/profile'],
  ])
  await recorder?.close()
  console.log(`${client.id} through ${wire}: ${session.usage.length} model calls in ${run.seconds} s`)
}

/** The statuses of the organisation's requests. */
const statusesOf = (log: readonly string[], orgId: string): number[] =>
  log
    .map((line) => JSON.parse(line) as { orgId?: string; status?: number })
    .flatMap((line) => (line.orgId === orgId && line.status !== undefined ? [line.status] : []))

const CASES: [CodingClient, ProviderWire][] = [
  [CODEX, 'openai'],
  [OPENCODE, 'openai'],
  [QWEN_CODE, 'openai'],
  [CLINE, 'openai'],
  [CLAUDE_CODE, 'openai'],
  [CLAUDE_CODE, 'anthropic'],
  [CLAUDE_CODE, 'gemini'],
  [GEMINI_CLI, 'openai'],
  [GEMINI_CLI, 'gemini'],
  [GEMINI_CLI, 'anthropic'],
  [CODEX, 'anthropic'],
  [OPENCODE, 'gemini'],
]

describe('a coding client edits a file and pays for each token', () => {
  test.each(CASES.map(([client, wire]) => ({ name: client.id, wire, client })))(
    '$name with a provider of $wire',
    ({ client, wire }) => edit(client, wire),
  )
})
