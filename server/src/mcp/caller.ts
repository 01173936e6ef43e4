// For whom a message is served, and what a session is without being remembered: a name that the client repeats.
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
  /** What the client was given at its handshake, or chose; null where it repeats nothing. */
  readonly session: string | null
}

export const SESSION = 'mcp-session-id'
const SESSION_PATTERN = /^[\x21-\x7e]{1,200}$/

export function sessionFrom({ headers }: RequestInfo): string | null {
  const given = headers[SESSION]
  return typeof given === 'string' && SESSION_PATTERN.test(given) ? given : null
}

/** Whether it makes sense to offer an operation: the operation itself decides when it is called. */
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

/**
 * Calls an operation as the caller: with their key, for their address, under the id of their request. Nothing is begun for
 * who has left.
 */
export async function callOperation(
  { app, request }: Caller,
  { method }: Pick<Route, 'method'>,
  asked: OperationRequest,
): Promise<InternalResponse> {
  asked.signal.throwIfAborted()
  const { authorization, traceparent } = request.headers
  return app.callInternal({
    method,
    path: asked.path,
    headers: {
      ...(typeof authorization === 'string' && { authorization }),
      ...(typeof traceparent === 'string' && { traceparent }),
      'x-request-id': request.id,
      'user-agent': request.userAgent,
      accept: 'application/json, text/event-stream',
      ...(asked.key !== undefined && { 'idempotency-key': asked.key }),
    },
    ...(asked.body === undefined ? {} : { body: toJson(asked.body) }),
    address: request.address,
    signal: asked.signal,
  })
}

/** The name of a call that is under way, the same on every replica and for nobody else. Null where nothing tells calls apart. */
export const callName = ({ actor, session }: Caller, id: RequestId): string | null =>
  session === null ? null : digest('call', actor.keyId ?? actor.userId, session, typeof id, String(id))

/**
 * The key of a call that brought none: the same request again, from the same client, is the same intent. `round` is counted on
 * when what is stored under a key is a refusal, which decided nothing about money.
 */
export const deriveKey = (
  { actor, session }: Caller,
  { id, tool, given, round }: { id: RequestId; tool: string; given: object; round: number },
): string =>
  `mcp-${digest(actor.keyId ?? actor.userId, session ?? '', typeof id, String(id), tool, canonicalJson(given), String(round))}`

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
