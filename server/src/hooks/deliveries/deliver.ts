// One delivery attempt. At least once: after a crash between the call and its record, the call repeats with the same id.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { EgressError, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import { ageSeconds } from '../../platform/log/figures.ts'
import { redactText } from '../../platform/log/log.ts'
import { claimTurn, type EndpointId } from '../endpoints/endpoints-sql.ts'
import { recordFailure, recordSuccess } from '../endpoints/health.ts'
import { secretContext, signAll } from '../endpoints/signature.ts'
import { enqueueDelivery, enqueueEndpointCheck } from '../hooks.ts'
import { nextAttemptAt } from './backoff.ts'
import * as sql from './deliveries-sql.ts'

export type CallLimits = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** A slower reply still counts, but the endpoint is called less often. */
  readonly slowMs?: number
}

/** Why a delivery fails without an attempt. */
export const FAILURE_REASONS = {
  removed: 'The endpoint was removed.',
  disabled: 'The endpoint is disabled.',
} as const

const TIMEOUT_MS = 10_000
const SLOW_MS = 3_000
// Slightly longer than a call can take. After that, the worker that claimed the endpoint is dead.
const CLAIM_MS = 15_000
const ANSWER_BYTES_MAX = 4_096
const ERROR_CHARACTERS_MAX = 300
const GONE = 410

/** Calls the endpoint of a due delivery and stores the result. Does nothing if the delivery is not due or not pending. */
export async function deliver(
  app: App,
  org: OrgId,
  id: sql.DeliveryId,
  limits: CallLimits = {},
): Promise<void> {
  const due = await app.db.tx(org, (tx) => claimDue(tx, org, id))
  if (!due) return
  const reply = await send(app, due, limits)
  app.metrics.webhookAttempt(reply.error === null ? 'delivered' : 'failed', due.waitedSeconds)
  await app.db.tx(org, (tx) => recordAttempt(app, tx, org, due, reply))
}

export type DueDelivery = {
  readonly id: sql.DeliveryId
  readonly attempts: number
  /** Since the event; null for a repetition, and for an endpoint that fails or failed lately. */
  readonly waitedSeconds: number | null
  readonly eventId: sql.EventId
  readonly body: string
  readonly endpointId: EndpointId
  readonly url: string
  readonly sealed: readonly string[]
  readonly strikes: number
}

async function claimDue(tx: Tx, org: OrgId, id: sql.DeliveryId): Promise<DueDelivery | null> {
  const found = await sql.findPending(tx, org, id)
  if (!found) return null
  if (found.nextAttemptAt > tx.now) {
    // A job is already queued, unless the clock was set back.
    await enqueueDelivery(tx, org, id, found.nextAttemptAt)
    return null
  }
  const { url, enabled, secretSealed, previousSealed, strikes, ...rest } = found
  if (url === null || secretSealed === null) {
    await sql.failDelivery(tx, org, id, FAILURE_REASONS.removed)
    return null
  }
  // Users ping a disabled endpoint to test it.
  if (!enabled && found.type !== 'ping') {
    await sql.failDelivery(tx, org, id, FAILURE_REASONS.disabled)
    return null
  }
  if (found.type !== 'ping' && !(await claimAttempt(tx, org, found))) return null
  const sealed = previousSealed === null ? [secretSealed] : [secretSealed, previousSealed]
  const isFirst = rest.attempts === 0 && rest.quietUntil === null && !strikes
  const waitedSeconds = isFirst ? ageSeconds(tx.now, rest.createdAt) : null
  return { ...rest, url, sealed, waitedSeconds, strikes: strikes ?? 0 }
}

/**
 * A failing endpoint gets one delivery at a time, after its quiet period. The others wait without jobs until an endpoint
 * check selects them or the endpoint recovers.
 */
async function claimAttempt(
  tx: Tx,
  org: OrgId,
  { id, endpointId, quietUntil }: sql.PendingDelivery,
): Promise<boolean> {
  if (quietUntil === null) return true
  const isNext = quietUntil <= tx.now && (await sql.nextDue(tx, org, endpointId)) === id
  if (isNext && (await claimTurn(tx, org, endpointId, after(tx.now, { ms: CLAIM_MS })))) return true
  await enqueueEndpointCheck(tx, org, endpointId, quietUntil)
  return false
}

/** `status` is null without a reply. */
type AttemptReply = {
  readonly status: number | null
  readonly error: string | null
  readonly isSlow: boolean
}

async function send(
  app: App,
  due: DueDelivery,
  { signal, timeoutMs = TIMEOUT_MS, slowMs = SLOW_MS }: CallLimits,
): Promise<AttemptReply> {
  const startMs = performance.now()
  const { eventId: id, endpointId, url, body, sealed } = due
  const secrets = sealed.map((each) => app.secrets.open(each, secretContext(endpointId)))
  const timestamp = Math.floor(app.clock.now().getTime() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Cowrie-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signAll(secrets, { id, timestamp, body }),
  }
  try {
    const response = await fetchExternal(
      url,
      { method: 'POST', headers, body, ...(signal && { signal }) },
      { ...egressRules(app), timeoutMs, truncateAfterBytes: ANSWER_BYTES_MAX },
    )
    const { status, ok } = response
    return {
      status,
      error: ok ? null : toErrorLine(`HTTP ${status} ${await response.text()}`),
      isSlow: performance.now() - startMs > slowMs,
    }
  } catch (error) {
    // Our shutdown is not a failure of the endpoint: the job is returned and another worker takes it.
    if (signal?.aborted || !(error instanceof EgressError)) throw error
    return { status: null, error: toErrorLine(error.message), isSlow: false }
  }
}

/** One short line without secrets. */
const toErrorLine = (text: string): string =>
  redactText(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .trim()
    .slice(0, ERROR_CHARACTERS_MAX)
    .toWellFormed()

async function recordAttempt(
  app: App,
  tx: Tx,
  org: OrgId,
  due: DueDelivery,
  reply: AttemptReply,
): Promise<void> {
  const { status, error, isSlow } = reply
  if (error === null) {
    const result = { status: 'delivered', lastStatus: status, lastError: null, nextAttemptAt: null } as const
    const isCounted = await sql.saveAttempt(tx, org, due, result)
    if (isCounted && (isSlow || due.strikes > 0)) await recordSuccess(tx, org, due, isSlow)
    return
  }
  const isGone = status === GONE
  const next = isGone ? null : nextAttemptAt(due.attempts + 1, tx.now, Math.random())
  const isCounted = await sql.saveAttempt(tx, org, due, {
    status: next ? 'pending' : 'failed',
    lastStatus: status,
    lastError: error,
    nextAttemptAt: next,
  })
  if (!isCounted) return
  if (next) await enqueueDelivery(tx, org, due.id, next)
  await recordFailure(app, tx, org, { ...due, isGone })
}
