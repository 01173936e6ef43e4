import { type FakePaystack, OTP, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { balanceOf, customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let paystack: FakePaystack
let kofi: Person
let phones = 0

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({ variables: paystack.variables })
  kofi = await customer(server, 'GHS')
})
afterEach(() => paystack.heal())
afterAll(async () => {
  await server.close()
  await paystack.close()
})

const startTopup = (channel = 'telecel_cash', key?: string) =>
  topUp(server, kofi, { amountMinor: 1234n, channel, phone: `020123${1000 + phones++}` }, key)
const newReference = async (channel?: string) => (await startTopup(channel)).body.reference
const submit = (reference: string, otp: unknown, as: Person | undefined = kofi) =>
  server.call('POST', `/wallet/topups/${reference}/otp`, { as, body: { otp } })
const submittedCodes = (reference: string) =>
  paystack.requests.filter(({ path, raw }) => path === '/charge/submit_otp' && raw.includes(reference)).length

describe('200', () => {
  test('a top-up asks for a code, accepts it, and is credited after the payment', async () => {
    const { body } = await startTopup()
    expect(body).toMatchObject({ otpRequired: true, displayText: expect.stringContaining('*110#') })
    const { reference } = body
    const reply = await submit(reference, OTP)
    expect(reply).toMatchObject({ status: 200, body: { reference, status: 'pending', mode: 'live' } })
    expect(reply.body.otpRequired).toBeUndefined()
    expect(reply.body.displayText).toMatch(/phone/)
    expect(await balanceOf(server, kofi)).toBe(0n)
    paystack.pay(reference)
    expect((await verify(server, kofi, reference)).body).toMatchObject({ creditedMinor: 1234n })
  })

  test('a code is accepted if the reply that asked for it was lost', async () => {
    paystack.fault('silent')
    const { body } = await startTopup()
    expect(body.code).toBe('rail_unavailable')
    paystack.heal()
    expect((await submit(body.reference, OTP)).status).toBe(200)
  })
})

describe('400', () => {
  test.for(['', '12', '1 2 3', '1'.repeat(13), '../../charge', 123456, null, undefined])(
    '%o is rejected without a provider call',
    async (otp) => {
      const reference = await newReference()
      expect(await submit(reference, otp)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
      expect(submittedCodes(reference)).toBe(0)
    },
  )

  test('a wrong code is refused, and the right one is accepted afterwards', async () => {
    const reference = await newReference()
    expect(await submit(reference, '000000')).toMatchObject({
      status: 400,
      body: { code: 'payment_code_refused', reference },
    })
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect((await submit(reference, OTP)).status).toBe(200)
  })
})

test('401 without credentials', async () => {
  const reply = await server.call('POST', `/wallet/topups/${await newReference()}/otp`, {
    body: { otp: OTP },
  })
  expect(reply.status).toBe(401)
})

test('402 if the wrong code ended the payment', async () => {
  const reference = await newReference()
  paystack.decline(reference)
  expect(await submit(reference, '000000')).toMatchObject({
    status: 402,
    body: { code: 'payment_refused', reference },
  })
  expect(await readPayment(server, reference)).toMatchObject({ status: 'failed' })
})

describe('404', () => {
  test('for a top-up of another organisation and an unknown one', async () => {
    const reference = await newReference()
    const stranger = await customer(server, 'GHS')
    expect(await submit(reference, OTP, stranger)).toMatchObject({ status: 404 })
    expect(await submit('tp00000000000000000000000000', OTP)).toMatchObject({ status: 404 })
    expect(await submit('..%2f..%2fcharge', OTP)).toMatchObject({ status: 404 })
    expect(submittedCodes(reference)).toBe(0)
  })
})

describe('409', () => {
  test.for(['airteltigo', 'card', 'mtn_momo'])('%s expects no code', async (channel) => {
    const reference = await newReference(channel)
    expect(await submit(reference, OTP)).toMatchObject({ status: 409, body: { code: 'code_not_expected' } })
    expect(submittedCodes(reference)).toBe(0)
  })

  test('a payment with a code and a settled payment expect no code', async () => {
    const reference = await newReference()
    await submit(reference, OTP)
    expect((await submit(reference, OTP)).status).toBe(409)
    paystack.pay(reference)
    await verify(server, kofi, reference)
    expect((await submit(reference, OTP)).status).toBe(409)
    expect(submittedCodes(reference)).toBe(1)
  })

  test('a failed payment expects no code', async () => {
    const reference = await newReference()
    paystack.decline(reference)
    await verify(server, kofi, reference)
    expect(await submit(reference, OTP)).toMatchObject({ status: 409, body: { code: 'code_not_expected' } })
    expect(submittedCodes(reference)).toBe(0)
  })
})

test('429 after five codes, without further provider calls', async () => {
  const reference = await newReference()
  const replies = await Promise.all(Array.from({ length: 9 }, () => submit(reference, '000000')))
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(4)
  expect(submittedCodes(reference)).toBe(5)
  expect((await submit(reference, OTP)).status).toBe(429)
})

test('503 while the provider does not answer, and the code can be sent again', async () => {
  const reference = await newReference()
  paystack.fault('down')
  expect(await submit(reference, OTP)).toMatchObject({
    status: 503,
    body: { code: 'rail_unavailable', reference },
  })
  paystack.heal()
  expect((await submit(reference, OTP)).status).toBe(200)
})
