// Registers one document with the tax authority: starts an attempt, calls the authority outside any transaction, and records
// the outcome. After an attempt that may have arrived, the document is looked up before it is sent again.
import { staffEmails } from '../../identity/identity.ts'
import { assert, present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { plainMail } from '../../platform/mail/mail.ts'
import { type ActiveAuthority, activeAuthority } from './authorities.ts'

import { type AuthorityHttp, authorityHttp, CALL_TIMEOUT_MS, NoReply } from './http.ts'
import {
  type AcceptedOutcome,
  type PendingOutcome,
  type RejectedOutcome,
  type UnknownOutcome,
  unknown,
} from './outcome.ts'
import { enqueueSubmission } from './queue.ts'
import * as sql from './sql.ts'
import { type TaxDocument, taxLinesOf } from './tax-document.ts'

/** An attempt makes at most five calls: a token, a look-up, its details, a document, its transmission. */
export const ATTEMPT_MS = 5 * CALL_TIMEOUT_MS
/** Longer than an attempt, so that two never run at once. */
const CLAIM = { ms: ATTEMPT_MS + 20_000 }
/** More than two days. */
const ATTEMPTS_MAX = 60
const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 3_600_000
const CREDIT_NOTES_WOKEN_MAX = 1_000

export async function submitDocument(app: App, id: sql.SubmissionId, signal: AbortSignal): Promise<void> {
  const authority = activeAuthority(app)
  if (!authority) return
  const attempt = await app.db.tx('platform', (tx) => beginAttempt(tx, authority, id))
  if (!attempt) return
  const outcome = await askAuthority(authority, authorityHttp(app, signal), attempt)
  await app.db.tx('platform', (tx) => recordOutcome(app, tx, authority, attempt, outcome))
  const { orgId, document } = attempt
  app.log.info(
    { id, orgId, number: document.number, authority: authority.name, outcome: outcome.outcome },
    'einvoices.submission.attempted',
  )
}

type Attempt = sql.Submission & {
  /** Its number, from 1. */
  readonly attempt: number
  readonly document: TaxDocument
}
type Outcome =
  | AcceptedOutcome
  | RejectedOutcome
  | PendingOutcome
  | UnknownOutcome
  | { readonly outcome: 'conflict' }

/** Null when there is nothing to do: decided, being sent, of another authority, or a credit note whose invoice is not accepted. */
async function beginAttempt(
  tx: Tx,
  { name }: ActiveAuthority,
  id: sql.SubmissionId,
): Promise<Attempt | null> {
  const submission = await sql.lockSubmission(tx, id)
  if (!submission || submission.authority !== name) return null
  if (submission.state !== 'waiting' && submission.state !== 'sent') return null
  if (submission.busyUntil !== null && submission.busyUntil > tx.now) return null
  const content = await sql.readDocument(tx, id)
  if (submission.creditNoteId !== null && content.invoiceAuthorityId === null) return null
  const numbered = await numberOf(tx, submission, content.number)
  await sql.startAttempt(tx, id, { ...numbered, busyUntil: after(tx.now, CLAIM) })
  return { ...submission, attempt: submission.attempts + 1, document: documentOf(content, numbered) }
}

type Numbered = { readonly serial: bigint; readonly key: string }

/** Drawn once, before the first attempt. Two organisations may by chance have the same number: then the serial is added. */
async function numberOf(
  tx: Tx,
  { serial, key, authority }: sql.Submission,
  number: string,
): Promise<Numbered> {
  if (serial !== null && key !== null) return { serial, key }
  await tx.lock(`einvoice numbers ${authority}`)
  const next = await sql.nextNumber(tx, authority, number)
  return { serial: next.serial, key: next.isTaken ? `${number}-${next.serial}` : number }
}

function documentOf(content: sql.DocumentContent, numbered: Numbered): TaxDocument {
  const { number, issuedAt, currency, seller, buyer, method, taxes, invoiceNumber } = content
  const { subtotalMinor, taxMinor, totalMinor } = content
  const credit = { description: `Credit for invoice ${invoiceNumber}`, quantity: 1, amountMinor: totalMinor }
  return {
    ...numbered,
    ...{ number, issuedAt, currency, seller, buyer, method, taxes, subtotalMinor, taxMinor, totalMinor },
    kind: content.lines === null ? 'credit_note' : 'invoice',
    lines: taxLinesOf(content.lines ?? [credit], taxes, currency),
    original: content.lines === null ? originalOf(content) : null,
  }
}

const originalOf = (content: sql.DocumentContent): TaxDocument['original'] => ({
  key: present(content.invoiceKey, 'an accepted invoice has a key'),
  serial: present(content.invoiceSerial, 'an accepted invoice has a serial'),
  authorityId: present(content.invoiceAuthorityId, 'an accepted invoice has a number of the authority'),
  stamp: content.invoiceStamp ?? {},
  issuedAt: content.invoiceIssuedAt,
  isWhole: content.totalMinor === content.invoiceTotalMinor,
})

async function askAuthority(
  authority: ActiveAuthority,
  http: AuthorityHttp,
  { sentAt, pendingId, document }: Attempt,
): Promise<Outcome> {
  try {
    if (sentAt !== null) {
      const known = await authority.check(http, document, pendingId)
      // The earlier attempt may have arrived, even if this look-up was refused.
      if (known.outcome === 'unknown') return { ...known, sent: true }
      if (known.outcome !== 'absent') return known
    }
    const answer = await authority.submit(http, document)
    if (answer.outcome !== 'duplicate') return answer
    // After an earlier attempt it is ours, and the look-up is behind.
    return sentAt === null
      ? { outcome: 'conflict' }
      : unknown('The authority has the document, but does not show it yet.')
  } catch (error) {
    if (error instanceof NoReply) return unknown(error.message, error.sent || sentAt !== null)
    throw error
  }
}

async function recordOutcome(
  app: App,
  tx: Tx,
  authority: ActiveAuthority,
  attempt: Attempt,
  outcome: Outcome,
): Promise<void> {
  switch (outcome.outcome) {
    case 'accepted': {
      const isRecorded = await sql.markAccepted(tx, attempt, outcome)
      if (!isRecorded || attempt.creditNoteId !== null) return
      for (const { id } of await sql.wakeCreditNotes(tx, attempt.invoiceId, CREDIT_NOTES_WOKEN_MAX))
        await enqueueSubmission(tx, id)
      return
    }
    case 'rejected': {
      const { reasons } = outcome
      if (await sql.markUndecided(tx, attempt, 'rejected', { reasons, failure: null }))
        await alertStaff(app, tx, authority, attempt, 'rejected', reasons)
      return
    }
    case 'conflict':
      return giveUp(
        app,
        tx,
        authority,
        attempt,
        'The authority already has a document of this number that this service did not send.',
      )
    case 'pending':
      return retryLater(app, tx, authority, attempt, {
        failure: null,
        reached: true,
        pendingId: outcome.pendingId,
      })
    case 'unknown':
      return retryLater(app, tx, authority, attempt, {
        failure: outcome.reason,
        reached: outcome.sent,
        pendingId: null,
      })
  }
}

const FAILURE_CHARACTERS_MAX = 500

async function retryLater(
  app: App,
  tx: Tx,
  authority: ActiveAuthority,
  attempt: Attempt,
  { failure, reached, pendingId }: { failure: string | null; reached: boolean; pendingId: string | null },
): Promise<void> {
  if (attempt.attempt >= ATTEMPTS_MAX)
    return giveUp(app, tx, authority, attempt, failure ?? 'The authority has not decided.')
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt.attempt - 1), LAST_RETRY_MS)
  const dueAt = after(tx.now, { ms: delayMs })
  const retry = { dueAt, failure: failure?.slice(0, FAILURE_CHARACTERS_MAX) ?? null, reached, pendingId }
  if (await sql.markRetried(tx, attempt, retry)) await enqueueSubmission(tx, attempt.id, dueAt)
}

async function giveUp(
  app: App,
  tx: Tx,
  authority: ActiveAuthority,
  attempt: Attempt,
  failure: string,
): Promise<void> {
  const words = failure.slice(0, FAILURE_CHARACTERS_MAX)
  if (await sql.markUndecided(tx, attempt, 'unclear', { failure: words, reasons: [] }))
    await alertStaff(app, tx, authority, attempt, 'unclear', [words])
}

const INVOICE_STAFF = ['billing', 'operator', 'super_admin'] as const
const RECIPIENTS_MAX = 50

async function alertStaff(
  app: App,
  tx: Tx,
  { label }: ActiveAuthority,
  { orgId, document }: Attempt,
  state: 'rejected' | 'unclear',
  reasons: readonly string[],
): Promise<void> {
  assert(reasons.length > 0, 'an alert has a reason')
  const subject =
    state === 'rejected'
      ? `${label} rejected ${document.number}`
      : `The registration of ${document.number} is unclear`
  const content = plainMail(subject, [
    `${document.number} of organisation ${orgId}: ${reasons.join(' ')}`,
    `See GET /admin/einvoices?state=${state} at ${app.config.baseUrl}. The invoice itself is valid and unchanged.`,
  ])
  for (const to of await staffEmails(tx, INVOICE_STAFF, RECIPIENTS_MAX))
    await app.mail.send(tx, { to, ...content })
}
