// The MCP endpoint: access, protocol revisions and invalid messages.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { connect, connectPrevious } from '@cowrie/testkit/mcp/clients.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let address: string
let ada: Person
let key: { bearer: string }
beforeAll(async () => {
  server = await startTestServer()
  address = await server.listen()
  ada = await server.person()
  await giveCredit(server, ada.orgId, 500n)
  key = await server.key(ada, ['agent:run'])
})
afterAll(() => server.close())

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const NEWEST = '2026-07-28'
const meta = { [VERSION]: NEWEST, [CAPABILITIES]: {} }

type Answered = {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}
const send = (
  body: unknown,
  headers: Record<string, string> = {},
  as: { bearer: string } | undefined = key,
) => server.call<Answered>('POST', '/mcp', { as, body, headers })
const rpc = (method: string, params?: object, headers: Record<string, string> = {}) =>
  send({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }, headers)
const modern = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  rpc(
    method,
    { _meta: meta, ...params },
    { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...headers },
  )

describe('the handshake', () => {
  test.for(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('supports %s', async (revision) => {
    const { status, body, headers } = await rpc('initialize', { protocolVersion: revision, capabilities: {} })
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: 'cowrie', version: '0.4.0' },
    })
    expect(headers['mcp-session-id']).toMatch(/^mcp_\w{26}$/)
    const list = await rpc('tools/list', {}, { 'mcp-protocol-version': revision })
    expect(list.body.result).not.toHaveProperty('resultType')
  })

  test('offers the newest handshake revision for an unknown one', async () => {
    const { body } = await rpc('initialize', { protocolVersion: '1999-01-01' })
    expect(body.result?.protocolVersion).toBe('2025-11-25')
  })

  test('is followed by notifications without replies and by pings', async () => {
    const accepted = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(accepted).toMatchObject({ status: 202, text: '' })
    expect((await rpc('ping')).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })
})

describe('a request that states its revision', () => {
  test('works without a handshake and can discover the server', async () => {
    const { status, body } = await modern('server/discover')
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining([NEWEST, '2024-11-05']),
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'cowrie' } },
    })
    expect((await modern('tools/list')).body.result).toMatchObject({ cacheScope: 'private', ttlMs: 60_000 })
  })

  test('may name a tool in Base64, and is refused if headers and message disagree', async () => {
    const params = { name: 'wallet_balance' }
    const encoded = `=?base64?${Buffer.from(params.name).toString('base64')}?=`
    expect((await modern('tools/call', params, { 'mcp-name': encoded })).status).toBe(200)
    for (const headers of [
      {},
      { 'mcp-name': 'run_agent' },
      { 'mcp-name': params.name, 'mcp-method': 'ping' },
    ])
      expect(await modern('tools/call', params, headers)).toMatchObject({
        status: 400,
        body: { error: { code: -32020 } },
      })
    expect(await modern('tools/list', {}, { 'mcp-protocol-version': '2025-06-18' })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
    const unknown = { _meta: { ...meta, [VERSION]: '2031-01-01' } }
    expect(await modern('tools/list', unknown)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: -32020,
          message: expect.stringContaining(`2031-01-01 and the MCP-Protocol-Version header ${NEWEST}`),
        },
      },
    })
    expect(await rpc('initialize', {}, { 'mcp-protocol-version': NEWEST })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
  })

  test('needs all required headers and fields', async () => {
    const headers = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/list' }
    expect(await rpc('tools/list', {}, headers)).toMatchObject({
      status: 400,
      body: { error: { code: -32602 } },
    })
    const half = { _meta: { [VERSION]: NEWEST } }
    expect(await rpc('tools/list', half, headers)).toMatchObject({
      status: 400,
      body: { error: { code: -32602 } },
    })
  })

  test('with an unknown revision gets the list of supported ones', async () => {
    for (const reply of [
      await rpc('tools/list', { _meta: { ...meta, [VERSION]: '2031-01-01' } }),
      await rpc('tools/list', {}, { 'mcp-protocol-version': '2031-01-01' }),
    ])
      expect(reply).toMatchObject({
        status: 400,
        body: {
          error: {
            code: -32022,
            data: { requested: '2031-01-01', supported: expect.arrayContaining([NEWEST]) },
          },
        },
      })
  })
})

describe('access', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test('without a valid key is refused with instructions', async () => {
    for (const as of [undefined, { bearer: 'csk_00000000_00000000000000000000000000000000000000' }]) {
      const reply = await server.call('POST', '/mcp', { as, body: list })
      expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="cowrie"')
    }
  })

  test('with a browser session is refused', async () => {
    const browser = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: ada.email } })
    expect(await browser.call('POST', '/mcp', { body: list })).toMatchObject({ status: 401 })
  })

  test('from a page of another origin is refused, even with a valid key', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect(await send(list, headers)).toMatchObject({ status: 403, body: { code: 'cross_origin' } })
    expect((await send(list, { origin: 'http://cowrie.test' })).status).toBe(200)
  })

  test.for(['GET', 'DELETE'])('with %s is refused: there are no streams or sessions', async (method) => {
    const reply = await server.call(method, '/mcp', { as: key, headers: { accept: 'text/event-stream' } })
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })

  test('is limited to the tools that the scopes of the key allow', async () => {
    const narrow = await server.key(ada, ['metrics:read'])
    const program = await connect(address, narrow.bearer)
    const names = (await program.list()).map(({ name }) => name)
    expect(names).toContain('wallet_balance')
    expect(names).toContain('research_start')
    for (const name of [
      'quote',
      'run_agent',
      'run_loop',
      'search_repo',
      'review_diff',
      'list_runs',
      'get_run',
    ])
      expect(names).not.toContain(name)
    expect(await program.call('quote', { prompt: 'x' })).toMatchObject({
      isError: true,
      facts: { code: 'insufficient_scope', requestId: expect.any(String) },
    })
    await program.close()
  })

  test('is rate limited, at the endpoint and at the operation of a tool', async () => {
    // The rate windows of earlier tests have ended.
    server.clock.advance({ hours: 1 })
    const strict = await startTestServer({
      ...{ url: server.url, clock: server.clock },
      variables: { SERVICE_RATE_LIMIT_GLOBAL: '4/60' },
    })
    const ask = () =>
      strict.call<Answered>('POST', '/mcp', {
        as: key,
        body: { ...list, method: 'tools/call', params: { name: 'wallet_balance' } },
      })
    // Each call counts twice: for this endpoint and for the operation.
    expect((await ask()).body.result?.isError).toBeUndefined()
    await strict.call('GET', '/wallet', { as: key })
    expect((await ask()).body.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'rate_limited' },
    })
    const refused = await ask()
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await strict.close()
  })

  test('works for the previous SDK, including connect and close', async () => {
    const program = await connectPrevious(address, key.bearer)
    expect(program.revision).toBe('2025-11-25')
    expect((await program.call('wallet_balance')).facts).toMatchObject({ balanceMinor: 500 })
    await program.close()
  })
})

describe('an invalid message', () => {
  test.for<[string, unknown]>([
    ['a number', 7],
    ['a string', 'ping'],
    ['null', null],
    ['an empty batch', []],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an invalid id', { jsonrpc: '2.0', id: { a: 1 }, method: 'ping' }],
    ['a fraction for an id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['an invalid method', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['params as an array', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }],
  ])('is refused: %s', async ([, body]) => {
    expect((await send(body)).status).toBe(400)
  })

  test('is refused if it is not JSON, too large or of another content type', async () => {
    const raw = (raw: string, headers = {}) => server.call('POST', '/mcp', { as: key, raw, headers })
    expect(await raw('{"jsonrpc":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
    expect((await raw(`"${'x'.repeat(8 * 1024 * 1024)}"`)).status).toBe(413)
    expect((await raw('{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test.for<[string, string, object | undefined, number]>([
    ['an unknown method', 'resources/list', undefined, -32601],
    ['no tool name', 'tools/call', {}, -32602],
    ['an unknown tool', 'tools/call', { name: 'rm_rf' }, -32602],
    ['invalid arguments', 'tools/call', { name: 'quote', arguments: 'x' }, -32602],
    ['a missing id', 'tools/call', { name: 'get_run', arguments: {} }, -32602],
    [
      'an invalid key',
      'tools/call',
      { name: 'run_agent', arguments: { maxCostMinor: 1, idempotencyKey: ' ' } },
      -32602,
    ],
  ])('gets the error of the protocol: %s', async ([, method, params, code]) => {
    expect(await rpc(method, params)).toMatchObject({ status: 200, body: { id: 1, error: { code } } })
    const name = (params as { name?: string } | undefined)?.name
    const reply = await modern(method, params, name ? { 'mcp-name': name } : {})
    expect(reply).toMatchObject({ status: code === -32601 ? 404 : 200, body: { error: { code } } })
  })

  test.for(['../../wallet?x=', '%2e%2e', 'agr_1%2F..', 'a\r\nb', 'x'.repeat(4_000)])(
    'cannot leave the path of its operation: %j',
    async (id) => {
      const { body } = await rpc('tools/call', { name: 'get_run', arguments: { id } })
      expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } })
    },
  )

  test.for<[string, unknown]>([
    ['research_status', '..'],
    ['research_status', '.'],
    ['explain_charge', '..'],
    ['get_run', ['agr_1']],
    ['get_run', { toString: 'agr_1' }],
  ])('with an invalid id is refused: %s %j', async ([name, id]) => {
    expect(await rpc('tools/call', { name, arguments: { id } })).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    })
  })

  test('is refused before a stream starts, with the error of the protocol', async () => {
    const params = { name: 'run_agent', arguments: { prompt: 'x' } }
    const accept = 'application/json, text/event-stream'
    expect(await rpc('tools/call', params, { accept, 'mcp-protocol-version': '2031-01-01' })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32022 } },
    })
    expect(await modern('tools/call', params, { accept, 'mcp-name': 'quote' })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32020 } },
    })
  })

  test('an invalid filter is refused, not ignored', async () => {
    const { body } = await rpc('tools/call', { name: 'list_charges', arguments: { type: ['debit'] } })
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('"type"') })
  })

  test.for(['"100"', '1.5', '-1', '1e30', 'null', 'true', '[100]', '99999999999999999999'])(
    'an invalid cost limit is refused under its argument name: %s',
    async (bound) => {
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_agent","arguments":{"prompt":"x","maxCostMinor":${bound}}}}`
      const { body } = await server.call<Answered>('POST', '/mcp', { as: key, raw: call })
      expect(body.result).toMatchObject({
        isError: true,
        structuredContent: { code: 'invalid_fields', fields: [{ path: 'maxCostMinor' }] },
      })
    },
  )

  test('invalid arguments are reported field by field', async () => {
    const { body } = await rpc('tools/call', { name: 'search_repo', arguments: { query: '', limit: 'many' } })
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'invalid_fields',
        fields: expect.arrayContaining([{ path: 'limit', message: expect.any(String) }]),
      },
    })
  })

  test('batches are accepted only in the revisions that support them', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'nothing' },
    ]
    const { status, body } = await send(batch, { 'mcp-protocol-version': '2025-03-26' })
    expect(status).toBe(200)
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: expect.any(String) } },
    ])
    expect(await send(batch.slice(1, 2), { 'mcp-protocol-version': '2025-03-26' })).toMatchObject({
      status: 202,
    })
    expect(await send(batch, { 'mcp-protocol-version': '2025-06-18' })).toMatchObject({ status: 400 })
  })
})
