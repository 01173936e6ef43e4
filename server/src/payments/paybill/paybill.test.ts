// Payments by hand at the M-Pesa paybill, from the account number to the credit.

import type { HandPayment } from '@cowrie/testkit/fakes/payments/daraja-paybill.ts'
import {
  answer,
  answerTo,
  casesOf,
  confirm,
  type PaybillWorld,
  pathOf,
  paymentsOf,
  post,
  showPaybill,
  startPaybillWorld,
  stateOf,
  validate,
} from '@cowrie/testkit/payments/paybill-world.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { balanceOf, customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let world: PaybillWorld
beforeAll(async () => {
  world = await startPaybillWorld()
})
afterEach(() => world.daraja.heal())
afterAll(() => world.close())

const drain = () => world.server.app.jobs.drain()
const ACCEPTED = { status: 200, body: { ResultCode: '0' } }
const refused = (ResultCode: string) => ({ status: 200, body: { ResultCode } })
const suspend = (orgId: string) =>
  world.server.sql.rows`update orgs set suspended_at = ${world.server.clock.now()} where id = ${orgId}`
const close = (orgId: string) =>
  world.server.sql.rows`update orgs set closed_at = ${world.server.clock.now()} where id = ${orgId}`

describe('the account number', () => {
  test('is created by the first call and stays the same, also for concurrent calls', async () => {
    const wanjiru = await customer(world.server, 'KES')
    const shown = await Promise.all([1, 2, 3].map(() => showPaybill(world.server, wanjiru)))
    const [first] = shown
    expect(first).toMatchObject({ status: 200, body: { paybill: '600000', mode: 'live' } })
    expect(new Set(shown.map(({ body }) => body.account))).toEqual(new Set([first?.body.account]))
    expect((await world.payer()).account).not.toBe(first?.body.account)
  })

  test('is not given to other currencies and suspended organisations', async () => {
    const none = { paybill: null, account: null, mode: null }
    expect(await showPaybill(world.server, await customer(world.server))).toMatchObject({ body: none })
    const suspended = await customer(world.server, 'KES')
    await suspend(suspended.orgId)
    expect(await showPaybill(world.server, suspended)).toMatchObject({ status: 403 })
  })
})

describe('a validation', () => {
  const pay = (account: string, amount?: string, changes?: Partial<HandPayment>) =>
    validate(world, world.daraja.paybill.pay(account, amount, changes))

  test('accepts an account number as people type it, and stores nothing', async () => {
    const { account } = await world.payer()
    const typed = ` ${account.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `
    const payment = world.daraja.paybill.pay(typed)
    expect(await validate(world, payment)).toMatchObject(ACCEPTED)
    expect(await stateOf(world, payment)).toBeNull()
  })

  test('refuses unknown accounts, amounts and shortcodes with the codes of M-Pesa', async () => {
    const { account } = await world.payer()
    expect(await pay('CW0000001')).toMatchObject(refused('C2B00012'))
    expect(await pay('')).toMatchObject(refused('C2B00012'))
    expect(await pay(account, '10.50')).toMatchObject(refused('C2B00013'))
    expect(await pay(account, '250001.00')).toMatchObject(refused('C2B00013'))
    expect(await pay(account, 'many')).toMatchObject(refused('C2B00013'))
    expect(await pay(account, '10.00', { shortcode: '600001' })).toMatchObject(refused('C2B00015'))
    expect(await post(world.server, pathOf(world.server, 'validation'), '{}')).toMatchObject(
      refused('C2B00016'),
    )
  })

  test('refuses organisations that are closed, suspended or not in shillings', async () => {
    const [closed, suspended, moved] = [await world.payer(), await world.payer(), await world.payer()]
    await close(closed.orgId)
    await suspend(suspended.orgId)
    await world.server.sql.rows`update orgs set currency = 'NGN' where id = ${moved.orgId}`
    for (const { account } of [closed, suspended, moved])
      expect(await pay(account)).toMatchObject(refused('C2B00012'))
  })

  test('accepts the payments that we started', async () => {
    const payer = await world.payer()
    await topUp(world.server, payer, { amountMinor: 1_500_00n, channel: 'mpesa', phone: '0712000001' })
    expect(await pay(world.daraja.pushes.at(-1)?.AccountReference ?? '')).toMatchObject(ACCEPTED)
  })

  test.for(['validation', 'confirmation', `result/${'0'.repeat(40)}`, `timeout/${'0'.repeat(40)}`])(
    'and %s need the secret URL and an allowed address',
    async (name) => {
      const { server, daraja } = world
      const body = daraja.paybill.notice(daraja.paybill.pay('CW0000001'))
      const path = pathOf(server, 'validation').replace('validation', name)
      const from = (address: string) =>
        server.call('POST', path, { raw: body, headers: { 'x-forwarded-for': address } })
      expect(await post(server, `/webhooks/paybill/0123abcd/${name}`, body)).toMatchObject({ status: 404 })
      expect(await from('203.0.113.9')).toMatchObject({ status: 403, body: { code: 'unlisted_address' } })
      expect(await from('127.0.0.1')).toMatchObject({ status: 200 })
    },
  )
})

describe('a confirmation', () => {
  test('is verified, and the verified payment is credited like every other', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    expect(await confirm(world, payment)).toMatchObject({ status: 200, body: { ResultCode: 0 } })
    expect(await paymentsOf(world, payment)).toEqual([])
    expect(await answer(world, payment)).toMatchObject({ status: 200, body: { ResultCode: 0 } })

    const [paid] = await paymentsOf(world, payment)
    expect(paid).toMatchObject({ orgId: payer.orgId, status: 'settled', capturedMinor: 1_500_00n })
    expect(await balanceOf(world.server, payer)).toBe(1_500_00n)
    expect((await mailsTo(world.server, payer.email)).length).toBeGreaterThan(0)
    const { body } = await world.server.call<{ topups: object[] }>('GET', '/wallet/topups', { as: payer })
    expect(body.topups).toMatchObject([
      { reference: paid?.reference, channel: 'mpesa', status: 'settled', amountMinor: 150_000n },
    ])
    const invoices = await world.server.sql.rows`select 1 from invoices where org_id = ${payer.orgId}`
    expect(invoices).toHaveLength(1)
    expect(await verify(world.server, payer, paid?.reference ?? '')).toMatchObject({
      body: { status: 'settled', creditedMinor: 0n },
    })
    expect(await casesOf(world, payment)).toEqual([])
  })

  test('that is repeated, also concurrently, gives one query and one credit', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    await Promise.all(Array.from({ length: 8 }, () => confirm(world, payment)))
    const asked = world.daraja.paybill.inquiries.filter(
      ({ TransactionID }) => TransactionID === payment.receipt,
    )
    expect(asked).toHaveLength(1)
    await Promise.all(Array.from({ length: 5 }, () => answer(world, payment)))
    await confirm(world, payment)
    await answer(world, payment)
    expect(await balanceOf(world.server, payer)).toBe(1_500_00n)
    expect(await paymentsOf(world, payment)).toHaveLength(1)
  })

  test('that contradicts the first one stops the credit', async () => {
    const [payer, thief] = [await world.payer(), await world.payer()]
    const payment = world.daraja.paybill.pay(payer.account)
    await confirm(world, payment)
    const inquiry = world.daraja.paybill.lastInquiry(payment.receipt)
    await confirm(world, { ...payment, account: thief.account })
    await answerTo(world, inquiry)
    expect(await paymentsOf(world, payment)).toEqual([])
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true }])
  })

  test('that is not readable is acknowledged, and one that is no JSON is not', async () => {
    const path = pathOf(world.server, 'confirmation')
    expect(await post(world.server, path, '{"TransID":7}')).toMatchObject({ status: 200 })
    expect(await post(world.server, path, '{"TransID":')).toMatchObject({ status: 400 })
  })

  test.for([
    ['an unknown account', 'CW0000001', '1500.00'],
    ['no account', '', '1500.00'],
    ['an amount with cents', null, '1500.50'],
  ] as const)('with %s becomes a case with the receipt', async ([, account, amount]) => {
    const payment = world.daraja.paybill.pay(account ?? (await world.payer()).account, amount)
    await confirm(world, payment)
    await answer(world, payment)
    expect(await paymentsOf(world, payment)).toEqual([])
    expect(await casesOf(world, payment)).toMatchObject([
      { isOpen: true, reference: null, summary: expect.stringContaining(payment.receipt) },
    ])
  })

  test('for a closed or suspended organisation, or another currency, becomes a case', async () => {
    const [closed, suspended, moved] = [await world.payer(), await world.payer(), await world.payer()]
    await close(closed.orgId)
    await suspend(suspended.orgId)
    await world.server.sql.rows`update orgs set currency = 'NGN' where id = ${moved.orgId}`
    for (const { account, orgId } of [closed, suspended, moved]) {
      const payment = world.daraja.paybill.pay(account)
      await confirm(world, payment)
      await answer(world, payment)
      expect(await paymentsOf(world, payment)).toEqual([])
      expect(await casesOf(world, payment)).toMatchObject([{ summary: expect.stringContaining(orgId) }])
    }
  })
})

describe('the answer to a status query', () => {
  test.for([
    ['another amount', { Amount: 15 }],
    ['another receipt', { ReceiptNo: 'RKT9999999' }],
    ['another receiver', { CreditPartyName: '600001 - Other Limited' }],
  ] as const)('with %s credits nothing and opens a case', async ([, lie]) => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    await confirm(world, payment)
    await answer(world, payment, lie)
    await answer(world, payment)
    expect(await balanceOf(world.server, payer)).toBe(0n)
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true }])
  })

  test('counts once, for the query that was sent, with its conversation', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    await confirm(world, payment)
    const inquiry = world.daraja.paybill.lastInquiry(payment.receipt)
    const forged = { ...inquiry, ResultURL: inquiry.ResultURL.replace(/[0-9a-f]{40}$/, 'f'.repeat(40)) }
    expect(await answerTo(world, forged)).toMatchObject({ status: 200 })
    await answer(world, payment, {}, { OriginatorConversationID: 'another' })
    expect(await balanceOf(world.server, payer)).toBe(0n)
    await answer(world, payment)
    await answer(world, payment)
    expect(await balanceOf(world.server, payer)).toBe(1_500_00n)
  })

  test('that does not arrive, or is a timeout, is asked for again', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    await confirm(world, payment)
    const lost = world.daraja.paybill.lastInquiry(payment.receipt)
    world.server.clock.advance({ minutes: 3 })
    await drain()
    const second = world.daraja.paybill.lastInquiry(payment.receipt)
    expect(second.ResultURL).not.toBe(lost.ResultURL)
    await post(world.server, new URL(second.QueueTimeOutURL).pathname, world.daraja.paybill.timeout(second))
    world.server.clock.advance({ minutes: 1 })
    await drain()
    await answerTo(world, lost)
    expect(await balanceOf(world.server, payer)).toBe(0n)
    await answer(world, payment)
    expect(await balanceOf(world.server, payer)).toBe(1_500_00n)
  })

  test('that never confirms the payment leads to a review with a case', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    await confirm(world, payment)
    for (let round = 0; round < 5; round++) {
      await answer(world, payment, { TransactionStatus: 'Authorized' })
      world.server.clock.advance({ minutes: 1 })
      await drain()
    }
    expect(await balanceOf(world.server, payer)).toBe(0n)
    expect(await paymentsOf(world, payment)).toMatchObject([
      { status: 'review', reason: expect.stringContaining(payment.receipt) },
    ])
    expect(await casesOf(world, payment)).toMatchObject([{ isOpen: true, reference: expect.any(String) }])
  })

  test('is asked for again after an outage of M-Pesa', async () => {
    const payer = await world.payer()
    const payment = world.daraja.paybill.pay(payer.account)
    world.daraja.fault('down')
    await confirm(world, payment)
    world.daraja.heal()
    world.server.clock.advance({ minutes: 3 })
    await drain()
    await answer(world, payment)
    expect(await balanceOf(world.server, payer)).toBe(1_500_00n)
  })
})
