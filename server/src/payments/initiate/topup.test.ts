// Top-ups over rails with keys: what a provider does to us, and what a payer then sees.

import { type FakeDaraja, startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { balanceOf, customer, readTopups, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paymentOfToken } from '../settle/webhooks/webhook-url.ts'

let server: TestServer
let replica: TestServer
let paystack: FakePaystack
let daraja: FakeDaraja

beforeAll(async () => {
  paystack = await startFakePaystack()
  daraja = await startFakeDaraja()
  const variables = { ...paystack.variables, ...daraja.variables }
  server = await startTestServer({ variables })
  replica = await startTestServer({ variables, url: server.url, clock: server.clock })
})
afterEach(() => {
  paystack.heal()
  daraja.heal()
  // A pause after silence ends, and so do the limits of the test before.
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

describe('a card', () => {
  test('is paid on the page of the provider and credited by its answer', async () => {
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

  test('that the provider refuses to take fails at once, and stays refused under its key', async () => {
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

  test('whose provider is down leaves a reference, and the same key goes on with it', async () => {
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

  test('that is refused when an earlier try may have reached the provider is asked about further', async () => {
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
    'whose provider took it and was %s is not ordered twice, and its payment still counts',
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

  test('whose first call died after the provider had answered is answered by the next the same', async () => {
    const person = await customer(server)
    const first = await topUp(server, person, CARD, 'killed')
    await forgetAnswer(person)
    expect((await topUp(replica, person, CARD, 'killed')).body.code).toBe('idempotency_in_progress')
    server.clock.advance({ minutes: 16 })
    const questions = paystack.requests.length
    const second = await topUp(replica, person, CARD, 'killed')
    expect(paystack.requests, 'nobody needs to be asked').toHaveLength(questions)
    expect(second.headers['idempotency-replayed']).toBeUndefined()
    expect(second.text).toBe(first.text)
    expect(ordersOf(first.body.reference)).toHaveLength(1)
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('that was paid before the next call took over is told as settled', async () => {
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

/** As if the process had died between what the provider said and its answer to the client. */
async function forgetAnswer({ userId }: Person, handOffToo = false): Promise<void> {
  await server.sql.rows`
    update idempotency_keys set state = 'running', status = null, body = null, finished_at = null
    where user_id = ${userId}`
  if (handOffToo)
    await server.sql.rows`update payments set hand_off = null, provider_ref = null where user_id = ${userId}`
}

describe('a phone', () => {
  test('is asked once, told so, and remembered by what the provider calls it', async () => {
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

  test('that may have rung never rings again for the same payment', async () => {
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

  test('does not ring again when the first call died, even before it kept the answer', async () => {
    const person = await customer(server, 'KES')
    const { reference } = (await topUp(server, person, MPESA, 'died')).body
    await forgetAnswer(person, true)
    server.clock.advance({ minutes: 16 })
    const second = await topUp(replica, person, MPESA, 'died')
    expect(second.body.reference).toBe(reference)
    expect(pushesOf(reference)).toHaveLength(1)
  })

  test('is asked five times in ten minutes, by whomever', async () => {
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

describe('verifying', () => {
  test.for(['down', 'silent', 'garbage'] as const)(
    'while the provider is %s is answered with how it stood',
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

  test('again and again asks the provider only so often', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    const asked = () => paystack.requests.filter(({ path }) => path.endsWith(`/verify/${reference}`)).length
    for (let i = 0; i < 8; i++)
      expect((await verify(i % 2 ? server : replica, person, reference)).status).toBe(200)
    expect(asked()).toBe(5)
    server.clock.advance({ seconds: 11 })
    await verify(server, person, reference)
    expect(asked()).toBe(6)
  })

  test('finds what was paid after we had given up', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    await server.sql.rows`update payments set status = 'expired' where reference = ${reference}`
    paystack.pay(reference)
    expect((await verify(server, person, reference)).body).toMatchObject({
      status: 'settled',
      creditedMinor: 150_050n,
    })
  })

  test('does not approve what a provider has to', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, CARD)).body
    await verify(server, person, reference)
    const { decision } = await server.sql.one<{ decision: string | null }>`
      select mock_decision as decision from payments where reference = ${reference}`
    expect(decision).toBeNull()
    expect(await balanceOf(server, person)).toBe(0n)
  })
})

describe('the browser that comes back', () => {
  test('credits nothing, whatever it says, and lets us ask soon', async () => {
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
  ])('with nothing that we know (%s) goes to the wallet', async (query) => {
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
