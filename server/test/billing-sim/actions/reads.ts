// Reads that must match the expected state.

import type { SimOrg } from '../org.ts'
import type { World } from '../world.ts'
import { visitPage } from './cards.ts'
import { expectCode, minor, sendRequest } from './request.ts'

type Invoice = { id: string; status: string; totalMinor: bigint; subtotalMinor: bigint; taxMinor: bigint }

export async function readPlan(world: World, org: SimOrg): Promise<void> {
  const answer = await sendRequest(world, org, 'GET', '/subscription')
  expectCode(org, answer, ['ok'], 'reading the subscription')
  const { subscription } = answer.body as { subscription: Record<string, unknown> | null }
  const { state } = org
  const isLive =
    subscription !== null && subscription.status !== 'incomplete' && subscription.status !== 'canceled'
  if (isLive !== (state !== null)) throw org.violation(`reads ${answer.text}`)
  if (!isLive || !state) return
  const { planCode, interval, status, seats, cancelAtPeriodEnd } = subscription
  const read = [planCode, interval, status, seats, cancelAtPeriodEnd].join()
  const had = [state.plan, state.interval, state.status, state.seats, state.isCanceling].join()
  if (read !== had) throw org.violation(`reads ${read} and has ${had}`)
  if (minor(answer.body.includedRemainingMinor) !== org.allowanceMinor)
    throw org.violation(
      `reads an allowance of ${String(answer.body.includedRemainingMinor)}, has ${org.allowanceMinor}`,
    )
}

export async function readSummary(world: World, org: SimOrg): Promise<void> {
  const answer = await sendRequest(world, org, 'GET', '/billing/summary')
  expectCode(org, answer, ['ok'], 'reading the summary')
  const { included } = answer.body as { included: Record<string, unknown> }
  const [total, used, left] = [included.totalMinor, included.usedMinor, included.remainingMinor].map(minor)
  if ((total ?? 0n) !== (used ?? 0n) + (left ?? 0n) || (used ?? 0n) < 0n)
    throw org.violation(`the allowance does not add up: ${answer.text}`)
}

export async function readInvoices(world: World, org: SimOrg): Promise<void> {
  const answer = await sendRequest(world, org, 'GET', '/invoices')
  expectCode(org, answer, ['ok'], 'reading invoices')
  const { invoices } = answer.body as { invoices: Invoice[] }
  for (const { id, totalMinor, subtotalMinor, taxMinor } of invoices)
    if (minor(totalMinor) !== minor(subtotalMinor) + minor(taxMinor))
      throw org.violation(`${id} does not add up`)
  const one = invoices[Math.floor(org.random() * invoices.length)]
  if (!one) return
  const receipt = await sendRequest(world, org, 'GET', `/invoices/${one.id}/receipt`)
  expectCode(org, receipt, ['ok'], 'reading a receipt')
}

/** Pays an overdue renewal with a stored card or on a payment page. */
export async function payInvoice(world: World, org: SimOrg): Promise<void> {
  const listed = await sendRequest(world, org, 'GET', '/invoices')
  expectCode(org, listed, ['ok'], 'reading invoices')
  const open = (listed.body as { invoices: Invoice[] }).invoices.find(({ status }) => status === 'open')
  if (!open) return
  const hosted = org.random() < 0.5
  const answer = await sendRequest(world, org, 'POST', `/invoices/${open.id}/pay`, { body: { hosted } })
  const refusals = [
    ...['card_declined', 'no_payment_method', 'card_challenged', 'rail_unavailable', 'change_in_progress'],
    ...['invoice_not_open', 'payment_refused'],
  ]
  expectCode(org, answer, ['ok', ...refusals], 'the payment of an invoice')
  const { reference } = answer.body as { reference?: string }
  if (answer.code === 'ok' && reference !== undefined) visitPage(world, org, reference)
}
