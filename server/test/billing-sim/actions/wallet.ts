// Actions of customers on their wallets, and refunds by staff.
import { after } from '../../../src/kernel/clock.ts'
import { readBalances, reserve, settle } from '../../../src/wallet/wallet.ts'
import type { SimOrg } from '../org.ts'
import { settledAmounts } from '../sql.ts'
import type { World } from '../world.ts'
import { visitPage } from './cards.ts'
import { expectCode, sendRequest, toText } from './request.ts'

export async function topUp(world: World, org: SimOrg): Promise<void> {
  const least = world.prices.minimumCharge(org.currency)
  const amountMinor = least * BigInt(10 + Math.floor(org.random() * 500))
  const answer = await sendRequest(world, org, 'POST', '/wallet/topup', {
    body: { amountMinor },
    key: org.next(),
  })
  expectCode(org, answer, [world.bank.isDown ? 'rail_unavailable' : 'ok'], 'a top-up')
  if (answer.code !== 'ok') return
  const { reference } = answer.body as { reference: string }
  visitPage(world, org, reference)
}

/** Spends from the allowance first, then from the wallet, never more than available. */
export async function spend(world: World, org: SimOrg): Promise<void> {
  const { app } = world.replicas[org.random() < 0.5 ? 0 : 1]
  const { orgId, userId } = org.owner
  const { availableMinor, includedRemainingMinor } = await readBalances(app.db.direct, orgId)
  const mostMinor = availableMinor + includedRemainingMinor
  const wantedMinor = (mostMinor * BigInt(1 + Math.floor(org.random() * 130))) / 100n + 1n
  const deadline = after(world.clock.now(), { minutes: 10 })
  const work = { orgId, userId, ref: org.next(), source: 'agent', terms: {}, deadline } as const
  const reserved = await reserve(app, { ...work, amountMinor: wantedMinor })
  if (reserved.ok !== wantedMinor <= mostMinor)
    throw org.violation(
      `a reserve of ${wantedMinor} with ${mostMinor} available was ${reserved.ok ? 'held' : 'refused'}`,
    )
  world.tally.add(reserved.ok ? 'work done' : 'work refused')
  if (!reserved.ok) return
  const costMinor = (wantedMinor * BigInt(50 + Math.floor(org.random() * 51))) / 100n
  await settle(app, { orgId, holdId: reserved.hold.holdId, amountMinor: costMinor, usage: null })
  const fromPlan = lesser(costMinor, includedRemainingMinor)
  org.allowanceMinor -= fromPlan
  org.note(`work for ${costMinor}, ${fromPlan} of it from the allowance`)
}

/** Staff refund a part of a payment to the wallet, never more than it captured. */
export async function refund(world: World, org: SimOrg): Promise<void> {
  const reference = org.settledReferences[Math.floor(org.random() * org.settledReferences.length)]
  if (reference === undefined) return
  const payment = await settledAmounts(world.sql, reference)
  const leftMinor = payment.capturedMinor - payment.refundedMinor
  const amountMinor = (payment.capturedMinor * BigInt(1 + Math.floor(org.random() * 60))) / 100n + 1n
  const server = world.replicas[0]
  const reply = await server.call<{ code?: string }>('POST', '/wallet/refund', {
    as: world.staff,
    headers: { 'idempotency-key': org.next() },
    body: {
      orgId: org.owner.orgId,
      amountMinor,
      reason: 'Something went wrong',
      source: 'refund',
      reference,
    },
  })
  org.note(`a refund of ${amountMinor} of ${reference} → ${reply.status}`)
  const expected = amountMinor <= leftMinor ? 200 : 400
  if (reply.status !== expected)
    throw org.violation(
      `a refund of ${amountMinor} of ${toText(payment)} returned ${reply.status}: ${reply.text}`,
    )
  world.tally.add(reply.status === 200 ? 'refunds given' : 'refunds refused')
}

const lesser = (a: bigint, b: bigint): bigint => (a > b ? b : a)
