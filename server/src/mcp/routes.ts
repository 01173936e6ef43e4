// The MCP endpoint.
import { type Route, raw, rawJson, route } from '../platform/http/route.ts'
import { createMcpHandler } from './handler.ts'
import { Messages, Replies, Reply } from './message.ts'

const BODY_BYTES = 8 * 1024 * 1024

/** `operations` are the API routes that tools may call. */
export function mcpRoutes(operations: readonly Route[]): Route[] {
  const handle = createMcpHandler(operations)
  return [
    route('mcp.exchange', 'POST /mcp', {
      summary: 'List and call tools with the Model Context Protocol.',
      detail:
        'Stateless streamable HTTP, revisions 2024-11-05 to 2026-07-28. Send an API key as bearer token. Every tool calls one operation of this API with that key and the same rules; tools that the key does not allow are not listed. Paid tools need `maxCostMinor`; without it they return their price. A call without `idempotencyKey` derives one from session, request id and arguments, so that a retry is not charged twice. Replies are JSON, or a stream for long tools if `Accept` includes `text/event-stream`. Closing the connection, or `notifications/cancelled` in the same session, cancels the call.',
      access: 'any',
      rate: 'global',
      duringMaintenance: 'Each tool calls a route with its own maintenance rule.',
      bodyLimitBytes: BODY_BYTES,
      body: Messages,
      reply: {
        200: rawJson(Replies, 'The reply.'),
        202: raw('', 'Accepted; notifications have no reply.'),
        400: rawJson(Reply, 'The protocol revision is not supported.'),
        404: rawJson(Reply, 'Unknown method.'),
      },
      stream: Reply,
      errors: ['not_found'],
      handle: (incoming) => handle(incoming),
    }),
  ]
}
