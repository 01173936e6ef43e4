// What providers send us: kept as it came, answered at once, and worked on afterwards. A message only makes us ask; what
// it says about money is never believed.
import { createHash } from 'node:crypto'
import { after, before } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueue, job } from '../platform/jobs/jobs.ts'
import { checkPayment } from './ask.ts'
import * as sql from './events-sql.ts'
import type { Heard, RailName } from './rails/rail.ts'
import { together } from './repeats.ts'
import { withoutCards } from './without-cards.ts'

const EVENT = 'payments.event'
const KEY_CHARACTERS_MAX = 300
const KIND_CHARACTERS_MAX = 200
const REFERENCE_CHARACTERS_MAX = 200
/** A message can overtake the answer that names its payment to us; so often it is looked for again. */
const LOOKS_MAX = 5
/** A provider can also announce that it returns a payment before its answers say so; so long it is asked again. */
const RETURN_SHOWN_WITHIN = { hours: 1 }
const RETURNS = /refund|revers|dispute|chargeback/i
const WAITING_AT_ONCE = 100

/**
 * Keeps a message and has it worked on. `heard` is null where nobody here can read this rail's messages. `payment` is
 * whose own address it came to.
 */
export function keepMessage(
  app: App,
  rail: RailName,
  heard: Exclude<Heard, 'forged'> | null,
  { raw, address, payment }: { raw: Buffer; address: string; payment: string | null },
): Promise<void> {
  const stored = rail === 'paystack' ? withoutCards(raw) : raw
  const event = { ...described(heard, raw, payment), id: newId('pev'), rail, sourceIp: address, raw: stored }
  return together(app, `${rail} ${event.eventKey}`, (copies) =>
    app.db.tx('platform', async (tx) => {
      const kept = await sql.keepEvent(tx, event, copies)
      if (isOver(kept)) return
      if (heard === null || heard === 'nothing')
        await sql.markProcessed(tx, kept.id, heard === null ? 'rail_not_live' : 'nothing_to_ask', undefined)
      else await work(tx, kept.id)
    }),
  )
}

/** Gives events whose work was lost to the jobs again. */
export function resumeEvents(app: App): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const [oldest, youngest] = [before(tx.now, { days: 3 }), before(tx.now, { minutes: 2 })]
    for (const { id } of await sql.waitingEvents(tx, oldest, youngest, WAITING_AT_ONCE)) await work(tx, id)
  })
}

export const eventJob = job<{ eventId: string }>(EVENT, {
  attempts: 20,
  run: (app, { payload, attempt }) => processEvent(app, payload.eventId, attempt),
})

const work = (tx: Tx, eventId: string) => enqueue(tx, EVENT, { eventId }, { key: eventId })

// What was no use when it first came may be of use when it is repeated: money can come after a failure or an expiry.
const OPEN_VERDICTS: ReadonlySet<string> = new Set(['pending', 'failed', 'expired', 'unknown_reference'])
const isOver = ({ verdict }: Pick<sql.Kept, 'verdict'>): boolean =>
  verdict !== null && !OPEN_VERDICTS.has(verdict)

function described(heard: Exclude<Heard, 'forged'> | null, raw: Buffer, payment: string | null) {
  if (heard === null || heard === 'nothing') {
    return { eventKey: `sha256:${hashOf(raw)}`, kind: 'unread', reference: null, providerRef: null }
  }
  const { about, eventKey, kind } = heard
  const name = 'reference' in about ? about.reference : about.providerRef
  return {
    // Two payments never share an event, whatever a provider numbers its messages by.
    eventKey: bounded([eventKey, name, payment].filter((part) => part !== null).join(' ')),
    kind: storable(kind, KIND_CHARACTERS_MAX),
    reference: 'reference' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : payment,
    providerRef: 'providerRef' in about ? storable(name, REFERENCE_CHARACTERS_MAX) : null,
  }
}

/** Cut off, two long keys could become one. */
const bounded = (key: string): string =>
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
  if (!found || isOver(found.event)) return
  const { event, about } = found
  if (!about && event.providerRef !== null && attempt < LOOKS_MAX)
    throw new Error('no payment is known by this name yet')
  const verdict = about ? await verdictOf(app, about.reference, event) : 'unknown_reference'
  await app.db.tx('platform', (tx) => sql.markProcessed(tx, id, verdict, about))
  if (!about) {
    app.metrics.payment(event.rail, 'unknown_reference')
    app.log.warn({ eventId: id, rail: event.rail }, 'a provider wrote about a payment that is not ours')
  }
}

async function verdictOf(app: App, reference: string, event: sql.Event): Promise<string> {
  const { standing, status, changed } = await checkPayment(app, reference, 'webhook', event.providerRef)
  // The job comes back to it, and so does the sweep.
  if (standing === 'unknown') throw new Error('the provider gave no usable answer')
  // Nobody asks about a settled payment again, so that this message is all there will be.
  const isFresh = app.clock.now() < after(event.receivedAt, RETURN_SHOWN_WITHIN)
  if (standing === 'paid' && RETURNS.test(event.kind) && isFresh)
    throw new Error('the provider does not say yet what became of the return that it announced')
  if (changed) return standing === 'reversed' && status === 'settled' ? 'reversed' : status
  // The same whoever of two was first to act on the answer.
  return OPEN_VERDICTS.has(status) ? status : 'no_change'
}
