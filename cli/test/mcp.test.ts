// cowrie mcp: a stdio MCP server that relays to the service.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  startAgentServer,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import { type FakeService, json, silent, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSandbox } from '../src/tools/commands/sandbox/sandbox.ts'
import { connectMcpServers } from '../src/tools/mcp/mcp-tools.ts'
import { type CommandResult, cowrie } from './cowrie.ts'

const COWRIE = fileURLToPath(new URL('../bin/cowrie.mjs', import.meta.url))
const ME = { name: 'a test', version: '1.0.0' }

let stage: AgentTestServer
let address: string
let key: string
beforeAll(async () => {
  stage = await startAgentServer()
  address = await stage.server.listen()
  const ada = await createFundedPerson(stage.server, 1_000_000n)
  key = (await stage.server.key(ada, ['agent:run'])).bearer
})
afterAll(() => stage.close())

const started = () => ({
  command: process.execPath,
  args: [COWRIE, 'mcp'],
  env: { PATH: process.env.PATH ?? '', ...COMPILE_CACHE, COWRIE_URL: address, COWRIE_API_KEY: key },
})

describe('an MCP client', () => {
  test('of the newest version lists tools, calls them and receives progress', async () => {
    const client = new NewClient(ME, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new NewTransport(started()))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_loop')
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const steps: unknown[] = []
    const given = { ...TASK, maxIters: 1, maxCostMinor: 100_000 }
    const result = await client.callTool(
      { name: 'run_loop', arguments: given },
      { timeout: 120_000, onprogress: ({ message }) => steps.push(message) },
    )
    expect(result.structuredContent).toMatchObject({ iterations: 1, costMinor: expect.any(Number) })
    expect(steps[0]).toMatch(/^started agr_/)
    await client.close()
  })

  test('of the previous version initializes and makes concurrent calls', async () => {
    const client = new OldClient(ME)
    await client.connect(new OldTransport(started()))
    const call = () => client.callTool({ name: 'wallet_balance' })
    for (const result of await Promise.all([call(), call(), call()]))
      expect(result.structuredContent).toMatchObject({ currency: 'NGN' })
    await client.close()
  })
})

test('a session uses it as an MCP server like any other', async () => {
  const home = scratchFolder()
  const root = join(home, 'work')
  mkdirSync(root)
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { cowrie: started() } }))
  const around = { root, env: { PATH: process.env.PATH }, home, platform: process.platform }
  const notes: string[] = []
  const tools = await connectMcpServers({
    ...around,
    userFile: join(home, 'mcp.json'),
    trust: { stateFile: null, ask: async () => false },
    sandbox: openSandbox({ ...around, folder: join(home, 'sandbox'), hidden: [], isSecret: () => false }),
    onNote: (note) => notes.push(note),
  })
  expect(notes).toEqual([])
  const call = { callId: 'call_1', turnId: 'turn_1', tool: 'mcp_cowrie_wallet_balance', input: {} }
  const report = await tools.run(call, { signal: new AbortController().signal })
  expect(report).toMatchObject({ ok: true, output: expect.stringContaining('NGN') })
  await tools.close()
  rmSync(home, { recursive: true })
})

/** Short waits end immediately; long waits last until they are aborted. */
const soon = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  ms < 10_000
    ? Promise.resolve()
    : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** The messages that it sends in response to these lines. */
async function say(lines: readonly unknown[], env: Record<string, string>) {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const machine = {
    async *stdin() {
      yield text
    },
    sleep: soon,
  }
  const ended: CommandResult = await cowrie(['mcp'], { env, machine })
  return {
    ...ended,
    replies: ended.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  }
}
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('without a service', () => {
  test('it reports missing credentials on stderr and in each reply', async () => {
    const { replies, stderr, code } = await say(
      [PING, { jsonrpc: '2.0', method: 'notifications/initialized' }],
      {
        COWRIE_URL: address,
      },
    )
    expect(code).toBe(0)
    expect(stderr).toContain('Run "cowrie auth login"')
    expect(replies).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32000,
          message: expect.stringContaining('cowrie auth login'),
          data: { code: 'signed_out' },
        },
      },
    ])
  })

  test('it answers invalid messages with an error and passes on errors of the service', async () => {
    const env = { COWRIE_URL: address, COWRIE_API_KEY: 'csk_00000000_00000000000000000000000000000000000000' }
    const { replies } = await say(['{"jsonrpc', '', PING], env)
    expect(replies).toHaveLength(2)
    expect(replies).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.any(String) },
    })
    expect(replies).toContainEqual(
      expect.objectContaining({
        id: 1,
        error: expect.objectContaining({ data: expect.objectContaining({ code: 'unauthenticated' }) }),
      }),
    )
  })
})

describe('a broken connection', () => {
  let fakeService: FakeService
  afterEach(() => fakeService.close())

  test('is retried with the same message in the same session for about a minute', async () => {
    const busy = json(503, { error: 'Busy.', code: 'busy', requestId: 'req_1' })
    fakeService = await startFakeService(
      busy,
      busy,
      json(200, { jsonrpc: '2.0', id: 1, result: {} }),
      ...Array.from({ length: 15 }, () => busy),
    )
    const env = { COWRIE_URL: fakeService.url, COWRIE_API_KEY: 'csk_test' }
    expect((await say([PING], env)).replies).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    const seen = fakeService.requests.map(({ headers, body }) => [headers['mcp-session-id'], body])
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(String)).size).toBe(1)
    const gone = await say([PING], env)
    expect(gone.replies).toMatchObject([{ id: 1, error: { code: -32000, data: { code: 'busy' } } }])
    expect(fakeService.requests).toHaveLength(3 + 15)
  })

  test('is retried while the service restarts or still processes the earlier request', async () => {
    const broken = { code: -32000, message: 'Restarting.', data: { code: 'restarting' } }
    const working = { isError: true, content: [], structuredContent: { code: 'idempotency_in_progress' } }
    const frames = (...messages: object[]) =>
      messages.map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`).join('')
    const stream = (text: string) => json(200, text, { 'content-type': 'text/event-stream' })
    fakeService = await startFakeService(
      stream(frames({ method: 'notifications/progress' }, { id: 1, error: broken })),
      ...Array.from({ length: 10 }, () => stream(frames({ id: 1, result: working }))),
      stream(frames({ id: 1, result: { content: [] } })),
      ...Array.from({ length: 15 }, () => stream(frames({ id: 1, error: broken }))),
    )
    const env = { COWRIE_URL: fakeService.url, COWRIE_API_KEY: 'csk_test' }
    expect((await say([PING], env)).replies).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1, result: { content: [] } },
    ])
    expect(fakeService.requests).toHaveLength(12)
    expect((await say([PING], env)).replies).toMatchObject([{ id: 1, error: broken }])
    expect(fakeService.requests).toHaveLength(12 + 15)
  })

  test('a cancellation by the client is passed on, and no answer follows', async () => {
    fakeService = await startFakeService(
      silent('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'),
      json(202, ''),
    )
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const result: CommandResult = { code: -1, stdout: '', stderr: '' }
    const machine = {
      sleep: soon,
      async *stdin() {
        yield `${JSON.stringify(PING)}\n`
        await expect.poll(() => result.stdout, { timeout: scaledTimeout(30_000) }).toContain('progress')
        yield `${JSON.stringify(cancel)}\n`
      },
    }
    const env = { COWRIE_URL: fakeService.url, COWRIE_API_KEY: 'csk_test' }
    await cowrie(['mcp'], { env, machine, result })
    expect(result).toEqual({
      code: 0,
      stdout: '{"jsonrpc":"2.0","method":"notifications/progress"}\n',
      stderr: '',
    })
    expect(fakeService.requests.map(({ body }) => JSON.parse(String(body)).method)).toEqual([
      'ping',
      cancel.method,
    ])
  })
})
