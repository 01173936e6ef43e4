// Checks all invariants: the operators' checks, bills and invoices, the bank's record against ours, and payments against
// paid time.
import { billingChecks } from '../../../src/billing/billing.ts'
import { before } from '../../../src/kernel/clock.ts'
import { runChecks } from '../../../src/wallet/wallet.ts'
import { toText } from '../actions/request.ts'
import type { BankEntry } from '../bank/bank-entry.ts'
import { Violation } from '../org.ts'
import type { World } from '../world.ts'
import { paidTimeValue } from './expected-subscription.ts'
import * as sql from './invariants-sql.ts'

/** Returns the money totals. With `isAtRest`, all payments of the bank must have arrived. */
export async function checkEverything(world: World, isAtRest: boolean): Promise<string[]> {
  await checkAsOperator(world)
  for (const find of [
    sql.paymentsWithoutInvoice,
    sql.invoicesWithoutPayment,
    sql.invoicesOutOfOrder,
    sql.billsPaidWrongly,
    sql.periodsThatOverlap,
    sql.openInvoicesWithoutBill,
    sql.unbalancedAllowances,
  ]) {
    const [broken] = await find(world.sql)
    if (broken) throw new Violation(`${find.name}: ${broken.what}`)
  }
  await checkFairness(world)
  for (const { name, state, count } of await world.replicas[0].app.jobs.count())
    if (state === 'dead') throw new Violation(`${count} jobs are dead: ${name}`)
  await compareBooks(world, isAtRest)
  return checkTotals(world)
}

/** Includes the longest clock jump: by then every payment was announced or polled. */
const KNOWN_WITHIN = { days: 60 }

type Invariants = {
  ok: boolean
  checks: { name: string; ok: boolean; examples: string[] }[]
  trialBalance: { currency: string; ok: boolean }[]
}

async function checkAsOperator({ replicas, staff, clock }: World): Promise<void> {
  for (const { name, ok, examples } of await runChecks(replicas[0].app, billingChecks))
    if (!ok) throw new Violation(`${name} does not hold for ${examples.join(', ')}`)
  const reply = await replicas[1].call<Invariants>('GET', '/admin/ledger/invariants', { as: staff })
  if (reply.status !== 200)
    throw new Violation(`the operators' checks returned ${reply.status}: ${reply.text}`)
  if (reply.body.ok) return
  const failed = [...reply.body.checks, ...reply.body.trialBalance].filter(({ ok }) => !ok)
  throw new Violation(`at ${clock.now().toISOString()} the operators' checks report ${toText(failed)}`)
}

/** Payments equal the value of the paid time, except for rounding and waived amounts. */
async function checkFairness({ sql: owner, orgs }: World): Promise<void> {
  const paid = new Map((await sql.paidForPlans(owner)).map(({ orgId, paidMinor }) => [orgId, paidMinor]))
  for (const org of orgs) {
    const paidMinor = Number(paid.get(org.owner.orgId) ?? 0n)
    const worthMinor = paidTimeValue(org)
    const rounding = org.changes + 1
    if (paidMinor > worthMinor + rounding)
      throw org.violation(`paid ${paidMinor} for time worth ${worthMinor.toFixed(2)}`)
    if (paidMinor < worthMinor - rounding - Number(org.waivedMinor))
      throw org.violation(`paid only ${paidMinor} for time worth ${worthMinor.toFixed(2)}`)
  }
}

async function compareBooks({ sql: owner, bank, clock }: World, isAtRest: boolean): Promise<void> {
  const isLate = ({ status, paidAt }: BankEntry): boolean =>
    status === 'success' && (isAtRest || (paidAt !== null && paidAt < before(clock.now(), KNOWN_WITHIN)))
  const ours = new Map((await sql.livePayments(owner)).map((payment) => [payment.reference, payment]))
  for (const { reference, status, capturedMinor, currency } of ours.values()) {
    if (status === 'review') throw new Violation(`${reference} is under review`)
    if (status !== 'settled') continue
    const entry = bank.of(reference)
    if (entry.status !== 'success' || entry.amountMinor !== capturedMinor || entry.currency !== currency)
      throw new Violation(
        `${reference} captured ${capturedMinor} ${currency}, and the bank has ${toText(entry)}`,
      )
  }
  for (const entry of bank.books.values())
    if (isLate(entry) && ours.get(entry.reference)?.status !== 'settled')
      throw new Violation(
        `the bank paid ${toText(entry)}, which is ${ours.get(entry.reference)?.status} here`,
      )
}

async function checkTotals({ sql: owner }: World): Promise<string[]> {
  const all = await sql.totals(owner)
  for (const each of all) {
    if (each.capturedMinor !== each.invoicedMinor)
      throw new Violation(`money in and paid invoices differ: ${toText(each)}`)
    const spent = each.walletsMinor + each.revenueMinor + each.subscriptionsMinor
    if (each.capturedMinor + each.refundedMinor !== spent)
      throw new Violation(`money was lost or created: ${toText(each)}`)
  }
  return all.map(toText)
}
