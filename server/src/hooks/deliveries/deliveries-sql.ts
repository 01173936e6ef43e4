// SQL for events and deliveries. Lock order: deliveries before endpoints.
import type { Id, OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { EndpointId } from '../endpoints/endpoints-sql.ts'

export type EventId = Id<'evt'>
export type DeliveryId = Id<'hdl'>
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export type NewEvent = { id: EventId; orgId: OrgId; type: string; body: string }

export type NewDelivery = { id: DeliveryId; endpointId: EndpointId }

/** Inserts an event with its deliveries in one statement, because the caller may hold a wallet lock. */
export async function insertEvent(
  tx: Tx,
  { id, orgId, type, body }: NewEvent,
  sent: readonly NewDelivery[],
): Promise<void> {
  await tx.rows`
    with event as (
      insert into hook_events (id, org_id, type, body, created_at)
      values (${id}, ${orgId}, ${type}, ${body}, ${tx.now}))
    insert into hook_deliveries (id, org_id, endpoint_id, event_id, status, next_attempt_at, created_at)
    select id, ${orgId}, endpoint_id, ${id}, 'pending', ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${sent.map(({ id }) => id)}::text[], ${sent.map(({ endpointId }) => endpointId)}::text[])
      as sent (id, endpoint_id)`
}

/** Inserts another delivery of an existing event. */
export async function insertDelivery(tx: Tx, org: OrgId, event: EventId, sent: NewDelivery): Promise<void> {
  await tx.rows`
    insert into hook_deliveries (id, org_id, endpoint_id, event_id, status, next_attempt_at, created_at)
    values (${sent.id}, ${org}, ${sent.endpointId}, ${event}, 'pending', ${tx.now}, ${tx.now})`
}

/** Deliveries of an event that were never attempted. */
export async function listUntried(tx: Tx, org: OrgId, event: EventId): Promise<DeliveryId[]> {
  const rows = await tx.rows<{ id: DeliveryId }>`
    select id from hook_deliveries
    where event_id = ${event} and org_id = ${org} and status = 'pending' and attempts = 0 order by id`
  return rows.map(({ id }) => id)
}

/** The input of an attempt. The endpoint fields are null if the endpoint was removed. */
export type PendingDelivery = {
  id: DeliveryId
  attempts: number
  createdAt: Date
  nextAttemptAt: Date
  eventId: EventId
  type: string
  body: string
  endpointId: EndpointId
  url: string | null
  enabled: boolean | null
  secretSealed: string | null
  previousSealed: string | null
  strikes: number | null
  quietUntil: Date | null
}

export function findPending(tx: Tx, org: OrgId, id: DeliveryId): Promise<PendingDelivery | undefined> {
  return tx.maybe<PendingDelivery>`
    select d.id, d.attempts, d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.event_id as "eventId",
           e.type, e.body,
           d.endpoint_id as "endpointId", p.url, p.enabled, p.secret_sealed as "secretSealed",
           case when p.previous_until > ${tx.now} then p.previous_sealed end as "previousSealed",
           p.strikes, p.quiet_until as "quietUntil"
    from hook_deliveries d join hook_events e on e.id = d.event_id
      left join hook_endpoints p on p.id = d.endpoint_id and p.org_id = d.org_id
    where d.id = ${id} and d.org_id = ${org} and d.status = 'pending'`
}

export type AttemptResult = {
  readonly status: DeliveryStatus
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** Null after the last attempt. */
  readonly nextAttemptAt: Date | null
}

/** Stores the result of an attempt. False when another worker has stored one: each attempt has one result. */
export async function saveAttempt(
  tx: Tx,
  org: OrgId,
  { id, attempts }: Pick<PendingDelivery, 'id' | 'attempts'>,
  result: AttemptResult,
): Promise<boolean> {
  const rows = await tx.rows`
    update hook_deliveries
    set status = ${result.status}, attempts = attempts + 1, last_status = ${result.lastStatus},
        last_error = ${result.lastError}, next_attempt_at = ${result.nextAttemptAt}
    where id = ${id} and org_id = ${org} and status = 'pending' and attempts = ${attempts}
    returning id`
  return rows.length === 1
}

/** Fails a delivery without an attempt. */
export async function failDelivery(tx: Tx, org: OrgId, id: DeliveryId, reason: string): Promise<void> {
  await tx.rows`
    update hook_deliveries set status = 'failed', last_error = ${reason}, next_attempt_at = null
    where id = ${id} and org_id = ${org} and status = 'pending'`
}

/** The delivery of an endpoint that is due first. Excludes pings, which do not wait. */
export async function nextDue(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<DeliveryId | undefined> {
  const row = await tx.maybe<{ id: DeliveryId }>`
    select d.id from hook_deliveries d join hook_events e on e.id = d.event_id
    where d.endpoint_id = ${endpoint} and d.org_id = ${org} and d.status = 'pending'
      and d.next_attempt_at <= ${tx.now} and e.type <> 'ping'
    order by d.next_attempt_at, d.id limit 1`
  return row?.id
}

/** Due deliveries of an endpoint, oldest first. */
export async function listDue(
  tx: Tx,
  org: OrgId,
  endpoint: EndpointId,
  limit: number,
): Promise<DeliveryId[]> {
  const rows = await tx.rows<{ id: DeliveryId }>`
    select id from hook_deliveries
    where endpoint_id = ${endpoint} and org_id = ${org} and status = 'pending' and next_attempt_at <= ${tx.now}
    order by next_attempt_at, id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Fails the pending deliveries of an endpoint, locked in id order like everywhere. Returns their number. */
export async function failPending(
  tx: Tx,
  org: OrgId,
  endpoint: EndpointId,
  { reason, includePings, limit }: { reason: string; includePings: boolean; limit: number },
): Promise<number> {
  const rows = await tx.rows`
    update hook_deliveries set status = 'failed', last_error = ${reason}, next_attempt_at = null
    where id in (
      select d.id from hook_deliveries d join hook_events e on e.id = d.event_id
      where d.endpoint_id = ${endpoint} and d.org_id = ${org} and d.status = 'pending'
        and (${includePings} or e.type <> 'ping')
      order by d.id limit ${limit} for update of d)
    returning id`
  return rows.length
}

/** Fails deliveries that have waited too long for a failing endpoint. Returns their number. */
export async function failOverdue(
  tx: Tx,
  createdBefore: Date,
  reason: string,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    update hook_deliveries set status = 'failed', last_error = ${reason}, next_attempt_at = null
    where id in (
      select d.id from hook_deliveries d join hook_endpoints p on p.id = d.endpoint_id
      where d.status = 'pending' and d.created_at < ${createdBefore} and (p.quiet_until is not null or not p.enabled)
      order by d.id limit ${limit} for update of d skip locked)
    returning id`
  return rows.length
}

export type Delivery = {
  id: DeliveryId
  endpointId: EndpointId
  eventId: EventId
  type: string
  status: DeliveryStatus
  attempts: number
  lastStatus: number | null
  lastError: string | null
  nextAttemptAt: Date | null
  createdAt: Date
}

export function findDelivery(tx: Tx, org: OrgId, id: string): Promise<Delivery | undefined> {
  return tx.maybe<Delivery>`
    select d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type, d.status, d.attempts,
           d.last_status as "lastStatus", d.last_error as "lastError", d.next_attempt_at as "nextAttemptAt",
           d.created_at as "createdAt"
    from hook_deliveries d join hook_events e on e.id = d.event_id
    where d.id = ${id} and d.org_id = ${org}`
}

/** Newest first. */
export function listDeliveries(
  tx: Tx,
  org: OrgId,
  filter: { endpointId: string; status: DeliveryStatus | null; before: string | null; limit: number },
): Promise<Delivery[]> {
  return tx.rows<Delivery>`
    select d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type, d.status, d.attempts,
           d.last_status as "lastStatus", d.last_error as "lastError", d.next_attempt_at as "nextAttemptAt",
           d.created_at as "createdAt"
    from hook_deliveries d join hook_events e on e.id = d.event_id
    where d.endpoint_id = ${filter.endpointId} and d.org_id = ${org}
      and (${filter.status}::text is null or d.status = ${filter.status})
      and (${filter.before}::text is null or d.id < ${filter.before})
    order by d.id desc limit ${filter.limit}`
}

/** Endpoints with long overdue deliveries, because a job was lost or the endpoint is in a quiet period. */
export function findStalled(
  tx: Tx,
  dueBefore: Date,
  limit: number,
): Promise<{ endpointId: EndpointId; orgId: OrgId }[]> {
  return tx.rows<{ endpointId: EndpointId; orgId: OrgId }>`
    select endpoint_id as "endpointId", org_id as "orgId" from hook_deliveries
    where status = 'pending' and next_attempt_at < ${dueBefore}
    group by endpoint_id, org_id order by min(next_attempt_at) limit ${limit}`
}

export async function oldestEvent(tx: Tx): Promise<Date | null> {
  return (await tx.one<{ at: Date | null }>`select min(created_at) as at from hook_events`).at
}

/** Deletes old events with their deliveries. Returns the number of events. */
export async function deleteEvents(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const rows = await tx.rows`
    delete from hook_events where id in (
      select id from hook_events where created_at < ${createdBefore} order by created_at limit ${limit})
    returning id`
  return rows.length
}
