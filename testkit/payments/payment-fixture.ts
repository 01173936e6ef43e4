// Inserts payments of any age, rail and status for tests, and reads their rows.

import { after, before } from '@cowrie/server/src/kernel/clock.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import type { Payment, PaymentStatus } from '@cowrie/server/src/payments/sql/payments.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export type PaymentOptions = Partial<
  Pick<Payment, 'rail' | 'mode' | 'currency' | 'amountMinor' | 'channel' | 'providerRef' | 'email'>
> & { status?: PaymentStatus; ageMinutes?: number; lifeMinutes?: number }

/** Inserts a payment that is not settled. Settled ones must come from a settlement. */
export async function createPayment(
  server: TestServer,
  { orgId, userId, email }: Person,
  options: PaymentOptions = {},
): Promise<string> {
  const {
    rail = 'paystack',
    mode = 'live',
    currency = 'NGN',
    amountMinor = 500_000n,
    status = 'pending',
  } = options
  const reference = `tp${newId('x').slice(2)}`
  const createdAt = before(server.clock.now(), { minutes: options.ageMinutes ?? 0 })
  await server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email,
                          provider_ref, status, reason, created_at, expires_at, next_check_at)
    values (${reference}, ${orgId}, ${userId}, 'topup', ${options.channel ?? 'card'}, ${rail}, ${mode}, ${currency},
            ${amountMinor}, ${options.email ?? email}, ${options.providerRef ?? null}, ${status},
            ${status === 'review' ? 'The provider reports another amount.' : null}, ${createdAt},
            ${after(createdAt, { minutes: options.lifeMinutes ?? 24 * 60 })}, ${server.clock.now()})`
  return reference
}

export type PaymentRow = {
  status: PaymentStatus
  reason: string | null
  transactionId: string | null
  capturedMinor: bigint
  nextCheckAt: Date | null
  reversedAt: Date | null
  checks: number
}

export const readPayment = (server: TestServer, reference: string): Promise<PaymentRow> =>
  server.sql.one<PaymentRow>`
    select status, reason, transaction_id as "transactionId", captured_minor as "capturedMinor",
           next_check_at as "nextCheckAt", reversed_at as "reversedAt", checks
    from payments where reference = ${reference}`

/** The amounts of the wallet postings of a payment. */
export async function postedAmounts(server: TestServer, reference: string): Promise<bigint[]> {
  const rows = await server.sql.rows<{ minor: bigint }>`
    select free_minor as minor from movements where ref = ${reference} order by seq`
  return rows.map(({ minor }) => minor)
}

export type EventRow = { kind: string; verdict: string | null; times: number; reference: string | null }

export const eventsOf = (server: TestServer, reference: string): Promise<EventRow[]> =>
  server.sql.rows<EventRow>`
    select kind, verdict, times, reference from payment_events where reference = ${reference} order by received_at, id`

export async function mailsTo(server: TestServer, to: string) {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to },
  })
  return body.mails
}
