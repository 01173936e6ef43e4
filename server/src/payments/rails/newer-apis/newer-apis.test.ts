// Flutterwave API v4 and Ozow's One API from the first call to the credit, beside the payments of the APIs before them.

import { type FakeFlutterwave, startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import {
  type FakeFlutterwaveV4,
  startFakeFlutterwaveV4,
} from '@cowrie/testkit/fakes/payments/flutterwave-v4.ts'
import { type FakeOzow, startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { type FakeOzowOne, startFakeOzowOne } from '@cowrie/testkit/fakes/payments/ozow-one.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type Message, postWebhook } from '@cowrie/testkit/payments/rails-world.ts'
import { balanceOf, customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Currency } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import { EgressError, fetchExternal } from '../../../platform/egress/egress.ts'
import { diagnose } from '../../doctor/doctor.ts'
import { sweepPayments } from '../../settle/sweeper.ts'
import { webhookUrl } from '../../settle/webhooks/webhook-url.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

let v4: FakeFlutterwaveV4
let v3: FakeFlutterwave
let one: FakeOzowOne
let ozow: FakeOzow
let server: TestServer

beforeAll(async () => {
  ;[v4, v3, one, ozow] = await Promise.all([
    startFakeFlutterwaveV4(),
    startFakeFlutterwave(),
    startFakeOzowOne(),
    startFakeOzow(),
  ])
  server = await startTestServer({ schedules: SCHEDULES, variables: { ...v4.variables, ...one.variables } })
})
afterEach(() => {
  for (const fake of [v4, v3, one, ozow]) fake.heal()
  // Longer than the pause of the circuit breaker.
  server.clock.advance({ seconds: 31 })
})
afterAll(async () => {
  await server.close()
  await Promise.all([v4, v3, one, ozow].map((fake) => fake.close()))
})

type Case = { channel: 'flutterwave' | 'ozow'; currency: Currency; fake: FakeFlutterwaveV4 | FakeOzowOne }
const CASES: readonly Case['channel'][] = ['flutterwave', 'ozow']
const caseOf = (channel: Case['channel']): Case =>
  channel === 'ozow' ? { channel, currency: 'ZAR', fake: one } : { channel, currency: 'NGN', fake: v4 }

const AMOUNT = 150_05n

async function started(channel: Case['channel']) {
  const { currency, fake } = caseOf(channel)
  const person = await customer(server, currency)
  const { status, body } = await topUp(server, person, { amountMinor: AMOUNT, channel })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ mode: 'live', status: 'pending', authorizationUrl: expect.any(String) })
  return { person, fake, reference: body.reference }
}

/** Signed now: Ozow's webhooks are valid for five minutes. */
function messageOf(channel: Case['channel'], reference: string): Message {
  one.setTime(server.clock.now())
  return caseOf(channel).fake.message(reference)
}

async function deliver(channel: Case['channel'], message: Message): Promise<number> {
  const { status } = await postWebhook(server, new URL(webhookUrl(server.app, channel)).pathname, message)
  await server.app.jobs.drain()
  return status
}

describe.for(CASES)('%s', (channel) => {
  test('settles once by its webhook, also when it is repeated', async () => {
    const { person, fake, reference } = await started(channel)
    fake.pay(reference)
    const message = messageOf(channel, reference)
    expect(await deliver(channel, message)).toBe(200)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await Promise.all([deliver(channel, message), deliver(channel, message)])).toEqual([200, 200])
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
    expect(await balanceOf(server, person)).toBe(AMOUNT)
  })

  test('is not credited by a webhook that is unsigned, changed or a lie', async () => {
    const { reference } = await started(channel)
    const { headers, body } = messageOf(channel, reference)
    const unsigned = { headers: { 'content-type': 'application/json' }, body }
    expect(await deliver(channel, unsigned)).toBe(401)
    expect(await deliver(channel, { headers, body: `${body} ` })).toBe(401)
    const lie = {
      id: 'wbk_1',
      type: 'charge.completed',
      data: { id: 'x', reference, merchantReference: reference, status: 'succeeded' },
    }
    expect(await deliver(channel, caseOf(channel).fake.sign(lie))).toBe(200)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test.for<[string, { amountMinor?: bigint; currency?: string }]>([
    ['a lower amount', { amountMinor: 5n }],
    ['another currency', { currency: 'USD' }],
  ])('with %s goes to review', async ([, paid]) => {
    const { person, fake, reference } = await started(channel)
    fake.pay(reference, paid)
    await deliver(channel, messageOf(channel, reference))
    expect(await readPayment(server, reference)).toMatchObject({ status: 'review' })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  test('that is declined fails, and is settled by a later payment on the same page', async () => {
    const { fake, reference } = await started(channel)
    fake.decline(reference)
    await deliver(channel, messageOf(channel, reference))
    expect(await readPayment(server, reference)).toMatchObject({ status: 'failed' })
    fake.pay(reference)
    await deliver(channel, messageOf(channel, reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('whose reply was lost is found by the sweeper', async () => {
    const { currency, fake } = caseOf(channel)
    const person = await customer(server, currency)
    fake.fault('silent')
    // Flutterwave loses the reply about the customer first, so the page is opened by a retry.
    const first = await topUp(server, person, { amountMinor: AMOUNT, channel }, 'lost')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    fake.heal()
    server.clock.advance({ seconds: 31 })
    const { reference } = first.body
    expect((await topUp(server, person, { amountMinor: AMOUNT, channel }, 'lost')).body).toMatchObject({
      reference,
    })
    fake.pay(reference)
    server.clock.advance({ seconds: 90 })
    await sweepPayments(server.app)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('that is refused or unreadable costs nothing', async () => {
    const { currency, fake } = caseOf(channel)
    const person = await customer(server, currency)
    fake.fault('reject')
    const refused = await topUp(server, person, { amountMinor: AMOUNT, channel })
    expect(refused).toMatchObject({ status: 402, body: { code: 'payment_refused' } })
    fake.heal()
    const { reference } = await started(channel)
    fake.pay(reference)
    fake.fault('garbage')
    await deliver(channel, messageOf(channel, reference))
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
  })
})

test('a refund at Flutterwave takes the money back once', async () => {
  const { person, reference } = await started('flutterwave')
  v4.pay(reference)
  await deliver('flutterwave', messageOf('flutterwave', reference))
  const refund = v4.refund(reference, 50)
  await deliver('flutterwave', refund)
  await deliver('flutterwave', refund)
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -50_00n])
  expect(await balanceOf(server, person)).toBe(AMOUNT - 50_00n)
})

test('a webhook of Ozow is refused after five minutes, and the status check finds the payment', async () => {
  const { person, reference } = await started('ozow')
  one.pay(reference)
  const message = messageOf('ozow', reference)
  server.clock.advance({ minutes: 6 })
  expect(await deliver('ozow', message)).toBe(401)
  await verify(server, person, reference)
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
})

test('PayShap is offered only with the keys of the older API', async () => {
  const person = await customer(server, 'ZAR')
  const channelsAt = async (at: TestServer) => {
    const { body } = await at.call<{ channels: { channel: string; mode: string }[] }>(
      'GET',
      '/wallet/channels',
      {
        as: person,
      },
    )
    return body.channels.filter(({ mode }) => mode === 'live').map(({ channel }) => channel)
  }
  expect(await channelsAt(server)).not.toContain('payshap')
  const withBoth = await startTestServer({
    schedules: SCHEDULES,
    url: server.url,
    clock: server.clock,
    variables: { ...v4.variables, ...one.variables, ...ozow.variables },
  })
  try {
    expect(await channelsAt(withBoth)).toEqual(expect.arrayContaining(['ozow', 'payshap']))
    expect((await topUp(withBoth, person, { amountMinor: AMOUNT, channel: 'payshap' })).status).toBe(200)
    expect(ozow.orders.at(-1)).toMatchObject({ amount: '150.05' })
  } finally {
    await withBoth.close()
  }
})

test('a payment that version 3 started is credited after the account moved to version 4', async () => {
  const before = await startTestServer({
    schedules: SCHEDULES,
    url: server.url,
    clock: server.clock,
    variables: v3.variables,
  })
  const person = await customer(before)
  const { reference } = (await topUp(before, person, { amountMinor: AMOUNT, channel: 'flutterwave' })).body
  await before.close()
  const { FLUTTERWAVE_SECRET_KEY = '', FLUTTERWAVE_BASE_URL = '' } = v3.variables
  const moved = await startTestServer({
    schedules: SCHEDULES,
    url: server.url,
    clock: server.clock,
    variables: {
      ...v4.variables,
      FLUTTERWAVE_SECRET_KEY_PREVIOUS: FLUTTERWAVE_SECRET_KEY,
      FLUTTERWAVE_BASE_URL,
    },
  })
  try {
    v3.pay(reference)
    expect((await verify(moved, person, reference)).body).toMatchObject({ creditedMinor: AMOUNT })
    expect((await topUp(moved, person, { amountMinor: AMOUNT, channel: 'flutterwave' })).status).toBe(200)
    expect(v4.orders.length).toBeGreaterThan(0)
    expect(v3.orders).toHaveLength(1)
  } finally {
    await moved.close()
  }
})

test('staff see the variables of the API in use', async () => {
  const operator = await server.person({ staff: 'operator' })
  const { body } = await server.call<{ rails: { rail: string; needs: string[] }[] }>('GET', '/admin/rails', {
    as: operator,
  })
  const needsOf = (name: string) => body.rails.find(({ rail }) => rail === name)?.needs
  expect(needsOf('flutterwave')).toEqual(['FLUTTERWAVE_CLIENT_ID', 'FLUTTERWAVE_CLIENT_SECRET'])
  expect(needsOf('ozow')).toContain('OZOW_WEBHOOK_SECRET')
  expect(needsOf('paystack')).toEqual(['PAYSTACK_SECRET_KEY'])
})

describe('the doctor', () => {
  const network = {
    fetch: ((address, request, rules) =>
      address.startsWith(server.app.config.baseUrl)
        ? Promise.reject(new EgressError('unreachable', 'no front', { sent: false }))
        : fetchExternal(address, request, rules)) as typeof fetchExternal,
    rules: { loopbackAllowed: true },
    probeMs: 30_000,
  }
  const appWith = (variables: Record<string, string>): App => ({
    ...server.app,
    config: { ...server.app.config, rails: { ...server.app.config.rails, ...variables } },
  })
  async function findingsOf(name: Case['channel'], variables: Record<string, string> = {}) {
    const { accounts } = await diagnose(appWith(variables), name, network)
    return Object.fromEntries((accounts[0]?.probes ?? []).map((each) => [each.probe, each]))
  }

  test.for(CASES)('finds healthy keys of %s and starts no payment', async (name) => {
    const { fake } = caseOf(name)
    const before = fake.orders.length
    const { token, unknown_reference, signature, account } = await findingsOf(name)
    expect([token, unknown_reference, signature]).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
    ])
    expect(account?.status).toBe(name === 'ozow' ? 'not_readable' : 'ok')
    expect(fake.orders).toHaveLength(before)
  })

  test.for<[Case['channel'], string]>([
    ['flutterwave', 'FLUTTERWAVE_CLIENT_SECRET'],
    ['ozow', 'OZOW_CLIENT_SECRET'],
    ['ozow', 'OZOW_SITE_CODE'],
  ])('names wrong keys of %s (%s)', async ([name, variable]) => {
    const { token } = await findingsOf(name, { [variable]: 'another value' })
    expect(token).toMatchObject({
      status: 'failed',
      finding: expect.stringMatching(/refused/),
      remedy: expect.stringContaining(variable),
    })
  })

  test.for<[Case['channel'], string]>([
    ['flutterwave', 'FLUTTERWAVE_CLIENT_BASE_URL'],
    ['ozow', 'OZOW_CLIENT_BASE_URL'],
  ])('names the variable of the host of %s when a page answers in its place', async ([name, variable]) => {
    caseOf(name).fake.fault('garbage')
    expect((await findingsOf(name)).token).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining(`Correct ${variable}`),
    })
  })
})
