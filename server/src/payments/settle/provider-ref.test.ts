// Status queries need Daraja's id of a prompt. These tests lose it, or give it to another payment.

import { type FakeDaraja, startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { customer, readTopups, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { webhookUrlFor } from './webhooks/webhook-url.ts'

let server: TestServer
let daraja: FakeDaraja
let biller: Person
let phones = 0

beforeAll(async () => {
  daraja = await startFakeDaraja()
  server = await startTestServer({
    variables: { ...daraja.variables, SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1' },
  })
  biller = await server.person({ staff: 'billing' })
})
afterEach(() => daraja.heal())
afterAll(async () => {
  await server.close()
  await daraja.close()
})

const newInput = () => ({ amountMinor: 50_000n, channel: 'mpesa', phone: `071200${1000 + phones++}` })

/** A prompt whose reply with Daraja's id was lost. */
async function lost(): Promise<{ person: Person; reference: string }> {
  const person = await customer(server, 'KES')
  daraja.fault('silent')
  const { body } = await topUp(server, person, newInput())
  expect(body.code).toBe('rail_unavailable')
  daraja.heal()
  return { person, reference: body.reference }
}

async function startTopup(): Promise<{ person: Person; reference: string }> {
  const person = await customer(server, 'KES')
  const { body } = await topUp(server, person, newInput())
  return { person, reference: body.reference }
}

/** Sends Daraja's webhook about `about` to the webhook URL of `to`. */
async function deliver(to: string, body = daraja.message(to).body): Promise<void> {
  const address = new URL(webhookUrlFor(server.app, 'daraja', to)).pathname
  expect((await server.call('POST', address, { raw: body })).status).toBe(200)
  await server.app.jobs.drain()
}

const nameOf = async (person: Person) => (await readTopups(server, person))[0]?.provider_ref

describe('a prompt without a known provider id', () => {
  test('is found by the webhook URL of its payment', async () => {
    const { person, reference } = await lost()
    expect(daraja.pushes.at(-1)?.CallBackURL).toBe(webhookUrlFor(server.app, 'daraja', reference))
    daraja.pay(reference)
    await deliver(reference)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled' })
    expect(await nameOf(person)).toMatch(/^ws_CO_/)
    await deliver(reference)
    expect(await postedAmounts(server, reference)).toEqual([50_000n])
  })

  test('fails by the same webhook URL when it was declined', async () => {
    const { reference } = await lost()
    daraja.decline(reference)
    await deliver(reference)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'failed' })
  })

  test('is not settled by the prompt of another payment', async () => {
    const paid = await startTopup()
    daraja.pay(paid.reference)
    const { person, reference } = await lost()
    await deliver(reference, daraja.message(paid.reference).body)
    expect(await nameOf(person)).toBeNull()
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('ignores an id that Daraja does not know and accepts its real id later', async () => {
    const { person, reference } = await lost()
    const { body } = daraja.message(reference)
    await deliver(reference, body.replace(/ws_CO_\d+/, 'ws_CO_made_up'))
    expect(await nameOf(person)).toBeNull()
    daraja.pay(reference)
    await deliver(reference)
    expect(await postedAmounts(server, reference)).toEqual([50_000n])
  })

  test('keeps its id, whichever webhook arrives at its URL', async () => {
    const { person, reference } = await startTopup()
    const name = await nameOf(person)
    const other = await lost()
    daraja.pay(other.reference)
    await deliver(reference, daraja.message(other.reference).body)
    expect(await nameOf(person)).toBe(name)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
  })
})

describe('a provider id of another payment', () => {
  test('is not stored twice: the second payment goes to review', async () => {
    const first = await startTopup()
    const name = present(await nameOf(first.person), 'the first has a name')
    const person = await customer(server, 'KES')
    const pushed = { ResponseCode: '0', MerchantRequestID: '1', CheckoutRequestID: name }
    daraja.loopback.scriptedReplies.push({ status: 200, body: pushed })
    const { status, body } = await topUp(server, person, newInput(), 'same-name')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'review', displayText: expect.stringContaining('staff') })
    daraja.pay(first.reference)
    await deliver(first.reference)
    expect(await postedAmounts(server, first.reference)).toEqual([50_000n])
    expect(await postedAmounts(server, body.reference)).toEqual([])
    expect(await readPayment(server, body.reference)).toMatchObject({ status: 'review' })
    const mails = await mailsTo(server, biller.email)
    expect(mails.filter(({ text }) => text.includes(body.reference))).toHaveLength(1)
  })
})
