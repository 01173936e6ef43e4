// A scenario that covers every figure: three currencies, settled and reversed payments, credits by staff, usage of both
// lanes paid by wallets and by allowances, and subscriptions in every state.

import { type PlanCode, planOf } from '@cowrie/server/src/billing/plans/plans.ts'
import { quoteStart } from '@cowrie/server/src/billing/quotes/quote.ts'
import { runRenewals } from '@cowrie/server/src/billing/renewals/renewals.ts'
import { startSubscription } from '@cowrie/server/src/billing/subscriptions/lifecycle.ts'
import { lockOrg } from '@cowrie/server/src/billing/subscriptions/subscriptions.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import { reserveTurn, settleTurn } from '@cowrie/server/src/metering/metering.ts'
import { subscriber } from '../billing/renewal.ts'
import { pay, postSubscription, reconcileByWebhook, subscribe, type World } from '../billing/subscription.ts'
import type { Person } from '../harness/harness.ts'
import { seeded } from '../harness/seeded.ts'
import { customer, topUp } from '../payments/topup-fixture.ts'
import { grantAllowance } from '../wallet/money.ts'

type Payer = Person & { readonly currency: Currency }
export type BusyWorld = {
  readonly staff: Person
  /** Has a monthly plan, an allowance and a topped-up wallet. */
  readonly ada: Payer
  /** Has another currency and no plan. */
  readonly kem: Payer
  readonly everyone: readonly Payer[]
}

/** Spans forty days. The first ten are outside the default range of thirty. */
export async function buildBusyWorld(world: World, seed: number): Promise<BusyWorld> {
  const { server } = world
  const chance = seeded(seed)
  const between = (least: number, most: number) => Math.floor(least + chance() * (most - least + 1))
  const staff = await server.person({ staff: 'billing' })
  const ada = inNaira(await server.person())
  const chi = inNaira(await server.person({ type: 'team' }))
  const efe = inNaira(await subscriber(server, world.bank))
  const femi = inNaira(await server.person())
  const gus = inNaira(await server.person())
  const kem = { ...(await customer(server, 'KES')), currency: 'KES' } as const
  const kip = { ...(await customer(server, 'KES')), currency: 'KES' } as const
  const pat = { ...(await customer(server, 'GHS')), currency: 'GHS' } as const
  const kes = { ...(await customer(server, 'KES')), currency: 'KES' } as const
  const payers = [ada, chi, gus, kem, pat]

  await subscribe(world, ada, 'pro')
  await subscribe(world, inNaira(await server.person()), 'pro', 'year')
  await subscribe(world, chi, 'team')
  await postSubscription(world, chi, 'seats', { seats: 8 })
  await subscribe(world, femi, 'pro')
  await postSubscription(world, femi, 'cancel')
  await compOrg(world, staff)
  await openPlan(world, kip, 'team', 'year', 7)
  await openPlan(world, pat, 'free', 'month', 1)
  await closeOrg(world, inNaira(await server.person()), between(40_000, 60_000))
  await closeOrg(world, kes, between(40_000, 60_000))
  world.bank.cards.behave((await cardOf(world, efe)) ?? '', { does: 'declines', message: 'No.' })

  for (let day = 0; day < 40; day += 8) {
    if (day === 32) await runRenewals(server.app)
    for (const payer of payers) {
      await pay(world, await startTopUp(world, payer, between(30_000, 90_000)))
      await useModels(world, payer, between)
    }
    if (day === 16) await reverseTopUp(world, gus, between(40_000, 60_000))
    if (day === 24) await creditByStaff(world, staff, kem, between(100, 999), 'adjustment')
    if (day === 24) await creditByStaff(world, staff, gus, between(100, 999), 'refund')
    server.clock.advance({ days: 8, minutes: between(0, 30) })
  }
  await settleAcrossGrants(world, ada)
  server.clock.advance({ seconds: 1 })
  return { staff, ada, kem, everyone: [...payers, efe, femi, kip] }
}

const inNaira = <T extends Person>(person: T) => ({ ...person, currency: 'NGN' as const })

async function openPlan(
  { server }: World,
  { orgId, currency }: Payer,
  planCode: PlanCode,
  interval: 'month' | 'year',
  occupied: number,
) {
  await server.app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const plan = planOf('2026-11', planCode, interval, currency)
    const { effect } = quoteStart(plan, '2026-11', tx.now, { isComped: false, occupied })
    const subscription = { id: newId('sub'), orgId, currency, isComped: false, status: 'active' } as const
    await startSubscription(server.app, tx, subscription, effect)
  })
}

async function compOrg({ server, bank }: World, staff: Person) {
  const org = await subscriber(server, bank, { planCode: 'team', type: 'team', isComped: true })
  const body = { planCode: 'team', reason: 'A partner.' }
  await server.call('POST', `/admin/orgs/${org.orgId}/comp`, { as: staff, body })
}

async function cardOf({ server }: World, { orgId }: Person): Promise<string | undefined> {
  const row = await server.sql.maybe<{ last4: string }>`select last4 from cards where org_id = ${orgId}`
  return row?.last4
}

async function startTopUp({ server }: World, payer: Payer, amountMinor: number): Promise<string> {
  const { status, body } = await topUp(server, payer, { amountMinor, channel: 'card' })
  if (status !== 200) throw new Error(`${payer.currency} was refused: ${JSON.stringify(body)}`)
  return body.reference
}

/** A payment that the provider reverses after a part was spent. */
async function reverseTopUp(world: World, payer: Payer, amountMinor: number) {
  const reference = await startTopUp(world, payer, amountMinor)
  await pay(world, reference)
  world.bank.reverse(reference)
  await reconcileByWebhook(world, reference)
}

/** Closes an organisation that forfeits its balance. */
async function closeOrg(world: World, payer: Payer, amountMinor: number) {
  await pay(world, await startTopUp(world, payer, amountMinor))
  const { name, forfeitMinor } = await world.server.sql.one<{ name: string; forfeitMinor: bigint }>`
    select o.name, w.balance_minor as "forfeitMinor" from orgs o join wallets w on w.org_id = o.id
    where o.id = ${payer.orgId}`
  const { status, body } = await world.server.call('DELETE', `/orgs/${payer.orgId}`, {
    as: payer,
    body: { confirm: name, forfeitMinor },
  })
  if (status !== 200) throw new Error(`closing was refused: ${JSON.stringify(body.reasons)}`)
}

let gifts = 0
async function creditByStaff(
  { server }: World,
  staff: Person,
  { orgId }: Payer,
  amountMinor: number,
  source: 'refund' | 'adjustment',
) {
  const { reference } = await server.sql.one<{ reference: string }>`
    select reference from payments where org_id = ${orgId} and status = 'settled' and reversed_at is null
    order by created_at, reference limit 1`
  const { status, body } = await server.call('POST', '/wallet/refund', {
    as: staff,
    headers: { 'idempotency-key': `gift-${++gifts}` },
    body: { orgId, amountMinor, reason: 'sorry', source, ...(source === 'refund' && { reference }) },
  })
  if (status !== 200) throw new Error(`${source} was refused: ${JSON.stringify(body.code)}`)
}

const SOURCES = ['agent', 'chat', 'gateway', 'review'] as const
let turns = 0

/** One turn on each lane, settled below its hold. */
async function useModels(world: World, payer: Payer, between: (least: number, most: number) => number) {
  for (const lane of ['open', 'frontier'] as const) {
    const most = lane === 'open' ? 60_000 : 4_000
    const turn = await reserve(world, payer, lane, most, SOURCES[between(0, SOURCES.length - 1)])
    await settleTurn(world.server.app, turn, { promptTokens: 500, outputTokens: between(0, most) })
  }
}

const reserve = (
  { server }: World,
  { orgId, userId, currency }: Payer,
  lane: 'open' | 'frontier',
  outputCeiling: number,
  source: (typeof SOURCES)[number] = 'agent',
) =>
  reserveTurn(server.app, {
    ...{ orgId, userId, ref: `busy ${++turns}`, source, lane, model: `m-${lane}`, currency },
    ...{ promptTokens: 500, outputCeiling, leastOutput: 0, spentMicroKobo: 0n },
    deadline: new Date(server.clock.now().getTime() + 60_000),
  })

/** The unused hold of an allowance expires when the next allowance is granted. */
async function settleAcrossGrants(world: World, payer: Payer) {
  const turn = await reserve(world, payer, 'open', 60_000)
  await grantAllowance(world.server, payer.orgId, 700n)
  await settleTurn(world.server.app, turn, { promptTokens: 500, outputTokens: 1_000 })
}
