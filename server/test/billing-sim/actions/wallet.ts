// What customers do with their wallets, and what staff give back.
import { after } from '../../../src/kernel/clock.ts'
import { readBalances, reserve, settle } from '../../../src/wallet/wallet.ts'
import type { SimOrg } from '../org.ts'
import { settledAmounts } from '../sql.ts'
import type { World } from '../world.ts'
import { visitPage } from './cards.ts'
import { expectCode, sendRequest, toText } from './request.ts'

export async function topUp(world: World, life: SimOrg): Promise<void> {
  const least = world.prices.minimumCharge(life.currency)
  const amountMinor = least * BigInt(10 + Math.floor(life.random() * 500))
  const answer = await sendRequest(world, life, 'POST', '/wallet/topup', {
    body: { amountMinor },
    key: life.next(),
  })
  expectCode(life, answer, [world.bank.isDown ? 'rail_unavailable' : 'ok'], 'a top-up')
  if (answer.code !== 'ok') return
  const { reference } = answer.body as { reference: string }
  visitPage(world, life, reference)
}

/** Work is done: from the allowance first, then from the wallet, and never more than there is. */
export async function spend(world: World, life: SimOrg): Promise<void> {
  const { app } = world.replicas[life.random() < 0.5 ? 0 : 1]
  const { orgId, userId } = life.owner
  const { availableMinor, includedRemainingMinor } = await readBalances(app.db.direct, orgId)
  const mostMinor = availableMinor + includedRemainingMinor
  const wantedMinor = (mostMinor * BigInt(1 + Math.floor(life.random() * 130))) / 100n + 1n
  const deadline = after(world.clock.now(), { minutes: 10 })
  const work = { orgId, userId, ref: life.next(), source: 'agent', terms: {}, deadline } as const
  const reserved = await reserve(app, { ...work, amountMinor: wantedMinor })
  if (reserved.ok !== wantedMinor <= mostMinor)
    throw life.violation(`${wantedMinor} of ${mostMinor} were ${reserved.ok ? 'held' : 'refused'}`)
  world.tally.add(reserved.ok ? 'work done' : 'work refused')
  if (!reserved.ok) return
  const costMinor = (wantedMinor * BigInt(50 + Math.floor(life.random() * 51))) / 100n
  await settle(app, { orgId, holdId: reserved.hold.holdId, amountMinor: costMinor, usage: null })
  const fromPlan = lesser(costMinor, includedRemainingMinor)
  life.allowanceMinor -= fromPlan
  life.note(`work for ${costMinor}, ${fromPlan} of it from the allowance`)
}

/** Staff give a part of a payment back into the wallet, never more than it brought. */
export async function refund(world: World, life: SimOrg): Promise<void> {
  const reference = life.settledReferences[Math.floor(life.random() * life.settledReferences.length)]
  if (reference === undefined) return
  const payment = await settledAmounts(world.sql, reference)
  const leftMinor = payment.capturedMinor - payment.refundedMinor
  const amountMinor = (payment.capturedMinor * BigInt(1 + Math.floor(life.random() * 60))) / 100n + 1n
  const server = world.replicas[0]
  const reply = await server.call<{ code?: string }>('POST', '/wallet/refund', {
    as: world.staff,
    headers: { 'idempotency-key': life.next() },
    body: {
      orgId: life.owner.orgId,
      amountMinor,
      reason: 'Something went wrong',
      source: 'refund',
      reference,
    },
  })
  life.note(`a refund of ${amountMinor} of ${reference} → ${reply.status}`)
  const expected = amountMinor <= leftMinor ? 200 : 400
  if (reply.status !== expected)
    throw life.violation(
      `a refund of ${amountMinor} of ${toText(payment)} was answered ${reply.status}: ${reply.text}`,
    )
  world.tally.add(reply.status === 200 ? 'refunds given' : 'refunds refused')
}

const lesser = (a: bigint, b: bigint): bigint => (a > b ? b : a)
