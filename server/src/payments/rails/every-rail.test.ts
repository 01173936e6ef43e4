// Every channel from the first call to the credit, against the fake of its provider.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { eventsOf, mailsTo, postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import {
  ONE_PER_CHANNEL,
  OTHER_MARKETS,
  RAIL_CASES,
  type RailCase,
} from '@cowrie/testkit/payments/rail-cases.ts'
import {
  type Message,
  newPhone,
  type Provider,
  type ProviderName,
  postWebhook,
  startWorld,
  type World,
  webhookPathsOf,
} from '@cowrie/testkit/payments/rails-world.ts'
import {
  balanceOf,
  customer,
  type ResultBody,
  topUp,
  verify,
} from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { type ChannelName, channelByName, channels, railsOf } from '../channels.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { sweepPayments } from '../settle/sweeper.ts'
import { paymentByReference } from '../sql/payments.ts'
import { accountsOf } from './accounts.ts'
import { createHttpClient } from './http-client.ts'

const railOf = (channel: ChannelName): ProviderName => channelByName(channel).rail
/** The first channel of each provider. Its rail is the same for all channels and currencies. */
const oneOfEachRail = ONE_PER_CHANNEL.filter(
  ([channel]) => channel === ONE_PER_CHANNEL.find(([other]) => railOf(other) === railOf(channel))?.[0],
)
/** Currencies without decimals, or with decimals that the provider does not support. */
const WITHOUT_DECIMALS: readonly string[] = ['XOF', 'TZS']

const SETTLED = isSoak
  ? RAIL_CASES
  : RAIL_CASES.filter(
      (each) =>
        ONE_PER_CHANNEL.includes(each) ||
        each ===
          RAIL_CASES.findLast(([, currency]) => currency === each[1] && WITHOUT_DECIMALS.includes(currency)),
    )
/** Repeated webhooks at once. */
const REPEATED = rounds(3, 5)
/** The soak test runs every channel, `npm test` one per provider. */
const TRIED = isSoak ? ONE_PER_CHANNEL : oneOfEachRail

let home: World
let server: TestServer
let biller: Person

beforeAll(async () => {
  home = await startWorld()
  server = home.server
  biller = await server.person({ staff: 'billing' })
})
afterEach(() => {
  home.heal()
  // Longer than the pause of the circuit breaker.
  server.clock.advance({ seconds: 31 })
})
afterAll(() => home.close())

type StartedTopup = {
  person: Person
  reference: string
  body: ResultBody
  rail: ProviderName
  provider: Provider
}

const providerOf = (channel: ChannelName, world = home): Provider => world.providers[railOf(channel)]

/** Every provider of the channel has the fault. */
function faultAll([channel, currency]: RailCase, kind: Parameters<Provider['fake']['fault']>[0]): void {
  for (const rail of railsOf(channelByName(channel), currency)) home.providers[rail].fake.fault(kind)
}

/** A top-up of a customer of this currency, equal for every retry. */
async function newTopup([channel, currency, amountMinor]: RailCase, on = server) {
  const phone = channelByName(channel).needsPhone ? newPhone(currency) : undefined
  return { person: await customer(on, currency), input: { amountMinor, channel, ...(phone && { phone }) } }
}

async function startedTopup(railCase: RailCase, world = home): Promise<StartedTopup> {
  const { person, input } = await newTopup(railCase, world.server)
  const { status, body } = await topUp(world.server, person, input)
  expect(
    status,
    JSON.stringify(body, (_, value) => String(value)),
  ).toBe(200)
  const [channel] = railCase
  return {
    person,
    reference: body.reference,
    body,
    rail: railOf(channel),
    provider: providerOf(channel, world),
  }
}

/** Sends the webhook to every URL of the provider and runs the jobs. */
async function deliver(world: World, rail: ProviderName, message: Message): Promise<void> {
  for (const address of webhookPathsOf(world, rail))
    expect((await postWebhook(world.server, address, message)).status, address).toBe(200)
  await world.server.app.jobs.drain()
}

async function settlesOnce(railCase: RailCase, world: World): Promise<void> {
  const [channel, currency, amountMinor, providerAmount] = railCase
  const { person, reference, body, rail, provider } = await startedTopup(railCase, world)
  const { server, providers } = world
  expect(body).toMatchObject({ mode: 'live', status: 'pending' })
  expect([!!body.authorizationUrl, !!body.ussdCode, !!body.displayText]).toEqual(HANDED[channel])
  expect(provider.fake.orders.at(-1)).toMatchObject({ amount: providerAmount, currency })
  expect(reference.endsWith(provider.fake.orders.at(-1)?.reference ?? 'nobody')).toBe(true)

  provider.fake.pay(reference)
  const message = providers[rail].fake.message(reference)
  await deliver(world, rail, message)
  const { body: list } = await server.call('GET', '/wallet/topups', { as: person })
  expect(list).toMatchObject({ topups: [{ reference, status: 'settled', amountMinor, currency, channel }] })
  expect(await postedAmounts(server, reference)).toEqual([amountMinor])
  expect(await balanceOf(server, person)).toBe(amountMinor)

  // Once per channel: the rest does not depend on the currency.
  if (!ONE_PER_CHANNEL.includes(railCase)) return
  const [address = ''] = webhookPathsOf(world, rail)
  const again = await Promise.all(
    Array.from({ length: REPEATED }, () => postWebhook(server, address, message)),
  )
  expect(again.map(({ status }) => status)).toEqual(again.map(() => 200))
  await server.app.jobs.drain()
  expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
  expect(await postedAmounts(server, reference)).toEqual([amountMinor])
}

/** The instructions contain a page, a code or a text. */
const HANDED: Readonly<Record<ChannelName, readonly [boolean, boolean, boolean]>> = {
  card: [true, false, false],
  ussd: [false, true, true],
  opay: [true, false, false],
  palmpay: [true, false, false],
  mpesa: [false, false, true],
  mtn_momo: [false, false, true],
  ozow: [true, false, false],
  fawry: [false, false, true],
  telecel_cash: [false, false, true],
  airteltigo: [false, false, true],
  payshap: [true, false, false],
  flutterwave: [true, false, false],
}

describe('paid in full', () => {
  test('the cases cover every channel and currency', () => {
    const tried = [...RAIL_CASES, ...OTHER_MARKETS.flatMap(([, ...cases]) => cases)]
    const offered = channels.flatMap(({ name, ranges }) => Object.keys(ranges).map((key) => `${name} ${key}`))
    expect(tried.map(([channel, currency]) => `${channel} ${currency}`).sort()).toEqual(offered.sort())
  })

  test.for(SETTLED)('%s in %s settles once by the webhook of its provider', (railCase) =>
    settlesOnce(railCase, home),
  )

  test.for(isSoak ? OTHER_MARKETS : OTHER_MARKETS.slice(0, 1))(
    'the same holds in the market %o',
    async ([market, ...cases]) => {
      const world = await startWorld(market, home)
      try {
        for (const railCase of cases) await settlesOnce(railCase, world)
      } finally {
        await world.close()
      }
    },
  )
})

describe('not paid in full', () => {
  const exceptRails = (...rails: ProviderName[]) =>
    TRIED.filter(([channel]) => !rails.includes(railOf(channel)))

  test.for(TRIED)('%s that the payer declines fails without a credit', async (railCase) => {
    const { person, reference, rail, provider } = await startedTopup(railCase)
    provider.fake.decline(reference)
    await deliver(home, rail, provider.fake.message(reference))
    const row = await readPayment(server, reference)
    expect(row).toMatchObject({ status: 'failed', reason: expect.stringMatching(/\.$/) })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  // Daraja reports no amount: a prompt is paid in full or not at all.
  test.for(exceptRails('daraja'))('%s with a lower amount goes to review', async (railCase) => {
    await isReviewed(railCase, { amountMinor: railCase[2] - 100n })
  })

  // Daraja and Fawry report no currency either.
  test.for(exceptRails('daraja', 'fawry'))('%s in another currency goes to review', async (railCase) => {
    await isReviewed(railCase, { currency: railCase[1] === 'USD' ? 'NGN' : 'USD' })
  })

  async function isReviewed(
    railCase: RailCase,
    paid: { amountMinor?: bigint; currency?: string },
  ): Promise<void> {
    const { person, reference, rail, provider } = await startedTopup(railCase)
    provider.fake.pay(reference, paid)
    await deliver(home, rail, provider.fake.message(reference))
    expect(await readPayment(server, reference)).toMatchObject({ status: 'review', nextCheckAt: null })
    expect(await postedAmounts(server, reference)).toEqual([])
    expect(await balanceOf(server, person)).toBe(0n)
    const mails = (await mailsTo(server, biller.email)).filter(({ text }) => text.includes(reference))
    expect(mails).toHaveLength(1)
  }
})

describe('during provider failures', () => {
  test.for(TRIED)('%s that could not start continues with the same key', async (railCase) => {
    const { person, input } = await newTopup(railCase)
    faultAll(railCase, 'down')
    const first = await topUp(server, person, input, 'one-intent')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    const { reference } = first.body
    home.heal()
    const second = await topUp(server, person, input, 'one-intent')
    expect(second).toMatchObject({ status: 200, body: { reference, status: 'pending', mode: 'live' } })
    expect(second.body.authorizationUrl ?? second.body.displayText).toBeTruthy()
    expect(await balanceOf(server, person)).toBe(0n)
  })

  // After a lost reply only Daraja's webhook has the id of the prompt.
  test.for(TRIED)('%s with a lost reply is credited once after the payment', async (railCase) => {
    const [channel, , amountMinor] = railCase
    const { person, input } = await newTopup(railCase)
    const { fake } = providerOf(channel)
    faultAll(railCase, 'silent')
    const { status, body } = await topUp(server, person, input, 'lost')
    expect(status).toBe(503)
    home.heal()
    const { reference } = body
    fake.pay(reference)
    if (channel === 'mpesa') {
      const address = present(webhookPathsOf(home, 'daraja').at(-1), 'the webhook path of the prompt')
      expect((await postWebhook(server, address, fake.message(reference))).status).toBe(200)
      await server.app.jobs.drain()
    } else {
      server.clock.advance({ seconds: 90 })
      await sweepPayments(server.app)
    }
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled' })
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
    expect(await postedAmounts(server, reference)).toEqual([amountMinor])
    expect((await topUp(server, person, input, 'lost')).body).toMatchObject({ reference, status: 'settled' })
  })

  test.for(TRIED)('%s keeps its status while replies are unreadable', async (railCase) => {
    const { person, reference, provider } = await startedTopup(railCase)
    provider.fake.pay(reference)
    provider.fake.fault('garbage')
    expect((await verify(server, person, reference)).body).toMatchObject({ status: 'pending' })
    provider.fake.heal()
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: railCase[2] })
  })

  test.for(TRIED)('%s that is refused reports it and is not queried', async (railCase) => {
    const { person, input } = await newTopup(railCase)
    providerOf(railCase[0]).fake.fault('reject')
    const { status, body } = await topUp(server, person, input)
    expect(status).toBe(402)
    expect(body).toMatchObject({ code: 'payment_refused', reason: expect.stringMatching(/\.$/) })
    expect(await readPayment(server, body.reference)).toMatchObject({ status: 'failed', nextCheckAt: null })
    // The log has the reason without the phone number.
    const line = server.logged.find(
      (each) => each.includes(body.reference) && each.includes('payments.initiate.refused'),
    )
    expect(JSON.parse(line ?? '{}')).toMatchObject({ rail: railOf(railCase[0]), detail: expect.any(String) })
    expect(line).not.toContain(input.phone?.slice(-8) ?? 'no phone')
    const numbers = await server.app.metrics.exposition()
    expect(numbers).toMatch(
      new RegExp(`payments_total{rail="${railOf(railCase[0])}",outcome="refused"} [1-9]`),
    )
  })
})

describe('with an unproven webhook', () => {
  const signing = TRIED.filter(([channel]) => !['daraja', 'momo'].includes(railOf(channel)))

  test.for(signing)('%s is not credited by a wrong signature', async (railCase) => {
    const { reference, rail, provider } = await startedTopup(railCase)
    provider.fake.pay(reference)
    const [address = ''] = webhookPathsOf(home, rail)
    const forged = forge(rail, provider.fake.message(reference), reference)
    expect(await postWebhook(server, address, forged)).toMatchObject({
      status: 401,
      body: { code: 'invalid_signature' },
    })
    await server.app.jobs.drain()
    expect(await eventsOf(server, reference)).toEqual([])
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test.for(['mpesa', 'mtn_momo'] as const)('%s is not credited by an unsigned webhook', async (name) => {
    const railCase = present(
      ONE_PER_CHANNEL.find(([channel]) => channel === name),
      name,
    )
    const { person, reference, rail, provider } = await startedTopup(railCase)
    const { headers, body } = provider.fake.message(reference)
    await deliver(home, rail, { headers, body: body.replace('PENDING', 'SUCCESSFUL') })
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  test('webhooks about unknown payments are accepted and credit nothing', async () => {
    const strangers = new Set<string>()
    for (const railCase of TRIED) {
      const { reference, rail, provider } = await startedTopup(railCase)
      provider.fake.pay(reference)
      const message = provider.fake.message(reference)
      const [address = ''] = webhookPathsOf(home, rail)
      // For example from before a restore, or of another merchant.
      await server.sql.rows`delete from payments where reference = ${reference}`
      expect((await postWebhook(server, address, message)).status).toBe(200)
      strangers.add(reference)
    }
    for (let look = 0; look < 5; look++) {
      await server.app.jobs.drain()
      server.clock.advance({ seconds: 20 })
    }
    const events = await server.sql.rows<{ rail: string; verdict: string }>`
      select rail, verdict from payment_events order by received_at desc, id desc limit ${strangers.size}`
    expect(events.filter(({ verdict }) => verdict !== 'unknown_reference')).toEqual([])
    for (const reference of strangers) expect(await postedAmounts(server, reference)).toEqual([])
  })
})

/** Changes the signature, or the shared secret of providers that do not sign. */
function forge(rail: ProviderName, { headers, body }: Message, reference: string): Message {
  if (rail === 'flutterwave') return { headers: { ...headers, 'verif-hash': 'another word' }, body }
  const other = reference.endsWith('0') ? '1' : '0'
  return { headers, body: body.replaceAll(reference, `${reference.slice(0, -1)}${other}`) }
}

describe('in production', () => {
  let production: TestServer
  beforeAll(async () => {
    production = await startTestServer({
      schedules: ['payments.', 'wallet.', 'invoices.'],
      url: server.url,
      clock: server.clock,
      variables: {
        SERVICE_ENV: 'production',
        SERVICE_BASE_URL: 'https://cowrie.test',
        SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
        SERVICE_MAIL_FROM: 'a@cowrie.test',
      },
    })
  })
  afterAll(() => production.close())

  test.for(TRIED.filter(([channel]) => ['paystack', 'flutterwave', 'ozow'].includes(railOf(channel))))(
    '%s paid with test money is never credited',
    async (railCase) => {
      const { reference, rail, provider } = await startedTopup(railCase)
      provider.fake.pay(reference, { test: true })
      const payment = await server.app.db.tx('platform', (tx) => paymentByReference(tx, reference))
      const providerStatus = await accountsOf(server.app, rail)[0]?.check(
        createHttpClient(server.app),
        present(payment, 'it was begun'),
      )
      expect(providerStatus).toMatchObject({ status: 'paid', live: false })
      await settlePayment(production.app, reference, present(providerStatus, 'it has keys'), 'sweep')
      expect(await readPayment(server, reference)).toMatchObject({ status: 'review' })
      expect(await reconcilePayment(server.app, reference, 'sweep')).toMatchObject({ creditedMinor: 0n })
    },
  )
})
