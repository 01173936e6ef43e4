// Requests to an MCP server: the parts of the protocol that both transports share.
import { isId, isRecord, type Message } from '../../mcp/message.ts'
import { VERSION } from '../../version.ts'

export type CallLimits = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }

export type McpConnection = {
  readonly isOpen: boolean
  request(method: string, params: Message, limits: CallLimits): Promise<Message>
  notify(method: string, params?: Message): Promise<void>
  close(): Promise<void>
}

/** A failure with a sentence for the user and the model. */
export class McpError extends Error {
  /** Whether the server may have done what was asked. */
  readonly isUnknown: boolean
  constructor(message: string, isUnknown = false) {
    super(message)
    this.isUnknown = isUnknown
  }
}

export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024
export const PROTOCOL = '2025-11-25'
const KNOWN = new Set([PROTOCOL, '2025-06-18', '2025-03-26', '2024-11-05'])

/** The protocol version that the server chose. */
export async function initialize(connection: McpConnection, limits: CallLimits): Promise<string> {
  const result = await connection.request(
    'initialize',
    {
      protocolVersion: PROTOCOL,
      capabilities: { roots: { listChanged: false } },
      clientInfo: { name: 'cowrie', version: VERSION },
    },
    limits,
  )
  const version = String(result.protocolVersion)
  if (!KNOWN.has(version))
    throw new McpError(`it speaks another version of the protocol (${version.slice(0, 40)})`)
  await connection.notify('notifications/initialized')
  return version
}

/** The result in a reply. Throws the error in it. */
export function resultIn(reply: Message): Message {
  if (isRecord(reply.error)) {
    const message =
      typeof reply.error.message === 'string' ? reply.error.message : 'an error without a message'
    throw new McpError(`it answered: ${message.slice(0, 2_000)}`)
  }
  return isRecord(reply.result) ? reply.result : {}
}

/** The answer to a request of the server; null if the message is none. */
export function answerTo(message: Message, rootUrl: string): Message | null {
  if (!isId(message.id) || typeof message.method !== 'string') return null
  const reply = { jsonrpc: '2.0', id: message.id }
  if (message.method === 'ping') return { ...reply, result: {} }
  if (message.method === 'roots/list')
    return { ...reply, result: { roots: [{ uri: rootUrl, name: 'repository' }] } }
  return { ...reply, error: { code: -32601, message: 'This client does not support the method.' } }
}
