// Public API of outbound webhooks. An event is stored in the transaction of the fact; jobs send it after the commit.
import { present } from '../kernel/assert.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import * as deliveries from './deliveries/deliveries-sql.ts'
import * as sql from './endpoints/endpoints-sql.ts'
import type { HookFact } from './event-types.ts'

export { deleteOrgEndpoints } from './endpoints/endpoints-sql.ts'
export type { HookFact, HookType } from './event-types.ts'

export const DELIVER = 'hooks.deliver'
export const SPREAD = 'hooks.spread'
export type SpreadPayload = { readonly eventId: deliveries.EventId }
/** One delivery, or all that are waiting for an endpoint. */
export type DeliverPayload =
  | { readonly deliveryId: deliveries.DeliveryId }
  | { readonly endpointId: sql.EndpointId }

/**
 * Sends the fact to all subscribed endpoints of the organisation if the transaction commits. Costs one statement without
 * subscribers and three with some. It locks no existing rows, so callers may place it anywhere after the postings.
 */
export async function emit(tx: Tx, fact: HookFact): Promise<void> {
  const subscribers = await sql.listSubscribers(tx, fact.orgId, fact.type)
  if (subscribers.length > 0) await storeEvent(tx, fact, subscribers)
}

/** Sends to one endpoint, regardless of its subscriptions. */
export async function emitTo(
  tx: Tx,
  fact: HookFact,
  endpoint: sql.EndpointId,
): Promise<deliveries.DeliveryId> {
  return present(await storeEvent(tx, fact, [endpoint]), 'one endpoint has one delivery')
}

/** Creates another delivery of an existing event. */
export async function redeliver(
  tx: Tx,
  orgId: OrgId,
  eventId: deliveries.EventId,
  endpointId: sql.EndpointId,
): Promise<deliveries.DeliveryId> {
  const id = newId('hdl', tx.now.getTime())
  await deliveries.insertDelivery(tx, orgId, eventId, { id, endpointId })
  await enqueueDelivery(tx, orgId, id, tx.now)
  return id
}

/** Enqueues a job for each untried delivery of an event. */
export async function enqueueDeliveries(tx: Tx, orgId: OrgId, eventId: deliveries.EventId): Promise<void> {
  for (const id of await deliveries.listUntried(tx, orgId, eventId))
    await enqueueDelivery(tx, orgId, id, tx.now)
}

/** Enqueues the next attempt, not before `runAt`. */
export const enqueueDelivery = (
  tx: Tx,
  org: OrgId,
  deliveryId: deliveries.DeliveryId,
  runAt: Date,
): Promise<void> =>
  enqueue(tx, DELIVER, { deliveryId } satisfies DeliverPayload, { org, key: deliveryId, runAt })

/**
 * Enqueues a check of the deliveries that wait for an endpoint, not before `runAt`. At most one job of each kind is queued.
 * Separate kinds ensure that an immediate check, or the rest of a backlog, does not wait for the end of the quiet period.
 */
export const enqueueEndpointCheck = (
  tx: Tx,
  org: OrgId,
  endpointId: sql.EndpointId,
  runAt: Date,
  kind: 'now' | 'later' | 'rest' = runAt <= tx.now ? 'now' : 'later',
): Promise<void> =>
  enqueue(tx, DELIVER, { endpointId } satisfies DeliverPayload, { org, key: `${endpointId} ${kind}`, runAt })

/** For several endpoints a job creates the delivery jobs, so the cost here is constant. Returns the first delivery. */
async function storeEvent(tx: Tx, { orgId, type, data }: HookFact, endpoints: readonly sql.EndpointId[]) {
  const eventId = newId('evt', tx.now.getTime())
  const body = toJson({ type, timestamp: tx.now, data })
  const sent = endpoints.map((endpointId) => ({ id: newId('hdl', tx.now.getTime()), endpointId }))
  await deliveries.insertEvent(tx, { id: eventId, orgId, type, body }, sent)
  const [first, ...others] = sent.map(({ id }) => id)
  if (first !== undefined && others.length === 0) await enqueueDelivery(tx, orgId, first, tx.now)
  else await enqueue(tx, SPREAD, { eventId } satisfies SpreadPayload, { org: orgId })
  return first
}
