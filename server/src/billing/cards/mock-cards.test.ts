// Cards without a provider key: the mock page simulates the payer and the later behaviour of the card.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasLiveCards } from '../../payments/payments.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const begin = async (as: Person): Promise<string> =>
  (await server.call<{ reference: string }>('POST', '/payment-methods', { as, body: {} })).body.reference
const decide = (reference: string, decision: string) =>
  server.call('POST', `/pay/mock/${reference}`, {
    raw: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const list = async (as: Person) =>
  (await server.call<{ paymentMethods: { last4: string }[] }>('GET', '/payment-methods', { as })).body
    .paymentMethods

test('the page offers three cards, and each is stored once', async () => {
  const ada = await server.person()
  const reference = await begin(ada)
  const page = await server.call('GET', `/pay/mock/${reference}`)
  for (const label of ['Approve', 'that is declined later', 'whose bank asks', 'Decline'])
    expect(page.text).toContain(label)
  const reply = await decide(reference, 'approved')
  expect(reply.headers.location).toBe(`/app/billing?reference=${reference}`)
  server.clock.advance({ seconds: 1 })
  await decide(await begin(ada), 'approved_then_declines')
  server.clock.advance({ seconds: 1 })
  await decide(await begin(ada), 'approved_then_asks')
  await decide(await begin(ada), 'approved')
  await decide(await begin(ada), 'declined')
  expect((await list(ada)).map(({ last4 }) => last4)).toEqual(['4081', '5408', '4796'])
  expect(hasLiveCards(server.app)).toBe(false)
})

test('a script needs no page', async () => {
  const ada = await server.person()
  const reference = await begin(ada)
  const { body } = await server.call('POST', '/wallet/verify', { as: ada, body: { reference } })
  expect(body).toMatchObject({ status: 'settled', creditedMinor: 5_000n, balanceMinor: 5_000n })
  expect(await list(ada)).toHaveLength(1)
})

test('a top-up is approved or declined and stores no card', async () => {
  const ada = await server.person()
  const body = { amountMinor: 100_000 }
  const { reference } = (await server.call<{ reference: string }>('POST', '/wallet/topup', { as: ada, body }))
    .body
  expect((await server.call('GET', `/pay/mock/${reference}`)).text).not.toContain('declined later')
  expect((await decide(reference, 'approved_then_asks')).status).toBe(400)
  expect((await decide(reference, 'approved')).status).toBe(302)
  expect(await list(ada)).toEqual([])
})

type Answer = { reference: string; code: string; authorizationUrl: string; changed: boolean }

/** A subscriber on Pro who paid with a card of this kind. */
async function subscribed(decision: string): Promise<Person> {
  const ada = await server.person()
  const body = { planCode: 'pro', interval: 'month' }
  const checkout = await server.call<Answer>('POST', '/subscription/checkout', { as: ada, body })
  await decide(checkout.body.reference, decision)
  return ada
}
const upgrade = (as: Person) =>
  server.call<Answer>('POST', '/subscription/change', { as, body: { planCode: 'team', interval: 'month' } })
const planOf = async ({ orgId }: Person) =>
  (await server.sql.one<{ plan: string }>`select plan_code as plan from orgs where id = ${orgId}`).plan

test('a good card that paid for a plan pays for a change', async () => {
  const ada = await subscribed('approved')
  expect(await upgrade(ada)).toMatchObject({ status: 200, body: { changed: true } })
  expect(await planOf(ada)).toBe('team')
})

test('a card that declines later declines, and the plan stays', async () => {
  const ada = await subscribed('approved_then_declines')
  expect(await upgrade(ada)).toMatchObject({
    ...{ status: 402, body: { code: 'card_declined', reason: 'This test card declines every charge.' } },
  })
  expect(await planOf(ada)).toBe('pro')
})

test('a challenged card is confirmed on the page, which then only asks whether to pay', async () => {
  const ada = await subscribed('approved_then_asks')
  const { status, body } = await upgrade(ada)
  expect([status, body.code]).toEqual([402, 'card_challenged'])
  expect(body.authorizationUrl).toBe(`http://cowrie.test/pay/mock/${body.reference}`)
  expect((await server.call('GET', `/pay/mock/${body.reference}`)).text).not.toContain('declined later')
  expect(await planOf(ada)).toBe('pro')
  await decide(body.reference, 'approved')
  expect(await planOf(ada)).toBe('team')
  expect((await list(ada)).map(({ last4 }) => last4)).toEqual(['4796'])
})
