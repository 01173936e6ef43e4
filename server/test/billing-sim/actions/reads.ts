// What customers read must be what they have.

import type { SimOrg } from '../org.ts'
import type { World } from '../world.ts'
import { visitPage } from './cards.ts'
import { expectCode, minor, sendRequest } from './request.ts'

type Invoice = { id: string; status: string; totalMinor: bigint; subtotalMinor: bigint; taxMinor: bigint }

export async function readPlan(world: World, life: SimOrg): Promise<void> {
  const answer = await sendRequest(world, life, 'GET', '/subscription')
  expectCode(life, answer, ['ok'], 'reading the subscription')
  const { subscription } = answer.body as { subscription: Record<string, unknown> | null }
  const { state } = life
  const isLive =
    subscription !== null && subscription.status !== 'incomplete' && subscription.status !== 'canceled'
  if (isLive !== (state !== null)) throw life.violation(`reads ${answer.text}`)
  if (!isLive || !state) return
  const { planCode, interval, status, seats, cancelAtPeriodEnd } = subscription
  const read = [planCode, interval, status, seats, cancelAtPeriodEnd].join()
  const had = [state.plan, state.interval, state.status, state.seats, state.isCanceling].join()
  if (read !== had) throw life.violation(`reads ${read} and has ${had}`)
  if (minor(answer.body.includedRemainingMinor) !== life.allowanceMinor)
    throw life.violation(
      `reads an allowance of ${String(answer.body.includedRemainingMinor)}, has ${life.allowanceMinor}`,
    )
}

export async function readSummary(world: World, life: SimOrg): Promise<void> {
  const answer = await sendRequest(world, life, 'GET', '/billing/summary')
  expectCode(life, answer, ['ok'], 'reading the summary')
  const { included } = answer.body as { included: Record<string, unknown> }
  const [total, used, left] = [included.totalMinor, included.usedMinor, included.remainingMinor].map(minor)
  if ((total ?? 0n) !== (used ?? 0n) + (left ?? 0n) || (used ?? 0n) < 0n)
    throw life.violation(`the allowance does not add up: ${answer.text}`)
}

export async function readInvoices(world: World, life: SimOrg): Promise<void> {
  const answer = await sendRequest(world, life, 'GET', '/invoices')
  expectCode(life, answer, ['ok'], 'reading invoices')
  const { invoices } = answer.body as { invoices: Invoice[] }
  for (const { id, totalMinor, subtotalMinor, taxMinor } of invoices)
    if (minor(totalMinor) !== minor(subtotalMinor) + minor(taxMinor))
      throw life.violation(`${id} does not add up`)
  const one = invoices[Math.floor(life.random() * invoices.length)]
  if (!one) return
  const receipt = await sendRequest(world, life, 'GET', `/invoices/${one.id}/receipt`)
  expectCode(life, receipt, ['ok'], 'reading a receipt')
}

/** Who is behind with a renewal pays it: with a card that is stored, or on a page. */
export async function payInvoice(world: World, life: SimOrg): Promise<void> {
  const listed = await sendRequest(world, life, 'GET', '/invoices')
  expectCode(life, listed, ['ok'], 'reading invoices')
  const open = (listed.body as { invoices: Invoice[] }).invoices.find(({ status }) => status === 'open')
  if (!open) return
  const hosted = life.random() < 0.5
  const answer = await sendRequest(world, life, 'POST', `/invoices/${open.id}/pay`, { body: { hosted } })
  const refusals = [
    ...['card_declined', 'no_payment_method', 'card_challenged', 'rail_unavailable', 'change_in_progress'],
    ...['invoice_not_open', 'payment_refused'],
  ]
  expectCode(life, answer, ['ok', ...refusals], 'the payment of an invoice')
  const { reference } = answer.body as { reference?: string }
  if (answer.code === 'ok' && reference !== undefined) visitPage(world, life, reference)
}
