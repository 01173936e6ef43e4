// Stored cards, from the request of the owner to the webhook of the provider.

import { useReplicas } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { TestCard } from '@cowrie/testkit/fakes/payments/paystack-cards.ts'
import type { Person, Reply, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paymentChecks } from '../../payments/payments.ts'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
import { runChecks, walletChecks } from '../../wallet/wallet.ts'

let bank: FakePaystack
let server: TestServer
let second: TestServer

const world = useReplicas({ variables: { SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' } })
beforeAll(() => {
  ;({ bank, server, second } = world)
})
afterEach(() => bank.heal())

type Card = { id: string; last4: string; isDefault: boolean; expired: boolean; expYear: number; bank: string }
type Begun = { reference: string; authorizationUrl: string; amountMinor: bigint; currency: string }

const begin = (as: Person, key?: string): Promise<Reply<Begun>> =>
  server.call<Begun>('POST', '/payment-methods', {
    as,
    body: {},
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const list = async (as: Person): Promise<Card[]> =>
  (await server.call<{ paymentMethods: Card[] }>('GET', '/payment-methods', { as })).body.paymentMethods
const cardSummaries = async (as: Person) =>
  (await list(as)).map(({ last4, isDefault }) => (isDefault ? `${last4}!` : last4))

/** Adds a card as a customer does: page, payment, webhook. */
async function add(as: Person, card: Partial<TestCard> = {}): Promise<string> {
  const { body } = await begin(as)
  bank.cards.payWith(body.reference, card)
  await sendWebhook(body.reference)
  server.clock.advance({ seconds: 1 })
  return body.reference
}
async function sendWebhook(reference: string, on = server): Promise<void> {
  const { headers, body } = bank.message(reference)
  expect((await on.call('POST', '/webhooks/card_provider', { headers, raw: body })).status).toBe(200)
  await on.app.jobs.drain()
}
const idOf = async (as: Person, last4: string): Promise<string> =>
  (await list(as)).find((card) => card.last4 === last4)?.id ?? 'none'
const makeDefault = (as: Person, id: string, on = server) =>
  on.call('POST', `/payment-methods/${id}/default`, { as, body: {} })
const remove = (as: Person, id: string, on = server) => on.call('DELETE', `/payment-methods/${id}`, { as })

describe('a card', () => {
  test('is stored when its payment settles, and the wallet is credited with an invoice and a mail', async () => {
    const ada = await server.person()
    const { status, body } = await begin(ada)
    expect(status).toBe(200)
    expect(body).toMatchObject({ amountMinor: 5_000n, currency: 'NGN' })
    expect(body.authorizationUrl).toBe(`https://checkout.paystack.com/${body.reference}`)
    expect(await list(ada)).toEqual([])
    bank.cards.payWith(body.reference, {})
    const back = await server.call('GET', '/pay/return', { query: { topup: body.reference } })
    expect(back.headers.location).toBe(`/app/billing?reference=${body.reference}`)
    await sendWebhook(body.reference)
    expect(await list(ada)).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        ...{ brand: 'Visa', last4: '4081', expMonth: 12, expYear: 2030, bank: 'TEST BANK', isDefault: true },
        ...{ createdAt: server.clock.now().toISOString(), expired: false },
      },
    ])
    expect(await postedAmounts(server, body.reference)).toEqual([5_000n])
    expect(
      await server.sql
        .one`select subject, status, total_minor as total, method from invoices where org_id = ${ada.orgId}`,
    ).toEqual({ subject: 'card', status: 'paid', total: 5_000n, method: 'Visa ending in 4081' })
    const [mail] = await mailsTo(server, ada.email)
    expect(mail).toMatchObject({
      subject: 'Your card ending in 4081 was added',
      text: expect.stringContaining('₦50.00, which is now in your wallet'),
    })
  })

  test('is stored once, even if its payment is reported several times', async () => {
    const ada = await server.person()
    const { body } = await begin(ada)
    bank.cards.payWith(body.reference)
    await Promise.all([
      sendWebhook(body.reference),
      sendWebhook(body.reference, second),
      sweepPayments(server.app),
    ])
    await sendWebhook(body.reference)
    expect(await cardSummaries(ada)).toEqual(['4081!'])
    expect(await postedAmounts(server, body.reference)).toEqual([5_000n])
  })

  test('that is added again replaces itself, with its new expiry', async () => {
    const ada = await server.person()
    await add(ada, { expYear: '2027' })
    const [before] = await list(ada)
    await add(ada, { expYear: '2031' })
    expect(await list(ada)).toEqual([{ ...before, expYear: 2031 }])
  })

  test('becomes the default if it is the first, or if the default has expired', async () => {
    const ada = await server.person()
    await add(ada, { last4: '1111', expYear: '2026', expMonth: '12' })
    await add(ada, { last4: '2222' })
    expect(await cardSummaries(ada)).toEqual(['1111!', '2222'])
    await server.sql.rows`update cards set exp_year = 2025 where org_id = ${ada.orgId} and last4 = '1111'`
    expect((await list(ada))[0]).toMatchObject({ last4: '1111', expired: true })
    await add(ada, { last4: '3333' })
    expect(await cardSummaries(ada)).toEqual(['3333!', '1111', '2222'])
  })

  test('that is not reusable is not stored, and its owner is notified', async () => {
    const ada = await server.person()
    const reference = await add(ada, { reusable: false })
    expect(await list(ada)).toEqual([])
    expect(await postedAmounts(server, reference)).toEqual([5_000n])
    expect(await mailsTo(server, ada.email)).toMatchObject([
      {
        subject: 'Your card was not added',
        text: expect.stringContaining('does not allow repeated charges'),
      },
    ])
  })

  test('above the limit is not stored, and its money stays in the wallet', async () => {
    const ada = await server.person()
    await add(ada)
    await server.sql.rows`
      insert into cards (id, org_id, user_id, rail, mode, authorization_sealed, fingerprint, email, brand, last4,
                         exp_month, exp_year, is_default, created_at)
      select 'pm_' || ${ada.orgId} || n, org_id, user_id, rail, mode, authorization_sealed, n::text, email, brand, last4,
             exp_month, exp_year, false, created_at from cards, generate_series(1, 9) n where org_id = ${ada.orgId}`
    const reference = await add(ada, { last4: '9999' })
    expect(await list(ada)).toHaveLength(10)
    expect(await postedAmounts(server, reference)).toEqual([5_000n])
    expect((await mailsTo(server, ada.email))[0]?.text).toContain('already has 10 cards')
    await add(ada, { expYear: '2035' })
    expect((await list(ada))[0]).toMatchObject({ expYear: 2035 })
  })

  test('is started once by a retry with the same key', async () => {
    const ada = await server.person()
    const [first, again] = [await begin(ada, 'add-my-card'), await begin(ada, 'add-my-card')]
    expect(again.body).toEqual(first.body)
    expect(await server.sql.rows`select reference from payments where org_id = ${ada.orgId}`).toHaveLength(1)
  })

  test('is added by owners only, and only in currencies with card payments', async () => {
    const ada = await server.person({ type: 'team' })
    const admin = await server.member(ada.orgId, 'admin')
    expect((await begin(admin)).status).toBe(403)
    await add(ada)
    const id = await idOf(ada, '4081')
    expect((await makeDefault(admin, id)).status).toBe(403)
    expect((await remove(admin, id)).status).toBe(403)
    expect(await cardSummaries(admin)).toEqual(['4081!'])
    const nour = await server.person()
    await server.sql.rows`update orgs set currency = 'EGP' where id = ${nour.orgId}`
    expect(await begin(nour)).toMatchObject({
      ...{
        status: 400,
        body: { code: 'channel_not_available', channels: expect.arrayContaining(['fawry']) },
      },
    })
  })
})

describe('the default card', () => {
  test('is unique under concurrent changes on two replicas', async () => {
    const ada = await server.person()
    for (const last4 of ['1001', '1002', '1003', '1004']) await add(ada, { last4 })
    const cards = await list(ada)
    const changes = cards.flatMap(({ id }, place) => [
      makeDefault(ada, id, place % 2 ? server : second),
      makeDefault(ada, id, place % 2 ? second : server),
    ])
    const removals = cards.slice(0, 2).flatMap(({ id }) => [remove(ada, id), remove(ada, id, second)])
    const replies = await Promise.all([...changes, ...removals])
    expect(replies.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect(replies.slice(-4).filter(({ status }) => status === 200)).toHaveLength(2)
    const remaining = await list(ada)
    expect(remaining).toHaveLength(2)
    expect(remaining.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('passes to the newest unexpired card', async () => {
    const ada = await server.person()
    for (const [last4, expYear] of [
      ['1001', '2030'],
      ['1002', '2030'],
      ['1003', '2025'],
    ] as const)
      await add(ada, { last4, expYear })
    expect(await remove(ada, await idOf(ada, '1001'))).toMatchObject({ status: 200, body: { ok: true } })
    expect(await cardSummaries(ada)).toEqual(['1002!', '1003'])
    await remove(ada, await idOf(ada, '1002'))
    expect(await cardSummaries(ada)).toEqual(['1003!'])
    await remove(ada, await idOf(ada, '1003'))
    expect(await list(ada)).toEqual([])
  })

  test('of another organisation is not found', async () => {
    const [ada, eve] = [await server.person(), await server.person()]
    await add(ada)
    const id = await idOf(ada, '4081')
    expect((await makeDefault(eve, id)).status).toBe(404)
    expect((await remove(eve, id)).status).toBe(404)
    expect((await makeDefault(ada, 'pm_nonsense')).status).toBe(404)
    expect(await cardSummaries(ada)).toEqual(['4081!'])
  })
})

describe('a removed card', () => {
  const sealedOf = async ({ orgId }: Person) =>
    (
      await server.sql.one<{ sealed: string }>`
      select authorization_sealed as sealed from cards where org_id = ${orgId} and removed_at is not null`
    ).sealed

  test('is deleted at the provider and here once the provider is reachable', async () => {
    const ada = await server.person()
    await add(ada, { last4: '7001' })
    const forgotten = bank.cards.deactivated.size
    bank.fault('down')
    await remove(ada, await idOf(ada, '7001'))
    await server.app.jobs.drain()
    expect(bank.cards.deactivated.size).toBe(forgotten)
    expect(await sealedOf(ada)).not.toBe('')
    bank.heal()
    server.clock.advance({ minutes: 1 })
    await server.app.jobs.drain()
    expect(bank.cards.deactivated.size).toBe(forgotten + 1)
    expect(await sealedOf(ada)).toBe('')
  })

  test('that was added again in the meantime keeps working', async () => {
    const ada = await server.person()
    await add(ada, { last4: '7002' })
    const forgotten = bank.cards.deactivated.size
    await server.call('DELETE', `/payment-methods/${await idOf(ada, '7002')}`, { as: ada })
    const { body } = await begin(ada)
    bank.cards.payWith(body.reference, { last4: '7002' })
    await server.call('POST', '/wallet/verify', { as: ada, body: { reference: body.reference } })
    await server.app.jobs.drain()
    expect(await cardSummaries(ada)).toEqual(['7002!'])
    expect(bank.cards.deactivated.size).toBe(forgotten)
    expect(await sealedOf(ada)).toBe('')
  })
})

test('the authorization of a card is in no reply, log, audit entry, mail or row', async () => {
  const ada = await server.person()
  const first = await begin(ada)
  bank.cards.payWith(first.body.reference, { last4: '6001' })
  await sendWebhook(first.body.reference)
  await add(ada, { last4: '6002' })
  const replies = [
    first,
    await server.call('GET', '/payment-methods', { as: ada }),
    await makeDefault(ada, await idOf(ada, '6002')),
    await remove(ada, await idOf(ada, '6001')),
    await server.call('GET', '/wallet/ledger', { as: ada }),
    await server.call('POST', '/wallet/verify', { as: ada, body: { reference: first.body.reference } }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  const mails = await mailsTo(server, ada.email)
  const rows = await Promise.all([
    server.sql.rows`select row_to_json(a)::text as row from audit_entries a where org_id = ${ada.orgId}`,
    server.sql.rows`select row_to_json(c)::text as row from cards c where org_id = ${ada.orgId}`,
    server.sql.rows`select row_to_json(p)::text as row from payments p where org_id = ${ada.orgId}`,
    server.sql.rows`select row_to_json(j)::text as row from jobs j`,
    server.sql.rows`select convert_from(raw, 'UTF8') as row from payment_events`,
  ])
  const all = JSON.stringify([replies.map(({ text }) => text), server.logged, mails, rows])
  expect(all).toContain('6002')
  expect(all).toContain('paymentMethods.store')
  expect(all).not.toMatch(/AUTH_\d+_secret|SIG_\d+_secret/)
})

test('all invariants hold after these tests', async () => {
  const results = await runChecks(server.app, [...walletChecks, ...paymentChecks])
  expect(results.filter(({ ok }) => !ok)).toEqual([])
})
