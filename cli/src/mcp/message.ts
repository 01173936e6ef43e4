// The parts of JSON-RPC that a relay needs: method, id and error replies.

export type Id = string | number
export type Message = { readonly [field: string]: unknown }
export type Request = Message & { readonly id: Id; readonly method: string }

export const isRecord = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isRequest = (message: unknown): message is Request =>
  isRecord(message) && isId(message.id) && typeof message.method === 'string'
export const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'

export const RPC = { parse: -32700, invalid: -32600, unreachable: -32000 } as const

export const errorFor = (id: Id | null, code: number, message: string, data?: object): Message => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The headers the protocol requires with a message, for proxies. */
export function headersOf(message: unknown, settled: string | null): Record<string, string> {
  if (!isRecord(message)) return settled === null ? {} : { 'mcp-protocol-version': settled }
  const params = isRecord(message.params) ? message.params : {}
  const claimed = isRecord(params._meta) ? params._meta[VERSION] : undefined
  if (typeof claimed !== 'string')
    return settled === null || message.method === 'initialize'
      ? {}
      : { 'mcp-protocol-version': ascii(settled) }
  return {
    'mcp-protocol-version': ascii(claimed),
    ...(typeof message.method === 'string' && { 'mcp-method': ascii(message.method) }),
    ...(typeof params.name === 'string' && { 'mcp-name': ascii(params.name) }),
  }
}

/** The protocol's encoding for values that a header cannot contain. */
const ascii = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The protocol version in a handshake reply; null for other messages. */
export function protocolVersionIn(request: unknown, reply: unknown): string | null {
  if (!isRequest(request) || request.method !== 'initialize' || !isRecord(reply)) return null
  const version = isRecord(reply.result) ? reply.result.protocolVersion : undefined
  return typeof version === 'string' ? version : null
}
