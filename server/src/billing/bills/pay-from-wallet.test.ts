// Egypt has no card rail: its plans are paid from the wallet.

import {
  billsOf,
  expectInvariants,
  getSubscription,
  invoicesOf,
  orgOf,
  postSubscription,
  type World,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settlePayment } from '../../payments/settle/settle.ts'
import { runRenewals } from '../renewals/renewals.ts'

// Piastres: a month of Pro, and of Team.
const PRO = 31_445n
const TEAM = 105_920n

let world: World
beforeAll(async () => {
  const bank = await startFakePaystack()
  world = { bank, server: await startTestServer() }
})
afterAll(async () => {
  await expectInvariants(world)
  await world.server.close()
  await world.bank.close()
})

async function egyptian(amountMinor: bigint): Promise<Person> {
  const nour = await customer(world.server, 'EGP')
  if (amountMinor > 0n) await fill(nour, amountMinor)
  return nour
}

async function fill(who: Person, amountMinor: bigint) {
  const { body } = await topUp(world.server, who, { amountMinor: Number(amountMinor), channel: 'opay' })
  const reference = String(body.reference)
  await verify(world.server, who, reference)
  return reference
}

describe('a plan in a currency without cards', () => {
  test('begins for no more than was told, and otherwise takes nothing', async () => {
    const nour = await egyptian(PRO)
    const dearer = await postSubscription(world, nour, 'checkout', {
      planCode: 'pro',
      maxMinor: Number(PRO - 1n),
    })
    expect(dearer).toMatchObject({ status: 409, body: { code: 'price_changed', chargeNowMinor: PRO } })
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO })
    expect(await billsOf(world, nour)).toEqual([])
    const told = await postSubscription(world, nour, 'checkout', { planCode: 'pro', maxMinor: Number(PRO) })
    expect(told).toMatchObject({ status: 200, body: { activated: true } })
    expect(await walletOf(world, nour)).toMatchObject({ balance: 0n })
  })

  test('begins at once, for exactly its price', async () => {
    const nour = await egyptian(PRO + 1n)
    const reply = await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    expect(reply).toMatchObject({ status: 200, body: { activated: true, subscription: { planCode: 'pro' } } })
    expect(await walletOf(world, nour)).toEqual({ balance: 1n, included: 33_100n })
    const { body } = await world.server.call<{ invoices: object[] }>('GET', '/invoices', { as: nour })
    expect(body.invoices[0]).toMatchObject({
      subject: 'checkout',
      status: 'paid',
      // Nothing is real money outside production.
      mode: 'mock',
      method: 'Wallet',
      totalMinor: PRO,
      // It was in the top-up.
      taxMinor: 0n,
      taxes: [],
    })
  })

  test('begins not at all when the wallet is short of it by one', async () => {
    const nour = await egyptian(PRO - 1n)
    const refused = await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_funds', requiredMinor: PRO } })
    expect(refused.body.error).toContain('E£314.44 free, and E£314.45 are needed')
    expect((await getSubscription(world, nour)).subscription).toBeNull()
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO - 1n })
    await fill(nour, 100n)
    expect((await postSubscription(world, nour, 'checkout', { planCode: 'pro' })).body).toMatchObject({
      activated: true,
    })
  })

  test('is paid once by two clicks', async () => {
    const nour = await egyptian(PRO * 3n)
    const clicks = [1, 2].map(() => postSubscription(world, nour, 'checkout', { planCode: 'pro' }))
    const statuses = (await Promise.all(clicks)).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO * 2n })
    expect((await billsOf(world, nour)).filter(({ status }) => status === 'paid')).toHaveLength(1)
  })

  test('is changed for the difference, and not at all without it', async () => {
    const nour = await egyptian(PRO)
    await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    const refused = await postSubscription(world, nour, 'change', { planCode: 'team' })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } })
    expect(await orgOf(world, nour)).toMatchObject({ plan: 'pro' })
    await fill(nour, TEAM)
    const changed = await postSubscription(world, nour, 'change', { planCode: 'team' })
    expect(changed).toMatchObject({ status: 200, body: { changed: true, chargedMinor: TEAM - PRO } })
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO })
  })

  test('ends with a top-up that is taken back and spent, and the rest of what it cost comes back', async () => {
    const nour = await egyptian(PRO - 5_000n)
    const [first, second] = [await fill(nour, 5_000n), await fill(nour, 2_000n)]
    await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    const takeBack = (reference: string) =>
      settlePayment(
        world.server.app,
        reference,
        { status: 'reversed', reason: 'A dispute was lost.', transactionId: null },
        'webhook',
      )
    // The wallet has that.
    await takeBack(second)
    expect(await orgOf(world, nour)).toMatchObject({ plan: 'pro', status: 'active' })
    await takeBack(first)
    expect(await orgOf(world, nour)).toMatchObject({ plan: null, status: 'canceled' })
    expect(await walletOf(world, nour)).toEqual({ balance: PRO - 5_000n, included: 0n })
  })

  test('is renewed without a card provider, falls behind when the wallet is short, and is paid when it is filled', async () => {
    const nour = await egyptian(PRO * 2n)
    await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    world.server.clock.advance({ days: 31 })
    await runRenewals(world.server.app)
    expect(await orgOf(world, nour)).toMatchObject({ plan: 'pro', status: 'active' })
    expect(await walletOf(world, nour)).toEqual({ balance: 0n, included: 33_100n })

    world.server.clock.advance({ days: 31 })
    await runRenewals(world.server.app)
    expect(await orgOf(world, nour)).toMatchObject({ status: 'past_due' })
    await fill(nour, PRO)
    const [open] = (
      await world.server.call<{ invoices: { id: string; status: string }[] }>('GET', '/invoices', {
        as: nour,
      })
    ).body.invoices.filter(({ status }) => status === 'open')
    const paid = await world.server.call('POST', `/invoices/${open?.id}/pay`, { as: nour, body: {} })
    expect(paid).toMatchObject({ status: 200, body: { paid: true } })
    expect(await orgOf(world, nour)).toMatchObject({ status: 'active' })
    expect((await invoicesOf(world, nour)).filter(({ subject }) => subject === 'renewal')).toMatchObject([
      { status: 'paid', total: PRO },
      { status: 'paid', total: PRO },
    ])
    const modes = await world.server.sql.rows`
      select distinct mode from invoices where org_id = ${nour.orgId} and subject = 'renewal'`
    expect(modes).toEqual([{ mode: 'mock' }])
  })
})
