// Webhook events: stored as received, acknowledged at once and processed by a job. An event only triggers a status query; its
// statements about money are never trusted.
import { createHash } from 'node:crypto'
import { after, before } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { enqueue, job } from '../../../platform/jobs/jobs.ts'
import { ageSeconds } from '../../../platform/log/figures.ts'
import type { RailName } from '../../channels.ts'
import { claimReceipt } from '../../paybill/claim-receipt.ts'
import type { WebhookEvent } from '../../rails/rail.ts'
import * as sql from '../../sql/payment-events.ts'
import { reconcilePayment, reportUnclearReturn } from '../reconcile.ts'
import { alertUnreadableEvent, openCase } from '../staff-alerts.ts'
import { coalesce } from './coalesce.ts'
import { redactCards } from './redact-cards.ts'

const EVENT = 'payments.event'
const KEY_CHARACTERS_MAX = 300
const KIND_CHARACTERS_MAX = 200
const REFERENCE_CHARACTERS_MAX = 200
/** A webhook can arrive before the reply that contains the payment's id, so the lookup is retried. */
const LOOKUP_ATTEMPTS_MAX = 5
/** A webhook about a return can arrive before the provider's API lists it. The query is retried this long. */
const RETURN_VISIBLE_WITHIN = { hours: 1 }
const RETURNS = /refund|revers|dispute|chargeback/i
/** Returns that have not happened, or will not. */
const NOT_RETURNED = /pending|processing|remind|failed/i
/** The part of an unreadable event that is searched for words about returns. */
const SEARCHED_BYTES = 8_192
const RESUME_BATCH_SIZE = 100

/**
 * Stores an event and enqueues its processing. `parsed` is null where the rail has no account. `payment` is the reference
 * in the webhook URL, where the URL belongs to one payment.
 */
export function storeEvent(
  app: App,
  rail: RailName,
  parsed: Exclude<WebhookEvent, 'forged'> | null,
  { raw, address, payment }: { raw: Buffer; address: string; payment: string | null },
): Promise<void> {
  const redacted = rail === 'paystack' ? redactCards(raw) : raw
  const event = {
    ...eventFields(parsed, raw, payment),
    id: newId('pev'),
    rail,
    sourceIp: address,
    raw: redacted,
  }
  return coalesce(app, `${rail} ${event.eventKey}`, (copies) =>
    app.db.tx('platform', async (tx) => {
      const stored = await sql.upsertEvent(tx, event, copies)
      // Two refunds of the same amount can have identical events, so each triggers a query.
      if (isFinal(stored) && !RETURNS.test(event.kind)) return
      if (parsed !== null && parsed !== 'nothing') return enqueueEvent(tx, stored.id)
      await sql.markProcessed(tx, stored.id, parsed === null ? 'rail_not_live' : 'nothing_to_ask', undefined)
      if (RETURNS.test(raw.toString('utf8', 0, SEARCHED_BYTES)))
        await reportUnreadable(app, tx, rail, stored.id)
    }),
  )
}

/** An event about a return that names no known payment: opens a case for staff. */
async function reportUnreadable(app: App, tx: Tx, rail: RailName, eventId: string): Promise<void> {
  const summary = `${rail} sent a webhook about a refund, reversal or dispute that names no known payment (event ${eventId}).`
  const isNew = await openCase(tx, {
    key: `unread ${eventId}`,
    kind: 'unread_message',
    payment: null,
    summary,
  })
  if (isNew) await alertUnreadableEvent(app, tx, summary)
}

/** Enqueues events whose job was lost. */
export function resumeEvents(app: App): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const [oldest, youngest] = [before(tx.now, { days: 3 }), before(tx.now, { minutes: 2 })]
    for (const { id } of await sql.unprocessedEvents(tx, oldest, youngest, RESUME_BATCH_SIZE))
      await enqueueEvent(tx, id)
  })
}

export const eventJob = job<{ eventId: string }>(EVENT, {
  attempts: 20,
  run: (app, { payload, attempt }) => processEvent(app, payload.eventId, attempt),
})

const enqueueEvent = (tx: Tx, eventId: string) => enqueue(tx, EVENT, { eventId }, { key: eventId })

// A repeated event with one of these verdicts is processed again: a failed or expired payment can still be paid.
const REPEATABLE_VERDICTS: ReadonlySet<string> = new Set([
  'pending',
  'failed',
  'expired',
  'unknown_reference',
])
const isFinal = ({ verdict }: Pick<sql.StoredEvent, 'verdict'>): boolean =>
  verdict !== null && !REPEATABLE_VERDICTS.has(verdict)

function eventFields(parsed: Exclude<WebhookEvent, 'forged'> | null, raw: Buffer, payment: string | null) {
  if (parsed === null || parsed === 'nothing') {
    return {
      ...{ eventKey: `sha256:${hashOf(raw)}`, kind: 'unread' },
      ...{ reference: null, providerRef: null, transactionId: null },
    }
  }
  const { about, eventKey, kind, receipt } = parsed
  const [name = ''] = Object.values(about)
  return {
    // Includes the payment: providers may reuse event ids across payments.
    eventKey: boundedKey([eventKey, name, payment].filter((part) => part !== null).join(' ')),
    kind: storable(kind, KIND_CHARACTERS_MAX),
    reference: 'reference' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : payment,
    providerRef: 'providerRef' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : null,
    transactionId: 'transactionId' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : (receipt ?? null),
  }
}

/** Long keys are hashed: truncation could make two keys equal. */
const boundedKey = (key: string): string =>
  key.length <= KEY_CHARACTERS_MAX ? storable(key, KEY_CHARACTERS_MAX) : `sha256:${hashOf(Buffer.from(key))}`

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

// The database rejects NUL and lone surrogates.
const storable = (text: string, most: number): string =>
  text.replaceAll('\0', ' ').slice(0, most).toWellFormed()

async function processEvent(app: App, id: string, attempt: number): Promise<void> {
  const found = await app.db.tx('platform', async (tx) => {
    const event = await sql.eventById(tx, id)
    return event && { event, about: await sql.paymentOfEvent(tx, event) }
  })
  if (!found || (isFinal(found.event) && !RETURNS.test(found.event.kind))) return
  const { event, about } = found
  const isNamedByProvider = event.providerRef !== null || event.transactionId !== null
  if (!about && isNamedByProvider && attempt < LOOKUP_ATTEMPTS_MAX)
    throw new Error('no payment has this provider id yet')
  const verdict = about ? await reconcileFor(app, about.reference, event) : 'unknown_reference'
  if (about && event.rail === 'daraja' && event.transactionId !== null)
    await claimReceipt(app, event.transactionId, about.reference)
  await app.db.tx('platform', (tx) => sql.markProcessed(tx, id, verdict, about))
  // A repetition of an old event would count the time since the first one.
  if (verdict === 'settled' && event.verdict === null)
    app.metrics.paymentCredited(event.rail, ageSeconds(app.clock.now(), event.receivedAt))
  if (!about) {
    app.metrics.payment(event.rail, 'unknown_reference')
    app.log.warn({ eventId: id, rail: event.rail }, 'payments.webhook.unknown_reference')
  }
}

async function reconcileFor(app: App, reference: string, event: sql.PaymentEvent): Promise<string> {
  const isReturn = RETURNS.test(event.kind)
  const checked = await reconcilePayment(app, reference, 'webhook', {
    providerRef: event.providerRef,
    isReturn: isReturn,
    rail: event.rail,
  })
  const { providerStatus, status, changed, returns } = checked
  const isUnknown = providerStatus === 'unknown' || returns === 'unknown'
  const isShown = returns === 'shown' || providerStatus === 'reversed' || NOT_RETURNED.test(event.kind)
  if (isReturn && (isUnknown || (providerStatus === 'paid' && !isShown))) {
    // The job retries, because the provider's API may lag behind its webhook.
    if (app.clock.now() < after(event.receivedAt, RETURN_VISIBLE_WITHIN))
      throw new Error('the provider does not list the announced return yet')
    await reportUnclearReturn(
      app,
      reference,
      `The provider announced "${event.kind}", and its API does not list it.`,
    )
    return 'case_opened'
  }
  // The job retries, and so does the sweeper.
  if (isUnknown) throw new Error('the provider gave no usable answer')
  if (changed && providerStatus === 'reversed' && status === 'settled') return 'reversed'
  if (changed) return returns === 'shown' ? 'returned' : status
  // The same verdict, whichever of two concurrent callers changed the payment.
  return REPEATABLE_VERDICTS.has(status) ? status : 'no_change'
}
