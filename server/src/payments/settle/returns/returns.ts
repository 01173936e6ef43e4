// Money that went back to the payer outside of us: refunds in the provider's dashboard and disputes at the payer's bank. What
// the provider answers about them moves money here, each of them once.
import { issueCreditNote } from '../../../invoices/invoices.ts'
import { after } from '../../../kernel/clock.ts'
import { format, money } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { balances, debit } from '../../../wallet/wallet.ts'
import { openCase } from '../../admin/cases.ts'
import type { ProviderReturn } from '../../rails/rail.ts'
import { resolveByKey } from '../../sql/payment-cases.ts'
import { endFrozen, type PaymentReturn, returnsOf, upsertTaken } from '../../sql/payment-returns.ts'
import { setNextCheck } from '../../sql/payment-status.ts'
import { lockPayment, type Payment } from '../../sql/payments.ts'
import { disputeMail, disputeWonMail, returnMail } from '../customer-mail.ts'
import { recordAudit, type SettlementTrigger } from '../settlement.ts'
import { alertStaff } from '../staff-alerts.ts'
import { createFreeze, disputeCaseKey, releaseFreeze } from './dispute-freeze.ts'

/** The provider's list may lag behind its message, so it is read once more. */
const RECHECK_AFTER = { hours: 1 }
const DISPUTE_CHECK_AFTER = { hours: 24 }

/**
 * Applies what the provider says went back of a settled payment. Says whether anything changed. `isAnnounced`: a message
 * said that something went back.
 */
export function applyReturns(
  app: App,
  reference: string,
  returns: readonly ProviderReturn[],
  { trigger, isAnnounced }: { trigger: SettlementTrigger; isAnnounced: boolean },
): Promise<boolean> {
  return app.db.tx('platform', async (tx) => {
    const before = await lockPayment(tx, reference)
    if (before?.status !== 'settled' || before.reversedAt !== null) return false
    if (isAnnounced) await setNextCheck(tx, reference, after(tx.now, RECHECK_AFTER))
    const known = new Map((await returnsOf(tx, reference)).map((each) => [each.key, each]))
    let changed = false
    // Lists of providers shift between two pages, so that one return can be listed twice.
    for (const each of new Map(returns.map((one) => [one.key, one])).values()) {
      // What an earlier return changed of the payment counts for the next.
      const payment = (await lockPayment(tx, reference)) ?? before
      changed = (await applyReturn(app, tx, payment, each, known.get(each.key), trigger)) || changed
    }
    if (changed) tx.afterCommit(() => app.metrics.payment(before.rail, 'returned'))
    return changed
  })
}

/** What was decided stays decided: an answer that comes late undoes nothing. */
async function applyReturn(
  app: App,
  tx: Tx,
  payment: Payment,
  said: ProviderReturn,
  known: PaymentReturn | undefined,
  trigger: SettlementTrigger,
): Promise<boolean> {
  if (known && known.state !== 'frozen') return false
  switch (said.state) {
    case 'open':
      return known ? false : freezeDisputed(app, tx, payment, said, trigger)
    case 'kept':
      return known ? releaseWon(app, tx, payment, known, trigger) : false
    case 'returned':
      return takeReturned(app, tx, payment, said, known, trigger)
  }
}

async function freezeDisputed(
  app: App,
  tx: Tx,
  payment: Payment,
  said: ProviderReturn,
  trigger: SettlementTrigger,
) {
  const { reference, currency, capturedMinor, returnedMinor } = payment
  const amountMinor = minOf(said.amountMinor, capturedMinor - returnedMinor)
  if (amountMinor <= 0n) return false
  const { key } = said
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  const frozenMinor = await createFreeze(app, tx, payment, { key, amountMinor })
  await setNextCheck(tx, reference, after(tx.now, DISPUTE_CHECK_AFTER))
  const amount = format(money(amountMinor, currency))
  const frozen = format(money(frozenMinor, currency))
  const summary = `The payer disputes ${amount} of this payment with their bank; ${frozen} are frozen in the wallet.`
  await openCase(tx, { key: disputeCaseKey(reference, key), kind: 'dispute', payment, amountMinor, summary })
  await alertStaff(app, tx, payment, 'A payment is disputed', [
    summary,
    'Answer the dispute at the provider before its deadline. Its decision is applied here by itself.',
  ])
  await app.mail.send(tx, { to: payment.email, ...disputeMail(app, payment, amountMinor, frozenMinor) })
  await recordAudit(tx, payment, 'payments.dispute', { key, amountMinor, frozenMinor, how: trigger })
  return true
}

async function releaseWon(
  app: App,
  tx: Tx,
  payment: Payment,
  known: PaymentReturn,
  trigger: SettlementTrigger,
) {
  const { reference } = payment
  const { key, amountMinor } = known
  await releaseFreeze(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'kept')
  const note = 'The dispute was decided in our favour, and the frozen money was released.'
  await resolveByKey(tx, disputeCaseKey(reference, key), note)
  await alertStaff(app, tx, payment, 'A dispute was won', [note])
  await app.mail.send(tx, { to: payment.email, ...disputeWonMail(app, payment, amountMinor) })
  await recordAudit(tx, payment, 'payments.dispute_won', { key, amountMinor, how: trigger })
  return true
}

/** Takes what is free in the wallet, never what is held by others; the rest is a case for staff. */
async function takeReturned(
  app: App,
  tx: Tx,
  payment: Payment,
  { key, amountMinor: saidMinor }: ProviderReturn,
  known: PaymentReturn | undefined,
  trigger: SettlementTrigger,
): Promise<boolean> {
  const { reference, orgId, currency, capturedMinor, returnedMinor, refundedMinor } = payment
  const leftMinor = capturedMinor - returnedMinor
  const amountMinor = minOf(saidMinor, leftMinor)
  if (amountMinor <= 0n) return known ? endEmptyFreeze(app, tx, payment, known) : false
  // What was topped up may have paid a bill from the wallet.
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  if (known) await releaseFreeze(app, tx, payment, known)
  const { movedMinor: takenMinor, entryId } = await debit(app, tx, {
    orgId,
    amountMinor,
    leastMinor: 1n,
    source: 'topup',
    ref: reference,
    cause: `return ${reference} ${key}`,
    account: 'reversals',
  })
  const shortMinor = amountMinor - takenMinor
  // The whole of it went back in parts: what it paid for ends as after a reversal.
  if (amountMinor === leftMinor) await handler?.onReversed(app, tx, payment, shortMinor)
  const notedMinor = maxOf(minOf(amountMinor, leftMinor - refundedMinor), 0n)
  const note = notedMinor > 0n ? await creditReturn(tx, payment, key, notedMinor) : null
  const frozenMinor = known?.amountMinor ?? 0n
  await upsertTaken(tx, payment, {
    ...{ key, amountMinor, takenMinor, entryId, frozenMinor, notedMinor: note ? notedMinor : 0n },
  })
  const summary = summaryOf(key, { amountMinor, takenMinor, shortMinor, currency })
  if (shortMinor > 0n || saidMinor > amountMinor)
    await openCase(tx, {
      ...{ key: `shortfall ${reference} ${key}`, kind: 'shortfall', payment, summary },
      amountMinor: maxOf(saidMinor - takenMinor, 1n),
    })
  if (known) await resolveByKey(tx, disputeCaseKey(reference, key), summary)
  await alertStaff(app, tx, payment, 'Money of a payment went back to its payer', [
    summary,
    ...(note ? [`Credit note ${note.number} was issued.`] : []),
  ])
  const { balanceMinor } = await balances(tx, orgId)
  const mail = returnMail(app, payment, { amountMinor, takenMinor, note, balanceMinor })
  await app.mail.send(tx, { to: payment.email, ...mail })
  const creditNote = note?.number ?? null
  await recordAudit(tx, payment, 'payments.return', {
    key,
    amountMinor,
    takenMinor,
    shortMinor,
    creditNote,
    how: trigger,
  })
  return true
}

/** A dispute was lost about money that had gone back already: nothing is left to take, and nothing stays frozen. */
async function endEmptyFreeze(app: App, tx: Tx, payment: Payment, known: PaymentReturn): Promise<boolean> {
  const { reference } = payment
  await releaseFreeze(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'reversed')
  const note = 'The disputed money had gone back to the payer before the dispute was decided.'
  await resolveByKey(tx, disputeCaseKey(reference, known.key), note)
  return true
}

function creditReturn(tx: Tx, { orgId, reference }: Payment, key: string, amountMinor: bigint) {
  const reason = key.startsWith('dispute:')
    ? 'The payer’s bank decided a dispute for the payer.'
    : 'The payment provider refunded a part of the payment.'
  return issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: `return ${reference} ${key}` })
}

function summaryOf(
  key: string,
  {
    amountMinor,
    takenMinor,
    shortMinor,
    currency,
  }: { amountMinor: bigint; takenMinor: bigint; shortMinor: bigint; currency: Payment['currency'] },
): string {
  const say = (minor: bigint) => format(money(minor, currency))
  const what = key.startsWith('dispute:') ? 'A dispute was lost' : 'The provider refunded a part'
  const missing = shortMinor > 0n ? `; ${say(shortMinor)} are spent or reserved` : ''
  return `${what}: ${say(amountMinor)} went back to the payer, ${say(takenMinor)} were taken from the wallet${missing}.`
}

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)
