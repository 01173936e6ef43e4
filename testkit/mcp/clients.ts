// MCP clients: the newest SDK in both modes, and the previous SDK.
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type AgentTestServer, startAgentServer } from '../agent/run.ts'

const CLIENT_INFO = { name: 'a test', version: '1.0.0' }

export type ListedTool = {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: { properties?: object | undefined; required?: string[] | undefined }
  annotations?: Record<string, unknown> | undefined
}
export type ToolCallResult = {
  isError: boolean
  /** The structured content. */
  facts: Record<string, unknown>
  texts: string[]
}
export type CallOptions = { signal?: AbortSignal; onProgress?: (message: string) => void }
export type McpClient = {
  readonly revision: string | undefined
  list(): Promise<ListedTool[]>
  call(name: string, given?: Record<string, unknown>, options?: CallOptions): Promise<ToolCallResult>
  close(): Promise<void>
}

/** The parts of an SDK client that tests use. */
type Library = { listTools(): Promise<{ tools: unknown[] }>; close(): Promise<void> }
type CallTool = (
  params: { name: string; arguments: Record<string, unknown> },
  options: object,
) => Promise<unknown>

export const toMcpClient = (
  library: Library,
  callTool: CallTool,
  revision: string | undefined,
): McpClient => ({
  revision,
  list: async () => (await library.listTools()).tools as ListedTool[],
  async call(name, given = {}, { signal, onProgress } = {}) {
    const onprogress = ({ message = '' }: { message?: string }) => onProgress?.(message)
    const options = { timeout: 120_000, ...(signal && { signal }), ...(onProgress && { onprogress }) }
    const result = (await callTool({ name, arguments: given }, options)) as {
      isError?: boolean
      structuredContent?: Record<string, unknown>
      content: { text?: string }[]
    }
    return {
      isError: result.isError === true,
      facts: result.structuredContent ?? {},
      texts: result.content.map(({ text }) => text ?? ''),
    }
  },
  close: () => library.close(),
})

type Connect = (address: string, key: string) => Promise<McpClient>
const headersWith = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function connectNewestSdk(
  address: string,
  key: string,
  mode: 'legacy' | { pin: string },
): Promise<McpClient> {
  const client = new NewClient(CLIENT_INFO, { versionNegotiation: { mode } })
  await client.connect(new NewTransport(new URL(`${address}/mcp`), headersWith(key)))
  return toMcpClient(
    client,
    (params, options) => client.callTool(params, options),
    client.getNegotiatedProtocolVersion(),
  )
}

const connectPreviousSdk: Connect = async (address, key) => {
  const client = new OldClient(CLIENT_INFO)
  const transport = new OldTransport(new URL(`${address}/mcp`), headersWith(key))
  await client.connect(transport)
  return toMcpClient(
    client,
    (params, options) => client.callTool(params, undefined, options),
    transport.protocolVersion,
  )
}

export const MCP_CLIENTS: Readonly<Record<string, Connect>> = {
  'the newest SDK': (address, key) => connectNewestSdk(address, key, { pin: '2026-07-28' }),
  'the newest SDK with a handshake': (address, key) => connectNewestSdk(address, key, 'legacy'),
  'the previous SDK': connectPreviousSdk,
}
export const connect: Connect = (address, key) => connectNewestSdk(address, key, { pin: '2026-07-28' })
export const connectPrevious = connectPreviousSdk

export const startMcpServer = (): Promise<AgentTestServer> =>
  startAgentServer({
    SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search',
    SERVICE_SANDBOX_LOCAL: 'on',
    SERVICE_SANDBOX_DOCKER: 'off',
  })
