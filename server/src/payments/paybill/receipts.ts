// The way of a receipt: stored from a confirmation, connected to its prompt or verified, then recorded. A job takes each step;
// a schedule repeats it while an answer is missing.
import { after } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue, type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { alertPaybill, openCase } from '../settle/staff-alerts.ts'
import { upsertEvent } from '../sql/payment-events.ts'
import { paybillAccount } from './accounts.ts'
import { claimReceipt } from './claim-receipt.ts'
import { INQUIRIES_MAX, inquire } from './inquire.ts'
import { findPrompt } from './match.ts'
import { recordReceipt, unassign } from './record.ts'
import * as sql from './sql.ts'

const RECEIPT = 'payments.receipt'
const SWEEP = 'payments.receipts'
const BATCH_SIZE = 40
/** How long a claim lasts. A crashed replica delays the next step by this much. */
const CLAIM_DURATION = { seconds: 90 }
/** A prompt may be confirmed at the paybill before its own status query shows it as paid. */
const PROMPT_WITHIN = { minutes: 30 }
const PROMPT_RETRY = { seconds: 30 }
/** When the schedule takes over from the job. */
const JOB_WITHIN = { seconds: 60 }
/** A receipt of a later time cannot belong to a prompt, which lasts a few minutes. */
const PROMPT_LIFETIME = { days: 1 }

type Notice = Pick<sql.NewReceipt, 'receipt' | 'shortcode' | 'accountText' | 'amountMinor'>

/** Stores a confirmation. A repeated one changes nothing; one that contradicts the first stops the credit. */
export function storeConfirmation(
  app: App,
  notice: Notice,
  { raw, address }: { raw: Buffer; address: string },
): Promise<void> {
  const { receipt, shortcode, accountText, amountMinor } = notice
  return app.db.tx('platform', async (tx) => {
    const event = await upsertEvent(
      tx,
      {
        ...{ id: newId('pev'), rail: 'daraja', kind: 'c2b confirmation', sourceIp: address, raw },
        ...{ reference: null, providerRef: null, transactionId: receipt },
        eventKey: `c2b ${receipt} ${shortcode} ${amountMinor} ${accountText}`,
      },
      1,
    )
    const { stored, isNew } = await sql.storeReceipt(
      tx,
      { ...notice, eventId: event.id },
      after(tx.now, JOB_WITHIN),
    )
    if (isNew) return enqueue(tx, RECEIPT, { receipt }, { key: receipt })
    const isSame =
      stored.shortcode === shortcode &&
      stored.accountText === accountText &&
      stored.amountMinor === amountMinor
    if (!isSame) await reportContradiction(app, tx, stored)
  })
}

/** Two confirmations of one receipt differ, so at least one of them is wrong. */
async function reportContradiction(app: App, tx: Tx, stored: sql.Receipt): Promise<void> {
  const reason = 'M-Pesa confirmed this receipt twice, with different facts.'
  if (stored.state === 'received') return unassign(app, tx, stored, reason)
  const summary = `M-Pesa receipt ${stored.receipt}: ${reason} Its state is ${stored.state}.`
  const payment =
    stored.orgId && stored.reference ? { orgId: stored.orgId, reference: stored.reference } : null
  const key = `paybill twice ${stored.receipt}`
  const evidence = { receipt: stored.receipt }
  if (await openCase(tx, { key, kind: 'paybill', payment, summary, evidence }))
    await alertPaybill(app, tx, summary)
}

const receiptJob = job<{ receipt: string }>(RECEIPT, {
  run: (app, { payload }) => advanceReceipt(app, payload.receipt, { isDue: false }),
})

const sweepJob = job(SWEEP, { attempts: 1, timeoutMs: 80_000, run: (app) => sweepReceipts(app) })

export const paybillJobs: readonly JobKind[] = [receiptJob as JobKind, sweepJob as JobKind]
export const paybillSchedules: readonly Schedule[] = [{ name: SWEEP, job: SWEEP, everySeconds: 30 }]

/** Takes the next step of all due receipts. The rest waits for the next run. */
async function sweepReceipts(app: App): Promise<void> {
  const due = await app.db.tx('platform', (tx) =>
    sql.claimDueReceipts(tx, BATCH_SIZE, after(tx.now, CLAIM_DURATION)),
  )
  for (const { receipt } of due) {
    try {
      await advanceReceipt(app, receipt, { isDue: true })
    } catch (error) {
      app.log.error({ err: error, receipt }, 'payments.paybill.advance_failed')
    }
  }
}

/** `isDue`: an answer that has not arrived is not awaited any longer. */
async function advanceReceipt(app: App, name: string, { isDue }: { isDue: boolean }): Promise<void> {
  const account = paybillAccount(app)
  const receipt = await app.db.tx('platform', (tx) => sql.lockReceipt(tx, name))
  if (receipt?.state !== 'received' || !account) return
  if (await belongsToPrompt(app, receipt)) return
  const isVerifiable = account.paybill.inquire !== undefined && receipt.verifiedAt === null
  if (isVerifiable && receipt.inquiryId !== null && !isDue) return
  if (isVerifiable && receipt.inquiries < INQUIRIES_MAX) return inquire(app, account, name)
  await app.db.tx('platform', async (tx) => {
    const locked = await sql.lockReceipt(tx, name)
    if (locked?.state === 'received') await recordReceipt(app, tx, account, locked)
  })
}

/** True: it is the receipt of a prompt, or may become one and is checked again. */
async function belongsToPrompt(app: App, receipt: sql.Receipt): Promise<boolean> {
  const { receipt: name, accountText, amountMinor, receivedAt } = receipt
  const prompt = await app.db.tx('platform', async (tx) => {
    const named = await findPrompt(tx, accountText)
    return named ?? sql.promptOfReceipt(tx, name)
  })
  if (!prompt || prompt.amountMinor !== amountMinor) return false
  if (receivedAt > after(prompt.createdAt, PROMPT_LIFETIME)) return false
  if (prompt.status === 'pending' || prompt.status === 'failed' || prompt.status === 'expired')
    await reconcilePayment(app, prompt.reference, 'webhook')
  if (prompt.status === 'review') {
    // Staff decide about its money there.
    await app.db.tx('platform', (tx) => sql.decideReceipt(tx, name, 'prompt', prompt))
    return true
  }
  const claim = await claimReceipt(app, name, prompt.reference)
  if (claim === 'claimed') return true
  if (claim === 'refused' || app.clock.now() >= after(receivedAt, PROMPT_WITHIN)) return false
  await app.db.tx('platform', (tx) => sql.checkReceiptAt(tx, name, after(tx.now, PROMPT_RETRY)))
  return true
}
