// The caller of a message, and calls of API operations on their behalf. A session is only an id that the client repeats.
import { createHash } from 'node:crypto'
import { canonicalJson, toJson } from '../kernel/json.ts'
import type { App } from '../platform/app.ts'
import { type Actor, hasScope, isPerson } from '../platform/http/actor.ts'
import type { InternalResponse } from '../platform/http/internal-client.ts'
import type { RequestInfo, Route } from '../platform/http/route.ts'
import type { RequestId } from './message.ts'

export type Caller = {
  readonly app: App
  readonly actor: Actor
  readonly request: RequestInfo
  /** The session id from the handshake, or one that the client chose; null without a session. */
  readonly session: string | null
}

export const SESSION = 'mcp-session-id'
const SESSION_PATTERN = /^[\x21-\x7e]{1,200}$/

export function sessionFrom({ headers }: RequestInfo): string | null {
  const given = headers[SESSION]
  return typeof given === 'string' && SESSION_PATTERN.test(given) ? given : null
}

/** Whether to list an operation. The operation checks access again when called. */
export function mayCall({ actor }: Caller, { access }: Route): boolean {
  if (access === 'any' || access === 'known') return true
  if (typeof access !== 'object') return false
  if ('scope' in access) return hasScope(actor, access.scope)
  if ('scopeOrStaff' in access) return hasScope(actor, access.scopeOrStaff)
  return isPerson(actor) && 'role' in access
}

export type OperationRequest = {
  readonly path: string
  readonly body?: object | undefined
  readonly key?: string
  readonly signal: AbortSignal
}

/** Calls an operation with the key, address and request id of the caller. Throws if the caller has disconnected. */
export async function callOperation(
  { app, request }: Caller,
  { method }: Pick<Route, 'method'>,
  operation: OperationRequest,
): Promise<InternalResponse> {
  operation.signal.throwIfAborted()
  const { authorization, traceparent } = request.headers
  return app.callInternal({
    method,
    path: operation.path,
    headers: {
      ...(typeof authorization === 'string' && { authorization }),
      ...(typeof traceparent === 'string' && { traceparent }),
      'x-request-id': request.id,
      'user-agent': request.userAgent,
      accept: 'application/json, text/event-stream',
      ...(operation.key !== undefined && { 'idempotency-key': operation.key }),
    },
    ...(operation.body === undefined ? {} : { body: toJson(operation.body) }),
    address: request.address,
    signal: operation.signal,
  })
}

/** The unique name of a running call, the same on every replica. Null without a session, because request ids may repeat. */
export const callName = ({ actor, session }: Caller, id: RequestId): string | null =>
  session === null ? null : digest('call', actor.keyId ?? actor.userId, session, typeof id, String(id))

/**
 * The idempotency key of a call without one: an identical request of the same client is a retry. `round` increases when the
 * stored outcome is a refusal, which charged nothing.
 */
export const deriveKey = (
  { actor, session }: Caller,
  { id, tool, given, round }: { id: RequestId; tool: string; given: object; round: number },
): string =>
  `mcp-${digest(actor.keyId ?? actor.userId, session ?? '', typeof id, String(id), tool, canonicalJson(given), String(round))}`

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
