// Every way to pay from the first call to the money, against a stand-in of its provider.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
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
import { type ChannelName, channelByName, channels } from '../channels.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { sweepPayments } from '../settle/sweeper.ts'
import { paymentByReference } from '../sql/payments.ts'
import { accountsOf } from './accounts.ts'
import { createHttpClient } from './http-client.ts'

const railOf = (channel: ChannelName): ProviderName => channelByName(channel).rail
/** The first channel of each provider: its adapter is the same for all of its channels and currencies. */
const oneOfEachRail = ONE_PER_CHANNEL.filter(
  ([channel]) => channel === ONE_PER_CHANNEL.find(([other]) => railOf(other) === railOf(channel))?.[0],
)
/** Currencies without decimals, or with decimals that a provider does not take. */
const WITHOUT_DECIMALS: readonly string[] = ['XOF', 'TZS']

const SETTLED = isSoak
  ? RAIL_CASES
  : RAIL_CASES.filter(
      (each) =>
        ONE_PER_CHANNEL.includes(each) ||
        (oneOfEachRail.some(([channel]) => channel === each[0]) && WITHOUT_DECIMALS.includes(each[1])),
    )
/** The soak tries each channel where `npm test` tries one of each provider. */
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
  // So long a provider is left alone after it was silent.
  server.clock.advance({ seconds: 31 })
})
afterAll(() => home.close())

type Begun = { person: Person; reference: string; body: ResultBody; rail: ProviderName; provider: Provider }

const providerOf = (channel: ChannelName, world = home): Provider => world.providers[railOf(channel)]

/** The wish of a customer of this currency, the same for every retry. */
async function wishing([channel, currency, amountMinor]: RailCase, on = server) {
  const phone = channelByName(channel).needsPhone ? newPhone(currency) : undefined
  return { person: await customer(on, currency), wish: { amountMinor, channel, ...(phone && { phone }) } }
}

async function begun(wanted: RailCase, world = home): Promise<Begun> {
  const { person, wish } = await wishing(wanted, world.server)
  const { status, body } = await topUp(world.server, person, wish)
  expect(
    status,
    JSON.stringify(body, (_, value) => String(value)),
  ).toBe(200)
  const [channel] = wanted
  return {
    person,
    reference: body.reference,
    body,
    rail: railOf(channel),
    provider: providerOf(channel, world),
  }
}

/** Posts to every address that this provider knows, then does what that gave us to do. */
async function deliver(world: World, rail: ProviderName, message: Message): Promise<void> {
  for (const address of webhookPathsOf(world, rail))
    expect((await postWebhook(world.server, address, message)).status, address).toBe(200)
  await world.server.app.jobs.drain()
}

async function settlesOnce(wanted: RailCase, world: World): Promise<void> {
  const [channel, currency, amountMinor, asked] = wanted
  const { person, reference, body, rail, provider } = await begun(wanted, world)
  const { server, providers } = world
  expect(body).toMatchObject({ mode: 'live', status: 'pending' })
  expect([!!body.authorizationUrl, !!body.ussdCode, !!body.displayText]).toEqual(HANDED[channel])
  expect(provider.fake.orders.at(-1)).toMatchObject({ amount: asked, currency })
  expect(reference.endsWith(provider.fake.orders.at(-1)?.reference ?? 'nobody')).toBe(true)

  provider.fake.pay(reference)
  const message = providers[rail].fake.message(reference)
  await deliver(world, rail, message)
  const { body: list } = await server.call('GET', '/wallet/topups', { as: person })
  expect(list).toMatchObject({ topups: [{ reference, status: 'settled', amountMinor, currency, channel }] })
  expect(await postedAmounts(server, reference)).toEqual([amountMinor])
  expect(await balanceOf(server, person)).toBe(amountMinor)

  // Once for each channel is enough: what follows does not know currencies.
  if (!ONE_PER_CHANNEL.includes(wanted)) return
  const [address = ''] = webhookPathsOf(world, rail)
  const again = await Promise.all(Array.from({ length: 5 }, () => postWebhook(server, address, message)))
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await server.app.jobs.drain()
  expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
  expect(await postedAmounts(server, reference)).toEqual([amountMinor])
}

/** A page to go to, a code to dial, words to read. */
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

describe('paid as asked', () => {
  test('every channel is tried here in every currency that it takes', () => {
    const tried = [...RAIL_CASES, ...OTHER_MARKETS.flatMap(([, ...cases]) => cases)]
    const offered = channels.flatMap(({ name, ranges }) => Object.keys(ranges).map((key) => `${name} ${key}`))
    expect(tried.map(([channel, currency]) => `${channel} ${currency}`).sort()).toEqual(offered.sort())
  })

  test.for(SETTLED)('%s in %s settles once, by the message of its provider', (wanted) =>
    settlesOnce(wanted, home),
  )

  test.for(isSoak ? OTHER_MARKETS : OTHER_MARKETS.slice(0, 1))(
    'and so it does in the market %o',
    async ([market, ...cases]) => {
      const world = await startWorld(market, home)
      try {
        for (const wanted of cases) await settlesOnce(wanted, world)
      } finally {
        await world.close()
      }
    },
  )
})

describe('not paid as asked', () => {
  const says = (...rails: ProviderName[]) => TRIED.filter(([channel]) => !rails.includes(railOf(channel)))

  test.for(TRIED)('%s that the payer declines fails, and credits nothing', async (wanted) => {
    const { person, reference, rail, provider } = await begun(wanted)
    provider.fake.decline(reference)
    await deliver(home, rail, provider.fake.message(reference))
    const row = await readPayment(server, reference)
    expect(row).toMatchObject({ status: 'failed', reason: expect.stringMatching(/\.$/) })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  // Daraja never says how much was paid: a prompt is paid as it was asked, or not at all.
  test.for(says('daraja'))('%s paid short is looked at by a person', async (wanted) => {
    await isReviewed(wanted, { amountMinor: wanted[2] - 100n })
  })

  // Nor in which currency, which Fawry does not say either.
  test.for(says('daraja', 'fawry'))(
    '%s paid in another currency is looked at by a person',
    async (wanted) => {
      await isReviewed(wanted, { currency: wanted[1] === 'USD' ? 'NGN' : 'USD' })
    },
  )

  async function isReviewed(
    wanted: RailCase,
    paid: { amountMinor?: bigint; currency?: string },
  ): Promise<void> {
    const { person, reference, rail, provider } = await begun(wanted)
    provider.fake.pay(reference, paid)
    await deliver(home, rail, provider.fake.message(reference))
    expect(await readPayment(server, reference)).toMatchObject({ status: 'review', nextCheckAt: null })
    expect(await postedAmounts(server, reference)).toEqual([])
    expect(await balanceOf(server, person)).toBe(0n)
    const mails = (await mailsTo(server, biller.email)).filter(({ text }) => text.includes(reference))
    expect(mails).toHaveLength(1)
  }
})

describe('with trouble at the provider', () => {
  test.for(TRIED)('%s that could not be begun goes on under the same key', async (wanted) => {
    const { person, wish } = await wishing(wanted)
    const { fake } = providerOf(wanted[0])
    fake.fault('down')
    const first = await topUp(server, person, wish, 'one-intent')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    const { reference } = first.body
    fake.heal()
    const second = await topUp(server, person, wish, 'one-intent')
    expect(second).toMatchObject({ status: 200, body: { reference, status: 'pending', mode: 'live' } })
    expect(second.body.authorizationUrl ?? second.body.displayText).toBeTruthy()
    expect(await balanceOf(server, person)).toBe(0n)
  })

  // Of a prompt whose answer was lost Daraja's message alone tells: it has no other name than Daraja's.
  test.for(TRIED)('%s whose answer was lost is credited once when it was paid', async (wanted) => {
    const [channel, , amountMinor] = wanted
    const { person, wish } = await wishing(wanted)
    const { fake } = providerOf(channel)
    fake.fault('silent')
    const { status, body } = await topUp(server, person, wish, 'lost')
    expect(status).toBe(503)
    fake.heal()
    const { reference } = body
    fake.pay(reference)
    if (channel === 'mpesa') {
      const address = present(webhookPathsOf(home, 'daraja').at(-1), 'the address that Daraja was told')
      expect((await postWebhook(server, address, fake.message(reference))).status).toBe(200)
      await server.app.jobs.drain()
    } else {
      server.clock.advance({ seconds: 90 })
      await sweepPayments(server.app)
    }
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled' })
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
    expect(await postedAmounts(server, reference)).toEqual([amountMinor])
    expect((await topUp(server, person, wish, 'lost')).body).toMatchObject({ reference, status: 'settled' })
  })

  test.for(TRIED)('%s stays as it was while answers make no sense', async (wanted) => {
    const { person, reference, provider } = await begun(wanted)
    provider.fake.pay(reference)
    provider.fake.fault('garbage')
    expect((await verify(server, person, reference)).body).toMatchObject({ status: 'pending' })
    provider.fake.heal()
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: wanted[2] })
  })

  test.for(TRIED)('%s that is refused says so, and nothing is asked about it', async (wanted) => {
    const { person, wish } = await wishing(wanted)
    providerOf(wanted[0]).fake.fault('reject')
    const { status, body } = await topUp(server, person, wish)
    expect(status).toBe(402)
    expect(body).toMatchObject({ code: 'payment_refused', reason: expect.stringMatching(/\.$/) })
    expect(await readPayment(server, body.reference)).toMatchObject({ status: 'failed', nextCheckAt: null })
    // Why is for the operator, who is not told whose phone it was.
    const line = server.logged.find(
      (each) => each.includes(body.reference) && each.includes('payments.initiate.refused'),
    )
    expect(JSON.parse(line ?? '{}')).toMatchObject({ rail: railOf(wanted[0]), detail: expect.any(String) })
    expect(line).not.toContain(wish.phone?.slice(-8) ?? 'no phone')
    const numbers = await server.app.metrics.exposition()
    expect(numbers).toMatch(new RegExp(`payments_total{rail="${railOf(wanted[0])}",outcome="refused"} [1-9]`))
  })
})

describe('with a message that proves nothing', () => {
  const signing = TRIED.filter(([channel]) => !['daraja', 'momo'].includes(railOf(channel)))

  test.for(signing)('%s is not credited by one with a wrong signature', async (wanted) => {
    const { reference, rail, provider } = await begun(wanted)
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

  test.for(['mpesa', 'mtn_momo'] as const)('%s is not credited by what anybody can write', async (name) => {
    const wanted = present(
      ONE_PER_CHANNEL.find(([channel]) => channel === name),
      name,
    )
    const { person, reference, rail, provider } = await begun(wanted)
    const { headers, body } = provider.fake.message(reference)
    await deliver(home, rail, { headers, body: body.replace('PENDING', 'SUCCESSFUL') })
    expect(await readPayment(server, reference)).toMatchObject({ status: 'pending' })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  test('nobody is credited by those about payments that are not ours, and each is taken', async () => {
    const strangers = new Set<string>()
    for (const wanted of TRIED) {
      const { reference, rail, provider } = await begun(wanted)
      provider.fake.pay(reference)
      const message = provider.fake.message(reference)
      const [address = ''] = webhookPathsOf(home, rail)
      // As if it had been begun before a restore, or by another of the provider's merchants.
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

/** Somebody changed what is signed; where the bytes are not signed, the word that we agreed on. */
function forge(rail: ProviderName, { headers, body }: Message, reference: string): Message {
  if (rail === 'flutterwave') return { headers: { ...headers, 'verif-hash': 'another word' }, body }
  const other = reference.endsWith('0') ? '1' : '0'
  return { headers, body: body.replaceAll(reference, `${reference.slice(0, -1)}${other}`) }
}

describe('in production', () => {
  let production: TestServer
  beforeAll(async () => {
    production = await startTestServer({
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
    async (wanted) => {
      const { reference, rail, provider } = await begun(wanted)
      provider.fake.pay(reference, { test: true })
      const payment = await server.app.db.tx('platform', (tx) => paymentByReference(tx, reference))
      const standing = await accountsOf(server.app, rail)[0]?.check(
        createHttpClient(server.app),
        present(payment, 'it was begun'),
      )
      expect(standing).toMatchObject({ status: 'paid', live: false })
      await settlePayment(production.app, reference, present(standing, 'it has keys'), 'sweep')
      expect(await readPayment(server, reference)).toMatchObject({ status: 'review' })
      expect(await reconcilePayment(server.app, reference, 'sweep')).toMatchObject({ creditedMinor: 0n })
    },
  )
})
