// An MCP server at an address: each message is one request, answered by JSON or by a stream of events.
import { linesOf } from '../../mcp/lines.ts'
import { isRecord, type Message } from '../../mcp/message.ts'
import { type CallLimits, type McpConnection, McpError, MESSAGE_BYTES_MAX, resultIn } from './connection.ts'

type Address = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

const NOTIFY_MS = 10_000

export function openHttp({ url, headers }: Address): McpConnection {
  let lastId = 0
  let session: string | null = null
  let version: string | null = null
  let isOpen = true

  const post = (body: Message, signal: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      signal,
      // The headers may hold a key, which no other address may get.
      redirect: 'error',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== null && { 'mcp-session-id': session }),
        ...(version !== null && { 'mcp-protocol-version': version }),
      },
    })

  const notify = async (method: string, params?: Message): Promise<void> => {
    const response = await post(
      { jsonrpc: '2.0', method, ...(params && { params }) },
      AbortSignal.timeout(NOTIFY_MS),
    )
    await response.body?.cancel()
  }

  return {
    get isOpen() {
      return isOpen
    },
    notify: (method, params) => notify(method, params).catch(() => undefined),
    async request(method, params, { timeoutMs, signal }: CallLimits) {
      const id = ++lastId
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        const response = await post(
          { jsonrpc: '2.0', id, method, params },
          signal ? AbortSignal.any([limit, signal]) : limit,
        )
        // The server has forgotten the session: the next call begins a new one.
        if (response.status === 404 && session !== null) isOpen = false
        if (!response.ok) throw await refusal(response)
        if (method === 'initialize') session = response.headers.get('mcp-session-id')
        const result = resultIn(await replyIn(response, id))
        if (method === 'initialize' && typeof result.protocolVersion === 'string')
          version = result.protocolVersion
        return result
      } catch (error) {
        if (error instanceof McpError) throw error
        if (signal?.aborted || limit.aborted)
          void notify('notifications/cancelled', { requestId: id }).catch(() => undefined)
        if (signal?.aborted) throw new McpError('the user stopped the call', true)
        if (limit.aborted) throw new McpError(`it did not answer within ${timeoutMs / 1_000} s`, true)
        throw new McpError(`it could not be reached (${causeOf(error)})`, true)
      }
    },
    async close() {
      isOpen = false
      if (session === null) return
      await fetch(url, {
        method: 'DELETE',
        headers: { ...headers, 'mcp-session-id': session },
        redirect: 'error',
        signal: AbortSignal.timeout(NOTIFY_MS / 5),
      }).catch(() => undefined)
    },
  }
}

async function refusal(response: Response): Promise<McpError> {
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403)
    return new McpError(
      `it refused the key (HTTP ${response.status}); put an Authorization header into its "headers"`,
    )
  return new McpError(`it answered with HTTP ${response.status}`, response.status >= 500)
}

async function replyIn(response: Response, id: number): Promise<Message> {
  const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
  let bytes = 0
  let data = ''
  for await (const line of linesOf(bodyOf(response), MESSAGE_BYTES_MAX)) {
    bytes += line?.length ?? MESSAGE_BYTES_MAX
    if (line === null || bytes > MESSAGE_BYTES_MAX) throw new McpError('it sent more than 8 MiB', true)
    if (!isStream) data += line
    else if (line.trim() !== '') data += line.startsWith('data:') ? line.slice('data:'.length) : ''
    else {
      const reply = replyTo(data, id)
      if (reply !== null) return reply
      data = ''
    }
  }
  const reply = replyTo(data, id)
  if (reply === null) throw new McpError('its answer broke off', true)
  return reply
}

async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body) yield* body
}

/** Other messages, such as progress, are ignored. */
function replyTo(text: string, id: number): Message | null {
  try {
    const message: unknown = JSON.parse(text)
    return isRecord(message) && message.id === id ? message : null
  } catch {
    return null
  }
}

const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return (cause instanceof Error ? cause.message : message).slice(0, 200)
}
