// Statements on the payment_events table.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RailName } from '../channels.ts'

export type NewEvent = {
  id: string
  rail: RailName
  eventKey: string
  kind: string
  reference: string | null
  providerRef: string | null
  transactionId: string | null
  sourceIp: string
  raw: Buffer
}

export type StoredEvent = { id: string; verdict: string | null }

/** Stores an event, or adds to its count when it exists. */
export function upsertEvent(tx: Tx, event: NewEvent, times: number): Promise<StoredEvent> {
  return tx.one<StoredEvent>`
    insert into payment_events (id, rail, event_key, kind, reference, provider_ref, transaction_id, source_ip, raw, times, received_at)
    values (${event.id}, ${event.rail}, ${event.eventKey}, ${event.kind}, ${event.reference}, ${event.providerRef},
            ${event.transactionId}, ${event.sourceIp}, ${event.raw}, ${times}, ${tx.now})
    on conflict (rail, event_key) do update set times = payment_events.times + excluded.times
    returning id, verdict`
}

export type PaymentEvent = {
  id: string
  rail: RailName
  kind: string
  reference: string | null
  providerRef: string | null
  transactionId: string | null
  verdict: string | null
  receivedAt: Date
}

export function eventById(tx: Tx, id: string): Promise<PaymentEvent | undefined> {
  return tx.maybe<PaymentEvent>`
    select id, rail, kind, reference, provider_ref as "providerRef", transaction_id as "transactionId", verdict, received_at as "receivedAt"
    from payment_events where id = ${id}`
}

export type EventPayment = { reference: string; orgId: OrgId }

/** The live payment that an event concerns: one of the same rail, or one that an attempt started there. */
export function paymentOfEvent(tx: Tx, event: PaymentEvent): Promise<EventPayment | undefined> {
  const { rail, reference, providerRef, transactionId } = event
  return tx.maybe<EventPayment>`
    select reference, org_id as "orgId" from (
      select reference, org_id, 1 as choice, created_at from payments
      where rail = ${rail} and mode = 'live'
        and (reference = ${reference}
             or (${reference}::text is null and (provider_ref = ${providerRef}
                 or (status = 'settled' and transaction_id = ${transactionId}))))
      union all
      select reference, org_id, 2, started_at from payment_attempts
      where rail = ${rail} and mode = 'live'
        and (reference = ${reference} or (${reference}::text is null and provider_ref = ${providerRef}))) found
    order by choice, created_at desc limit 1`
}

/** A later verdict replaces the earlier one. */
export async function markProcessed(
  tx: Tx,
  id: string,
  verdict: string,
  about: EventPayment | undefined,
): Promise<void> {
  await tx.rows`
    update payment_events set verdict = ${verdict}, processed_at = ${tx.now},
      reference = coalesce(${about?.reference ?? null}, reference), org_id = ${about?.orgId ?? null}
    where id = ${id}`
}

/** Oldest first. */
export function unprocessedEvents(
  tx: Tx,
  receivedAfter: Date,
  receivedBefore: Date,
  most: number,
): Promise<{ id: string }[]> {
  return tx.rows<{ id: string }>`
    select id from payment_events
    where processed_at is null and received_at > ${receivedAfter} and received_at < ${receivedBefore}
    order by received_at limit ${most}`
}

export async function oldestProcessedEvent(tx: Tx): Promise<Date | null> {
  return (
    await tx.one<{ at: Date | null }>`
      select min(received_at) as at from payment_events where processed_at is not null`
  ).at
}

/** Deletes processed events. Their effects stay in the payments and the journal. */
export async function deleteEvents(tx: Tx, receivedBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from payment_events where id in (
      select id from payment_events where processed_at is not null and received_at < ${receivedBefore}
      order by received_at limit ${most})
    returning id`
  return rows.length
}
