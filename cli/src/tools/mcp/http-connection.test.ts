// MCP servers at an address: a server that answers as documented, and servers that misbehave.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { run, useMcpPlace } from '../../../test/mcp-place.ts'

const { place, connect, closeAll } = useMcpPlace()
const { notes } = place
let server: Server
let url: string
let seen: { method: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []
const serve = async (answer: (message: { id: number; method: string }, response: ServerResponse) => void) => {
  seen = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method, headers: request.headers, body })
    if (request.method === 'DELETE') return void response.end()
    answer(JSON.parse(body), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}
afterEach(async () => {
  await closeAll()
  server.closeAllConnections()
  server.close()
})
const json = (response: ServerResponse, value: object, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const usual = ({ id, method }: { id: number; method: string }, response: ServerResponse): boolean => {
  if (method === 'initialize')
    json(
      response,
      { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {} } },
      { 'mcp-session-id': 's1' },
    )
  else if (method === 'tools/list')
    json(response, {
      jsonrpc: '2.0',
      id,
      result: { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
    })
  else if (method.startsWith('notifications/')) response.writeHead(202).end()
  else return false
  return true
}

test('a server answers by JSON or by events, in one session with its headers', async () => {
  await serve((message, response) => {
    if (usual(message, response)) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n')
    response.end(
      `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'from events' }] } })}\n\n`,
    )
  })
  const tools = await connect({
    web: { type: 'http', url, headers: { authorization: `Bearer $\{CHOSEN}` } },
  })
  expect((await run(tools, 'mcp_web_go')).output).toContain('| from events')
  await tools.close()
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill('Bearer chosen'))
  expect(seen.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, 's1', 's1', 's1', 's1'])
  expect(seen.at(-1)?.method).toBe('DELETE')
})

test('a server that refuses, redirects, breaks off or forgets the session gives a clear result', async () => {
  let mode = 401
  await serve((message, response) => {
    if (mode !== 401 && usual(message, response)) return
    if (mode === 307) response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    else if (mode === 200)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"jsonrpc"')
    else response.writeHead(mode).end('secret page')
  })
  await connect({ web: { url } })
  expect(notes[0]).toContain('it refused the key (HTTP 401)')
  mode = 307
  const tools = await connect({ web: { url } })
  expect((await run(tools, 'mcp_web_go')).output).toContain('could not be reached')
  mode = 200
  expect((await run(tools, 'mcp_web_go')).output).toContain('its answer broke off')
  mode = 404
  expect((await run(tools, 'mcp_web_go')).output).toContain('HTTP 404')
  const before = seen.length
  await run(tools, 'mcp_web_go')
  expect(seen.slice(before).map(({ body }) => JSON.parse(body).method)).toContain('initialize')
})
