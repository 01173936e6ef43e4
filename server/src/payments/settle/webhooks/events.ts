// What providers send us: kept as it came, answered at once, and worked on afterwards. A message only makes us ask; what
// it says about money is never believed.
import { createHash } from 'node:crypto'
import { after, before } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { enqueue, job } from '../../../platform/jobs/jobs.ts'
import { openCase } from '../../admin/cases.ts'
import type { RailName, WebhookEvent } from '../../rails/rail.ts'
import * as sql from '../../sql/payment-events.ts'
import { reconcilePayment, reportUnclearReturn } from '../reconcile.ts'
import { alertUnreadableEvent } from '../staff-alerts.ts'
import { coalesce } from './coalesce.ts'
import { redactCards } from './redact-cards.ts'

const EVENT = 'payments.event'
const KEY_CHARACTERS_MAX = 300
const KIND_CHARACTERS_MAX = 200
const REFERENCE_CHARACTERS_MAX = 200
/** A message can overtake the answer that names its payment to us; so often it is looked for again. */
const LOOKUP_ATTEMPTS_MAX = 5
/** A provider can also announce that it returns a payment before its answers say so; so long it is asked again. */
const RETURN_VISIBLE_WITHIN = { hours: 1 }
const RETURNS = /refund|revers|dispute|chargeback/i
/** Announcements of returns that have not happened, or will not. */
const NOT_RETURNED = /pending|processing|remind|failed/i
/** So much of a message that cannot be read is searched for words about returns. */
const SEARCHED_BYTES = 8_192
const RESUME_BATCH_SIZE = 100

/**
 * Keeps a message and has it worked on. `heard` is null where nobody here can read this rail's messages. `payment` is
 * whose own address it came to.
 */
export function storeEvent(
  app: App,
  rail: RailName,
  heard: Exclude<WebhookEvent, 'forged'> | null,
  { raw, address, payment }: { raw: Buffer; address: string; payment: string | null },
): Promise<void> {
  const stored = rail === 'paystack' ? redactCards(raw) : raw
  const event = {
    ...eventFields(heard, raw, payment),
    id: newId('pev'),
    rail,
    sourceIp: address,
    raw: stored,
  }
  return coalesce(app, `${rail} ${event.eventKey}`, (copies) =>
    app.db.tx('platform', async (tx) => {
      const kept = await sql.upsertEvent(tx, event, copies)
      // Two refunds of the same amount can be announced in the same words: each makes us ask.
      if (isFinal(kept) && !RETURNS.test(event.kind)) return
      if (heard !== null && heard !== 'nothing') return enqueueEvent(tx, kept.id)
      await sql.markProcessed(tx, kept.id, heard === null ? 'rail_not_live' : 'nothing_to_ask', undefined)
      if (RETURNS.test(raw.toString('utf8', 0, SEARCHED_BYTES)))
        await reportUnreadable(app, tx, rail, kept.id)
    }),
  )
}

/** A message about a return that names no payment we could ask about: a person reads it. */
async function reportUnreadable(app: App, tx: Tx, rail: RailName, eventId: string): Promise<void> {
  const summary = `${rail} sent a message about a refund, reversal or dispute that names no payment of ours (event ${eventId}).`
  const isNew = await openCase(tx, {
    key: `unread ${eventId}`,
    kind: 'unread_message',
    payment: null,
    summary,
  })
  if (isNew) await alertUnreadableEvent(app, tx, summary)
}

/** Gives events whose work was lost to the jobs again. */
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

// What was no use when it first came may be of use when it is repeated: money can come after a failure or an expiry.
const REPEATABLE_VERDICTS: ReadonlySet<string> = new Set([
  'pending',
  'failed',
  'expired',
  'unknown_reference',
])
const isFinal = ({ verdict }: Pick<sql.StoredEvent, 'verdict'>): boolean =>
  verdict !== null && !REPEATABLE_VERDICTS.has(verdict)

function eventFields(heard: Exclude<WebhookEvent, 'forged'> | null, raw: Buffer, payment: string | null) {
  if (heard === null || heard === 'nothing') {
    return {
      ...{ eventKey: `sha256:${hashOf(raw)}`, kind: 'unread' },
      ...{ reference: null, providerRef: null, transactionId: null },
    }
  }
  const { about, eventKey, kind } = heard
  const [name = ''] = Object.values(about)
  return {
    // Two payments never share an event, whatever a provider numbers its messages by.
    eventKey: boundedKey([eventKey, name, payment].filter((part) => part !== null).join(' ')),
    kind: storable(kind, KIND_CHARACTERS_MAX),
    reference: 'reference' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : payment,
    providerRef: 'providerRef' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : null,
    transactionId: 'transactionId' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : null,
  }
}

/** Cut off, two long keys could become one. */
const boundedKey = (key: string): string =>
  key.length <= KEY_CHARACTERS_MAX ? storable(key, KEY_CHARACTERS_MAX) : `sha256:${hashOf(Buffer.from(key))}`

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

// The database takes neither NUL nor half of a character.
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
    throw new Error('no payment is known by this name yet')
  const verdict = about ? await reconcileFor(app, about.reference, event) : 'unknown_reference'
  await app.db.tx('platform', (tx) => sql.markProcessed(tx, id, verdict, about))
  if (!about) {
    app.metrics.payment(event.rail, 'unknown_reference')
    app.log.warn({ eventId: id, rail: event.rail }, 'a provider wrote about a payment that is not ours')
  }
}

async function reconcileFor(app: App, reference: string, event: sql.PaymentEvent): Promise<string> {
  const isReturn = RETURNS.test(event.kind)
  const checked = await reconcilePayment(app, reference, 'webhook', {
    providerRef: event.providerRef,
    isReturn: isReturn,
  })
  const { providerStatus, status, changed, returns } = checked
  const isUnknown = providerStatus === 'unknown' || returns === 'unknown'
  const isShown = returns === 'shown' || providerStatus === 'reversed' || NOT_RETURNED.test(event.kind)
  if (isReturn && (isUnknown || (providerStatus === 'paid' && !isShown))) {
    // The job comes back to it. The provider's answers may lag behind its message, but not for ever.
    if (app.clock.now() < after(event.receivedAt, RETURN_VISIBLE_WITHIN))
      throw new Error('the provider does not say yet what became of the return that it announced')
    await reportUnclearReturn(
      app,
      reference,
      `The provider announced "${event.kind}", and its answers do not show it.`,
    )
    return 'case_opened'
  }
  // The job comes back to it, and so does the sweep.
  if (isUnknown) throw new Error('the provider gave no usable answer')
  if (changed && providerStatus === 'reversed' && status === 'settled') return 'reversed'
  if (changed) return returns === 'shown' ? 'returned' : status
  // The same whoever of two was first to act on the answer.
  return REPEATABLE_VERDICTS.has(status) ? status : 'no_change'
}
