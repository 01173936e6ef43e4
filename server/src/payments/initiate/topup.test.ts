// Top-ups with live rails: behaviour of the provider and the reply to the payer.

import { type FakeDaraja, startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { balanceOf, customer, readTopups, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paymentOfToken } from '../settle/webhooks/webhook-url.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

let server: TestServer
let replica: TestServer
let paystack: FakePaystack
let daraja: FakeDaraja

beforeAll(async () => {
  paystack = await startFakePaystack()
  daraja = await startFakeDaraja()
  const variables = { ...paystack.variables, ...daraja.variables }
  server = await startTestServer({ schedules: SCHEDULES, variables })
  replica = await startTestServer({ schedules: SCHEDULES, variables, url: server.url, clock: server.clock })
})
afterEach(() => {
  paystack.heal()
  daraja.heal()
  // Ends the circuit breaker pause and the limits of the previous test.
  server.clock.advance({ minutes: 11 })
})
afterAll(async () => {
  await replica.close()
  await server.close()
  await paystack.close()
  await daraja.close()
})

const CARD = { amountMinor: 150_050n }
const MPESA = { amountMinor: 20_000n, channel: 'mpesa', phone: '0712345678' }
const ordersOf = (reference: string) => paystack.orders.filter((order) => order.reference === reference)
const pushesOf = (reference: string) =>
  daraja.pushes.filter(({ AccountReference }) => reference.endsWith(AccountReference))

describe('a card top-up', () => {
  test('is paid on the page of the provider and credited by its status reply', async () => {
    const person = await customer(server)
    const { status, body } = await topUp(server, person, CARD)
    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'live', status: 'pending' })
    expect(body.authorizationUrl).toBe(`https://checkout.paystack.com/${body.reference}`)
    expect(ordersOf(body.reference)).toMatchObject([{ amount: '150050', currency: 'NGN' }])

    expect((await verify(server, person, body.reference)).body).toMatchObject({
      status: 'pending',
      creditedMinor: 0n,
    })
    paystack.pay(body.reference)
    expect((await verify(server, person, body.reference)).body).toMatchObject({
      status: 'settled',
      creditedMinor: 150_050n,
      balanceMinor: 150_050n,
      mode: 'live',
    })
    expect(await balanceOf(server, person)).toBe(150_050n)
  })

  test('that the provider refuses fails immediately and stays failed for its key', async () => {
    const person = await customer(server)
    paystack.fault('reject')
    const first = await topUp(server, person, CARD, 'refused')
    expect(first).toMatchObject({ status: 402, body: { code: 'payment_refused' } })
    expect(first.body.reason).toBeTruthy()
    expect(await readTopups(server, person)).toMatchObject([{ status: 'failed', next_check_at: null }])
    paystack.heal()
    expect((await topUp(server, person, CARD, 'refused')).text).toBe(first.text)
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('whose provider is down keeps its reference for a retry with the same key', async () => {
    const person = await customer(server)
    paystack.fault('down')
    const first = await topUp(server, person, CARD, 'down')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    expect(first.headers['retry-after']).toBe('5')
    expect(await readTopups(server, person)).toMatchObject([{ status: 'pending', hand_off: null }])
    paystack.heal()
    const second = await topUp(replica, person, CARD, 'down')
    expect(second).toMatchObject({ status: 200, body: { reference: first.body.reference } })
    expect(second.body.authorizationUrl).toBeTruthy()
    expect(ordersOf(first.body.reference)).toHaveLength(1)
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('that is refused after an uncertain attempt is still checked', async () => {
    const person = await customer(server)
    paystack.fault('down')
    await topUp(server, person, CARD, 'reached')
    paystack.fault('reject')
    expect(await topUp(server, person, CARD, 'reached')).toMatchObject({ status: 402 })
    paystack.heal()
    expect(await readTopups(server, person)).toMatchObject([
      { status: 'failed', next_check_at: expect.any(Date) },
    ])
  })

  test.for(['silent', 'garbage'] as const)(
    'that was accepted with a %s reply is not started twice and is still credited',
    async (kind) => {
      const person = await customer(server)
      paystack.fault(kind)
      const first = await topUp(server, person, CARD, 'lost')
      expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
      paystack.heal()
      const { reference } = first.body
      const second = await topUp(server, person, CARD, 'lost')
      expect(second).toMatchObject({ status: 200, body: { reference, status: 'pending' } })
      expect(second.body.displayText).toMatch(/already/)
      expect(ordersOf(reference)).toHaveLength(1)
      paystack.pay(reference)
      expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 150_050n })
      expect(await balanceOf(server, person)).toBe(150_050n)
    },
  )

  test('that crashed after the provider answered gets the same reply on retry', async () => {
    const person = await customer(server)
    const first = await topUp(server, person, CARD, 'killed')
    await forgetAnswer(person)
    expect((await topUp(replica, person, CARD, 'killed')).body.code).toBe('idempotency_in_progress')
    server.clock.advance({ minutes: 16 })
    const questions = paystack.requests.length
    const second = await topUp(replica, person, CARD, 'killed')
    expect(paystack.requests, 'no provider query is needed').toHaveLength(questions)
    expect(second.headers['idempotency-replayed']).toBeUndefined()
    expect(second.text).toBe(first.text)
    expect(ordersOf(first.body.reference)).toHaveLength(1)
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('that was paid before the retry is reported as settled', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD, 'paid')).body
    paystack.pay(reference)
    await verify(server, person, reference)
    await forgetAnswer(person)
    server.clock.advance({ minutes: 16 })
    expect((await topUp(server, person, CARD, 'paid')).body).toMatchObject({ reference, status: 'settled' })
    expect(await balanceOf(server, person)).toBe(150_050n)
  })
})

/** Simulates a crash between the provider's answer and our reply. */
async function forgetAnswer({ userId }: Person, handOffToo = false): Promise<void> {
  await server.sql.rows`
    update idempotency_keys set state = 'running', status = null, body = null, finished_at = null
    where user_id = ${userId}`
  if (handOffToo)
    await server.sql.rows`update payments set hand_off = null, provider_ref = null where user_id = ${userId}`
}

describe('a push prompt', () => {
  test("is sent once and stored with the provider's id", async () => {
    const person = await customer(server, 'KES')
    const { status, body } = await topUp(server, person, MPESA)
    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'live', displayText: expect.stringContaining('678') })
    expect(body.authorizationUrl).toBeUndefined()
    expect(pushesOf(body.reference)).toMatchObject([{ PhoneNumber: '254712345678', Amount: 200 }])
    const token = pushesOf(body.reference)[0]?.CallBackURL.split('/').at(-1) ?? ''
    expect(paymentOfToken(server.app, token)).toBe(body.reference)
    expect((await readTopups(server, person))[0]?.provider_ref).toMatch(/^ws_CO_/)
    daraja.pay(body.reference)
    expect((await verify(server, person, body.reference)).body).toMatchObject({ creditedMinor: 20_000n })
  })

  test('is explained in the language of the payer, and a retry gets the stored reply', async () => {
    const person = await customer(server, 'KES')
    const start = (key: string, language: string) =>
      server.call('POST', '/wallet/topup', {
        as: person,
        body: MPESA,
        headers: { 'idempotency-key': key, 'accept-language': language },
      })
    const first = await start('sw', 'sw-KE')
    expect(first.body).toMatchObject({
      displayText: 'Weka PIN yako ya M-Pesa kwenye simu inayoishia na 678 ili kulipa KSh200.00.',
    })
    const retried = await start('sw', 'fr')
    expect(retried.text).toBe(first.text)
    expect(pushesOf(String(first.body.reference))).toHaveLength(1)
    const refused = await server.call('POST', '/wallet/topup', {
      as: person,
      body: { ...MPESA, phone: '12', amountMinor: 1n },
      headers: { 'accept-language': 'fr' },
    })
    expect(refused.body.fields).toMatchObject([
      { path: 'amountMinor', message: expect.stringMatching(/^doit être entre 300 \(KSh3,00\) et /) },
      { path: 'phone', message: expect.stringMatching(/^doit être un numéro de téléphone comme/) },
    ])
  })

  test('that may have been sent is never sent again for the same payment', async () => {
    const person = await customer(server, 'KES')
    daraja.fault('silent')
    const first = await topUp(server, person, MPESA, 'ring')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    daraja.heal()
    const second = await topUp(server, person, MPESA, 'ring')
    expect(second).toMatchObject({ status: 200, body: { reference: first.body.reference } })
    expect(second.body.displayText).toMatch(/may have been asked/)
    expect(pushesOf(first.body.reference)).toHaveLength(1)
  })

  test('is not sent again after a crash, even before the answer was stored', async () => {
    const person = await customer(server, 'KES')
    const { reference } = (await topUp(server, person, MPESA, 'died')).body
    await forgetAnswer(person, true)
    server.clock.advance({ minutes: 16 })
    const second = await topUp(replica, person, MPESA, 'died')
    expect(second.body.reference).toBe(reference)
    expect(pushesOf(reference)).toHaveLength(1)
  })

  test('is limited to five per phone in ten minutes, across organisations', async () => {
    const people = [await customer(server, 'KES'), await customer(server, 'KES')] as const
    const phone = '0722000111'
    const ask = (person: Person) => topUp(server, person, { ...MPESA, phone })
    for (let i = 0; i < 5; i++) expect((await ask(people[i % 2 === 0 ? 0 : 1])).status).toBe(200)
    const pushes = daraja.pushes.length
    const refused = await topUp(server, people[0], { ...MPESA, phone: '+254 722 000 111' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(daraja.pushes).toHaveLength(pushes)
    expect((await topUp(server, people[0], { ...MPESA, phone: '0722000112' })).status).toBe(200)
    server.clock.advance({ minutes: 10, seconds: 1 })
    expect((await ask(people[0])).status).toBe(200)
  })
})

describe('verify', () => {
  test.for(['down', 'silent', 'garbage'] as const)(
    'returns the stored status while the provider is %s',
    async (kind) => {
      const person = await customer(server)
      const { reference } = (await topUp(server, person, CARD)).body
      paystack.pay(reference)
      paystack.fault(kind)
      expect(await verify(server, person, reference)).toMatchObject({
        status: 200,
        body: { status: 'pending', creditedMinor: 0n, balanceMinor: 0n },
      })
      paystack.heal()
      expect((await verify(server, person, reference)).body).toMatchObject({ status: 'settled' })
    },
  )

  test('limits the number of provider queries', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    const queryCount = () =>
      paystack.requests.filter(({ path }) => path.endsWith(`/verify/${reference}`)).length
    for (let i = 0; i < 8; i++)
      expect((await verify(i % 2 ? server : replica, person, reference)).status).toBe(200)
    expect(queryCount()).toBe(5)
    server.clock.advance({ seconds: 11 })
    await verify(server, person, reference)
    expect(queryCount()).toBe(6)
  })

  test('finds a payment that was paid after it expired', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    await server.sql.rows`update payments set status = 'expired' where reference = ${reference}`
    paystack.pay(reference)
    expect((await verify(server, person, reference)).body).toMatchObject({
      status: 'settled',
      creditedMinor: 150_050n,
    })
  })

  test('does not approve a live payment', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    await verify(server, person, reference)
    const { decision } = await server.sql.one<{ decision: string | null }>`
      select mock_decision as decision from payments where reference = ${reference}`
    expect(decision).toBeNull()
    expect(await balanceOf(server, person)).toBe(0n)
  })
})

describe('the returning browser', () => {
  test('credits nothing and schedules a check', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    const reply = await server.call('GET', '/pay/return', {
      query: { topup: reference, status: 'success', trxref: reference, reference },
    })
    expect(reply.status).toBe(302)
    expect(reply.headers.location).toBe(`/app/wallet?reference=${reference}`)
    expect(await balanceOf(server, person)).toBe(0n)
    const [row] = await readTopups(server, person)
    expect(row).toMatchObject({ status: 'pending', next_check_at: server.clock.now() })
  })

  test.for([
    '',
    '?topup=',
    '?topup=//evil.example',
    '?topup[a]=1',
    `?topup=${'x'.repeat(40)}`,
    '?reference=tpabc&reference=tpabd',
    '?topup=%0d%0aset-cookie:a=b',
  ])('with an unknown reference (%s) is redirected to the wallet', async (query) => {
    const reply = await server.call('GET', `/pay/return${query}`)
    expect(reply.status).toBe(302)
    expect(reply.headers.location).toBe('/app/wallet')
  })
})

test('a payment over a live rail has no mock page', async () => {
  const person = await customer(server)
  const { reference } = (await topUp(server, person, CARD)).body
  expect((await server.call('GET', `/pay/mock/${reference}`)).status).toBe(404)
  const decided = await server.call('POST', `/pay/mock/${reference}`, {
    raw: 'decision=approved',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(decided.status).toBe(404)
  expect(await balanceOf(server, person)).toBe(0n)
})
