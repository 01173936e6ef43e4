// Telling a fact: it is written down with the fact itself, and sent by jobs once that is durable.
import { present } from '../kernel/assert.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import * as deliveries from './deliveries/deliveries-sql.ts'
import * as sql from './endpoints/endpoints-sql.ts'
import type { HookFact } from './event-types.ts'

export const DELIVER = 'hooks.deliver'
export const SPREAD = 'hooks.spread'
export type SpreadPayload = { readonly eventId: deliveries.EventId }
/** One delivery, or whatever waits for an endpoint. */
export type DeliverPayload =
  | { readonly deliveryId: deliveries.DeliveryId }
  | { readonly endpointId: sql.EndpointId }

/**
 * Tells all endpoints of the organisation that listen for it, when the transaction commits and never otherwise. Costs one
 * statement where nobody listens and three where somebody does. It locks nothing that exists already, so it can stand anywhere
 * after the money has moved.
 */
export async function emit(tx: Tx, fact: HookFact): Promise<void> {
  const listening = await sql.listSubscribers(tx, fact.orgId, fact.type)
  if (listening.length > 0) await storeEvent(tx, fact, listening)
}

/** Tells one endpoint, whatever it listens for. */
export async function emitTo(
  tx: Tx,
  fact: HookFact,
  endpoint: sql.EndpointId,
): Promise<deliveries.DeliveryId> {
  return present(await storeEvent(tx, fact, [endpoint]), 'one endpoint is one delivery')
}

/** One more delivery of an event that there is. */
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

/** Gives each delivery of an event its job. */
export async function enqueueDeliveries(tx: Tx, orgId: OrgId, eventId: deliveries.EventId): Promise<void> {
  for (const id of await deliveries.listUntried(tx, orgId, eventId))
    await enqueueDelivery(tx, orgId, id, tx.now)
}

/** The next attempt, no earlier than an instant. */
export const enqueueDelivery = (
  tx: Tx,
  org: OrgId,
  deliveryId: deliveries.DeliveryId,
  runAt: Date,
): Promise<void> =>
  enqueue(tx, DELIVER, { deliveryId } satisfies DeliverPayload, { org, key: deliveryId, runAt })

/**
 * A look at what waits for an endpoint, no earlier than an instant. Of each kind only one is queued, however many ask: what is
 * wanted now, or is the rest of what was let go, does not wait for the end of an endpoint's peace.
 */
export const enqueueEndpointCheck = (
  tx: Tx,
  org: OrgId,
  endpointId: sql.EndpointId,
  runAt: Date,
  kind: 'now' | 'later' | 'rest' = runAt <= tx.now ? 'now' : 'later',
): Promise<void> =>
  enqueue(tx, DELIVER, { endpointId } satisfies DeliverPayload, { org, key: `${endpointId} ${kind}`, runAt })

/** Several endpoints cost no more than one: their jobs are made by a job. Says what the first delivery is. */
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
