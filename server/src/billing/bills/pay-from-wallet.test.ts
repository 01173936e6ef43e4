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

// In piastres: a month of Pro, and of Team.
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
  test('starts for at most the accepted price, and otherwise debits nothing', async () => {
    const nour = await egyptian(PRO)
    const dearer = await postSubscription(world, nour, 'checkout', {
      planCode: 'pro',
      maxMinor: Number(PRO - 1n),
    })
    expect(dearer).toMatchObject({ status: 409, body: { code: 'price_changed', chargeNowMinor: PRO } })
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO })
    expect(await billsOf(world, nour)).toEqual([])
    const reply = await postSubscription(world, nour, 'checkout', { planCode: 'pro', maxMinor: Number(PRO) })
    expect(reply).toMatchObject({ status: 200, body: { activated: true } })
    expect(await walletOf(world, nour)).toMatchObject({ balance: 0n })
  })

  test('starts at once for exactly its price', async () => {
    const nour = await egyptian(PRO + 1n)
    const reply = await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    expect(reply).toMatchObject({ status: 200, body: { activated: true, subscription: { planCode: 'pro' } } })
    expect(await walletOf(world, nour)).toEqual({ balance: 1n, included: 33_100n })
    const { body } = await world.server.call<{ invoices: object[] }>('GET', '/invoices', { as: nour })
    expect(body.invoices[0]).toMatchObject({
      subject: 'checkout',
      status: 'paid',
      // Money is real in production only.
      mode: 'mock',
      method: 'Wallet',
      totalMinor: PRO,
      // The top-up was taxed.
      taxMinor: 0n,
      taxes: [],
    })
  })

  test('does not start if the wallet lacks one minor unit', async () => {
    const nour = await egyptian(PRO - 1n)
    const refused = await postSubscription(world, nour, 'checkout', { planCode: 'pro' })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_funds', requiredMinor: PRO } })
    expect(refused.body.error).toContain('E£314.44 available; this costs E£314.45')
    expect((await getSubscription(world, nour)).subscription).toBeNull()
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO - 1n })
    await fill(nour, 100n)
    expect((await postSubscription(world, nour, 'checkout', { planCode: 'pro' })).body).toMatchObject({
      activated: true,
    })
  })

  test('is paid once by two concurrent requests', async () => {
    const nour = await egyptian(PRO * 3n)
    const clicks = [1, 2].map(() => postSubscription(world, nour, 'checkout', { planCode: 'pro' }))
    const statuses = (await Promise.all(clicks)).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(await walletOf(world, nour)).toMatchObject({ balance: PRO * 2n })
    expect((await billsOf(world, nour)).filter(({ status }) => status === 'paid')).toHaveLength(1)
  })

  test('is changed for the difference, and not without it', async () => {
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

  test('ends with a spent top-up that is reversed, and credits the unused rest', async () => {
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
    // The wallet covers that.
    await takeBack(second)
    expect(await orgOf(world, nour)).toMatchObject({ plan: 'pro', status: 'active' })
    await takeBack(first)
    expect(await orgOf(world, nour)).toMatchObject({ plan: null, status: 'canceled' })
    expect(await walletOf(world, nour)).toEqual({ balance: PRO - 5_000n, included: 0n })
  })

  test('is renewed without a card provider, becomes past due if the wallet is short, and is paid after a top-up', async () => {
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
