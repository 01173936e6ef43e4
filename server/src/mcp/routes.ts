// The door for agents: one endpoint that speaks the Model Context Protocol.
import { type Route, raw, rawJson, route } from '../platform/http/route.ts'
import { createMcpHandler } from './handler.ts'
import { Messages, Replies, Reply } from './message.ts'

const BODY_BYTES = 8 * 1024 * 1024

/** `offered` are the operations that tools may name. */
export function mcpRoutes(offered: readonly Route[]): Route[] {
  const exchange = createMcpHandler(offered)
  return [
    route('mcp.exchange', 'POST /mcp', {
      summary: 'Speak the Model Context Protocol: list tools and call them.',
      detail:
        'Streamable HTTP without state, in the revisions 2024-11-05 to 2026-07-28. Send an API key as bearer. Every tool calls one operation of this API with that key, under the same rules; tools that the key does not allow are not listed. Tools that cost money need `maxCostMinor` and otherwise tell their price. A call without `idempotencyKey` gets one from its session, request id and arguments, so that the same request again is not charged twice. Answers are JSON, or a stream for tools that take long where `Accept` names `text/event-stream`; closing the connection, or `notifications/cancelled` in the same session, cancels.',
      access: 'any',
      rate: 'global',
      duringMaintenance: 'Each tool calls a route, which decides for itself.',
      bodyLimitBytes: BODY_BYTES,
      body: Messages,
      reply: {
        200: rawJson(Replies, 'The answer.'),
        202: raw('', 'Taken note of; there is nothing to answer.'),
        400: rawJson(Reply, 'The message is not of a revision that is served here.'),
        404: rawJson(Reply, 'There is no such method.'),
      },
      stream: Reply,
      errors: ['not_found'],
      handle: (incoming) => exchange(incoming),
    }),
  ]
}
