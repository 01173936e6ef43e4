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
import { endFrozen, type KnownReturn, returnsOf, upsertTaken } from '../../sql/payment-returns.ts'
import { lockPayment, type Payment, setNextCheck } from '../../sql/settle-sql.ts'
import { disputeMail, disputeWonMail, returnMail } from '../customer-mail.ts'
import { type How, recordFact } from '../settlement.ts'
import { alertStaff } from '../staff-alerts.ts'
import { beginFreeze, disputeCaseKey, thaw } from './dispute-freeze.ts'

/** The provider's list may lag behind its message, so it is read once more. */
const READ_AGAIN_AFTER = { hours: 1 }
const DISPUTE_CHECK_AFTER = { hours: 24 }

/**
 * Applies what the provider says went back of a settled payment. Says whether anything changed. `isAnnounced`: a message
 * said that something went back.
 */
export function applyReturns(
  app: App,
  reference: string,
  returns: readonly ProviderReturn[],
  { how, isAnnounced }: { how: How; isAnnounced: boolean },
): Promise<boolean> {
  return app.db.tx('platform', async (tx) => {
    const before = await lockPayment(tx, reference)
    if (before?.status !== 'settled' || before.reversedAt !== null) return false
    if (isAnnounced) await setNextCheck(tx, reference, after(tx.now, READ_AGAIN_AFTER))
    const known = new Map((await returnsOf(tx, reference)).map((each) => [each.key, each]))
    let changed = false
    // Lists of providers shift between two pages, so that one return can be listed twice.
    for (const each of new Map(returns.map((one) => [one.key, one])).values()) {
      // What an earlier return changed of the payment counts for the next.
      const payment = (await lockPayment(tx, reference)) ?? before
      changed = (await applyReturn(app, tx, payment, each, known.get(each.key), how)) || changed
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
  known: KnownReturn | undefined,
  how: How,
): Promise<boolean> {
  if (known && known.state !== 'frozen') return false
  switch (said.state) {
    case 'open':
      return known ? false : freezeDisputed(app, tx, payment, said, how)
    case 'kept':
      return known ? releaseWon(app, tx, payment, known, how) : false
    case 'returned':
      return takeReturned(app, tx, payment, said, known, how)
  }
}

async function freezeDisputed(app: App, tx: Tx, payment: Payment, said: ProviderReturn, how: How) {
  const { reference, currency, capturedMinor, returnedMinor } = payment
  const amountMinor = least(said.amountMinor, capturedMinor - returnedMinor)
  if (amountMinor <= 0n) return false
  const { key } = said
  await app.paidFor[payment.purpose]?.hold(tx, payment)
  const frozenMinor = await beginFreeze(app, tx, payment, { key, amountMinor })
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
  await recordFact(tx, payment, 'payments.dispute', { key, amountMinor, frozenMinor, how })
  return true
}

async function releaseWon(app: App, tx: Tx, payment: Payment, known: KnownReturn, how: How) {
  const { reference } = payment
  const { key, amountMinor } = known
  await thaw(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'kept')
  const note = 'The dispute was decided in our favour, and the frozen money was released.'
  await resolveByKey(tx, disputeCaseKey(reference, key), note)
  await alertStaff(app, tx, payment, 'A dispute was won', [note])
  await app.mail.send(tx, { to: payment.email, ...disputeWonMail(app, payment, amountMinor) })
  await recordFact(tx, payment, 'payments.dispute_won', { key, amountMinor, how })
  return true
}

/** Takes what is free in the wallet, never what is held by others; the rest is a case for staff. */
async function takeReturned(
  app: App,
  tx: Tx,
  payment: Payment,
  { key, amountMinor: saidMinor }: ProviderReturn,
  known: KnownReturn | undefined,
  how: How,
): Promise<boolean> {
  const { reference, orgId, currency, capturedMinor, returnedMinor, refundedMinor } = payment
  const leftMinor = capturedMinor - returnedMinor
  const amountMinor = least(saidMinor, leftMinor)
  if (amountMinor <= 0n) return known ? endIdleFreeze(app, tx, payment, known) : false
  // What was topped up may have paid a bill from the wallet.
  const paidFor = app.paidFor[payment.purpose] ?? app.paidFor.bill
  await paidFor?.hold(tx, payment)
  if (known) await thaw(app, tx, payment, known)
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
  if (amountMinor === leftMinor) await paidFor?.reversed(app, tx, payment, shortMinor)
  const notedMinor = most(least(amountMinor, leftMinor - refundedMinor), 0n)
  const note = notedMinor > 0n ? await issueNote(tx, payment, key, notedMinor) : null
  const frozenMinor = known?.amountMinor ?? 0n
  await upsertTaken(tx, payment, {
    ...{ key, amountMinor, takenMinor, entryId, frozenMinor, notedMinor: note ? notedMinor : 0n },
  })
  const summary = summaryOf(key, { amountMinor, takenMinor, shortMinor, currency })
  if (shortMinor > 0n || saidMinor > amountMinor)
    await openCase(tx, {
      ...{ key: `shortfall ${reference} ${key}`, kind: 'shortfall', payment, summary },
      amountMinor: most(saidMinor - takenMinor, 1n),
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
  await recordFact(tx, payment, 'payments.return', {
    key,
    amountMinor,
    takenMinor,
    shortMinor,
    creditNote,
    how,
  })
  return true
}

/** A dispute was lost about money that had gone back already: nothing is left to take, and nothing stays frozen. */
async function endIdleFreeze(app: App, tx: Tx, payment: Payment, known: KnownReturn): Promise<boolean> {
  const { reference } = payment
  await thaw(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'reversed')
  const note = 'The disputed money had gone back to the payer before the dispute was decided.'
  await resolveByKey(tx, disputeCaseKey(reference, known.key), note)
  return true
}

function issueNote(tx: Tx, { orgId, reference }: Payment, key: string, amountMinor: bigint) {
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

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
