// Top-ups with the mock rail: every request variant and its reply.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  balanceOf,
  customer,
  PHONES,
  readTopups,
  topUp,
  verify,
} from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../kernel/assert.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { channels, channelsFor } from './channels.ts'

let server: TestServer
let replica: TestServer
let ada: Person
let wanjiru: Person

beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  ada = await customer(server)
  wanjiru = await customer(server, 'KES')
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const everyWay = channels.flatMap((channel) =>
  (Object.keys(channel.ranges) as Currency[]).map((currency) => ({ channel, currency })),
)

describe('200', () => {
  test.for(everyWay)(
    '$channel.name accepts the minimum and maximum in $currency',
    async ({ channel, currency }) => {
      const person = await customer(server, currency)
      const { minMinor = 0n, maxMinor = 0n } = channel.ranges[currency] ?? {}
      const phone = channel.needsPhone ? { phone: PHONES[currency] } : {}
      for (const amountMinor of [minMinor, maxMinor]) {
        const { status, body } = await topUp(server, person, { amountMinor, channel: channel.name, ...phone })
        expect(status).toBe(200)
        expect(body).toMatchObject({
          mode: 'mock',
          status: 'pending',
          currency,
          channel: channel.name,
          amountMinor,
        })
        expect(body.reference).toMatch(/^tp[0-9a-z]{26}$/)
        expect(body.authorizationUrl).toBe(`http://cowrie.test/pay/mock/${body.reference}`)
        expect(body.ussdCode !== undefined).toBe(channel.name === 'ussd')
        expect(body.displayText !== undefined).toBe(channel.needsPhone || channel.name === 'ussd')
      }
      expect(await balanceOf(server, person)).toBe(0n)
    },
  )

  test('the default channel is card', async () => {
    const { body } = await topUp(server, ada, { amountMinor: 5000n })
    expect(body).toMatchObject({ channel: 'card', currency: 'NGN' })
  })

  test('the phone is stored encrypted, and the receipt goes to the given address', async () => {
    const person = await customer(server, 'KES')
    const email = 'books@example.com'
    const input = { amountMinor: 10000n, channel: 'mpesa', phone: '0712345678', email }
    await topUp(server, person, input)
    server.clock.advance({ seconds: 1 })
    await topUp(server, person, { amountMinor: 10000n })
    const [withPhone, without] = await readTopups(server, person)
    expect(withPhone).toMatchObject({ email, rail: 'mock' })
    expect(withPhone?.phone_sealed).not.toContain('712345678')
    expect(withPhone?.phone_sealed).toBeTruthy()
    expect(without).toMatchObject({ email: person.email, phone_sealed: null })
  })

  test.for([
    ['mpesa', 'KES', 15 * 60, 15],
    ['card', 'KES', 24 * 3600, 60],
    ['fawry', 'EGP', 72 * 3600, 60],
  ] as const)('%s has its specific expiry time', async ([channel, currency, life, first]) => {
    const person = await customer(server, currency)
    await topUp(server, person, { amountMinor: 10000n, channel, phone: PHONES[currency] })
    const [row] = await readTopups(server, person)
    const at = row?.created_at.getTime() ?? 0
    expect(row?.expires_at.getTime()).toBe(at + life * 1000)
    expect(row?.next_check_at?.getTime()).toBe(at + first * 1000)
  })

  test('a retry with the same key gets the identical reply and starts nothing', async () => {
    const person = await customer(server)
    const first = await topUp(server, person, { amountMinor: 7000n }, 'again')
    for (const on of [server, replica, server]) {
      const retry = await topUp(on, person, { amountMinor: 7000n }, 'again')
      expect(retry.text).toBe(first.text)
      expect(retry.headers['idempotency-replayed']).toBe('true')
    }
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('one key on two replicas starts one top-up', async () => {
    const person = await customer(server)
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        topUp(i % 2 ? server : replica, person, { amountMinor: 7000n }, 'at-once'),
      ),
    )
    const good = replies.filter(({ status }) => status === 200)
    expect(new Set(good.map(({ text }) => text)).size).toBe(1)
    for (const { status, body } of replies)
      if (status !== 200) expect(body.code).toBe('idempotency_in_progress')
    expect(await readTopups(server, person)).toHaveLength(1)
  })

  test('without a key every call starts a top-up', async () => {
    const person = await customer(server)
    const [a, b] = [
      await topUp(server, person, { amountMinor: 7000n }),
      await topUp(server, person, { amountMinor: 7000n }),
    ]
    expect(a.body.reference).not.toBe(b.body.reference)
  })

  test('an API key can start and list top-ups', async () => {
    const key = await server.key(ada, [])
    expect((await topUp(server, key, { amountMinor: 5000n })).status).toBe(200)
    expect((await server.call('GET', '/wallet/topups', { as: key })).status).toBe(200)
    expect((await server.call('GET', '/wallet/channels', { as: key })).status).toBe(200)
  })
})

describe('verify', () => {
  test('approves an undecided mock payment, credits it once and sends one receipt', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: 25_000n })).body
    const first = await verify(server, person, reference)
    expect(first).toMatchObject({
      status: 200,
      body: {
        reference,
        status: 'settled',
        amountMinor: 25_000n,
        creditedMinor: 25_000n,
        balanceMinor: 25_000n,
        currency: 'NGN',
        channel: 'card',
        reason: null,
      },
    })
    const second = await verify(replica, person, reference)
    expect(second.body).toMatchObject({ status: 'settled', creditedMinor: 0n, balanceMinor: 25_000n })
    expect(await balanceOf(server, person)).toBe(25_000n)
  })

  test('credits once with concurrent calls', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: 30_000n })).body
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => verify(i % 2 ? server : replica, person, reference)),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies.map(({ body }) => body.creditedMinor).filter((credited) => credited !== 0n)).toEqual([
      30_000n,
    ])
    expect(await balanceOf(server, person)).toBe(30_000n)
  })

  test('keeps a declined payment declined', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: 25_000n })).body
    await decide(reference, 'declined')
    const { body } = await verify(server, person, reference)
    expect(body).toMatchObject({ status: 'failed', creditedMinor: 0n, balanceMinor: 0n })
    expect(body.reason).toMatch(/declined/)
  })

  test('returns 404 for a top-up of another organisation and approves nothing', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: 25_000n })).body
    expect(await verify(server, ada, reference)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await verify(server, ada, 'tp0000000000000000000000000')).toMatchObject({ status: 404 })
    const { decision } = await server.sql.one<{ decision: string | null }>`
      select mock_decision as decision from payments where reference = ${reference}`
    expect(decision).toBeNull()
  })
})

const decide = (reference: string, decision: string) =>
  server.call('POST', `/pay/mock/${reference}`, {
    raw: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('400', () => {
  // Refused requests store nothing, so one customer per currency is enough.
  const askers = new Map<Currency, Person>()
  beforeAll(async () => {
    for (const currency of currencies) askers.set(currency, await customer(server, currency))
  })
  const asker = (currency: Currency = 'NGN'): Person => present(askers.get(currency), currency)

  const BAD_AMOUNTS = [
    '0',
    '-0',
    '-1',
    '-5000',
    '0.0',
    '5000.0',
    '5000.5',
    '5e3',
    '5E3',
    '1e309',
    '1e-400',
    '"5000"',
    '"abc"',
    '""',
    'null',
    'true',
    '[5000]',
    '{}',
    '[]',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
    '1000000001',
    '4999',
    '9007199254740993',
    '100000000000000000000000',
  ]

  test.for(BAD_AMOUNTS)('%s is not a valid naira amount for cards', async (amount) => {
    const person = asker()
    const reply = await server.call<{ fields: { path: string }[] }>('POST', '/wallet/topup', {
      as: person,
      raw: `{"amountMinor":${amount}}`,
    })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect(reply.body.fields[0]?.path).toBe('amountMinor')
    expect(await readTopups(server, person)).toEqual([])
  })

  test.for(['{"amountMinor":NaN}', '{"amountMinor":0x10}', '{"amountMinor":05000}', '{"amountMinor":5_000}'])(
    '%s is not valid JSON',
    async (raw) => {
      expect(await server.call('POST', '/wallet/topup', { as: ada, raw })).toMatchObject({
        status: 400,
        body: { code: 'malformed_json' },
      })
    },
  )

  test('an amount outside the limits is refused with the limits', async () => {
    const { body } = await topUp(server, ada, { amountMinor: 4999n })
    expect(body.fields?.[0]?.message).toBe(
      'must be from 5000 (₦50.00) to 1000000000 (₦10,000,000.00) with Card',
    )
  })

  test('cents on a rail of whole shillings are refused and not rounded', async () => {
    const input = { channel: 'mpesa', phone: '0712345678' }
    const { status, body } = await topUp(server, wanjiru, { ...input, amountMinor: 10_050n })
    expect(status).toBe(400)
    expect(body.fields).toEqual([
      { path: 'amountMinor', message: 'must be a multiple of 100 (KSh1.00) with M-Pesa' },
    ])
    expect((await topUp(server, wanjiru, { channel: 'card', amountMinor: 10_050n })).status).toBe(200)
  })

  test.for(
    currencies.flatMap((currency) =>
      channels.filter(({ ranges }) => !ranges[currency]).map(({ name }) => [name, currency] as const),
    ),
  )('%s does not support %s, and the reply names channels that do', async ([channel, currency]) => {
    const person = asker(currency)
    const { status, body } = await topUp(server, person, { amountMinor: 10_000n, channel, phone: '+1' })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'channel_not_available',
      channels: channelsFor(currency).map(({ name }) => name),
    })
    for (const { name } of channelsFor(currency)) expect((body as { error?: string }).error).toContain(name)
    expect(await readTopups(server, person)).toEqual([])
  })

  test.for([undefined, '', '12', 'not a phone', '+233244123456', '071234567', '0712345678x'])(
    'the phone %s is not valid for M-Pesa',
    async (phone) => {
      const person = asker('KES')
      const { status, body } = await topUp(server, person, { amountMinor: 10_000n, channel: 'mpesa', phone })
      expect(status).toBe(400)
      expect(body.fields?.[0]?.path).toBe('phone')
      expect(await readTopups(server, person)).toEqual([])
    },
  )

  test.for([
    { channel: 'paypal' },
    { channel: 'mock' },
    { channel: 'CARD' },
    { channel: '' },
    { channel: null },
    { channel: '__proto__' },
    { phone: 712345678 },
    { phone: 'nobody' },
    { email: 'nobody' },
    { email: 'a@b' },
    { currency: 'USD' },
    { currency: 'ngn' },
  ])('%o is refused', async (field) => {
    const person = asker()
    const { status, body } = await topUp(server, person, { amountMinor: 5000n, ...field })
    expect(status).toBe(400)
    expect(body.fields?.[0]?.path).toBe(Object.keys(field)[0])
    expect(await readTopups(server, person)).toEqual([])
  })

  test('all invalid fields are reported together', async () => {
    const { body } = await topUp(server, wanjiru, {
      amountMinor: 150n,
      channel: 'mpesa',
      phone: '0',
      currency: 'NGN',
    })
    expect(body.fields?.map(({ path }) => path)).toEqual(['amountMinor', 'phone', 'currency'])
  })
})

describe('401', () => {
  test.for([
    ['POST', '/wallet/topup'],
    ['POST', '/wallet/verify'],
    ['GET', '/wallet/topups'],
    ['GET', '/wallet/channels'],
  ] as const)('%s %s requires credentials', async ([method, path]) => {
    expect((await server.call(method, path)).status).toBe(401)
  })
})

describe('403', () => {
  test('a suspended organisation cannot start top-ups, and pending ones are still credited', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: 25_000n })).body
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${person.orgId}`
    expect(await topUp(server, person, { amountMinor: 25_000n })).toMatchObject({
      status: 403,
      body: { code: 'org_suspended' },
    })
    expect(await readTopups(server, person)).toHaveLength(1)
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 25_000n })
  })
})

describe('409', () => {
  test('too many unpaid top-ups are refused for an hour', async () => {
    const person = await customer(server, 'KES')
    const input = { amountMinor: 10_000n, channel: 'mpesa', phone: '0712345678' }
    const replies = await Promise.all(
      Array.from({ length: 22 }, (_, i) => topUp(i % 2 ? server : replica, person, input)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const { status, body } of replies) if (status !== 200) expect(body.code).toBe('limit_reached')
    // A channel without push prompts still works.
    const { body } = await topUp(server, person, { amountMinor: 10_000n })
    await verify(server, person, body.reference)
    const another = await topUp(server, person, input)
    expect(another).toMatchObject({ status: 409 })
    server.clock.advance({ hours: 1, seconds: 1 })
    expect((await topUp(server, person, input)).status).toBe(200)
  })
})

describe('422', () => {
  test('a key of another amount is refused', async () => {
    const person = await customer(server)
    await topUp(server, person, { amountMinor: 5000n }, 'one-intent')
    expect(await topUp(server, person, { amountMinor: 6000n }, 'one-intent')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
    expect(await readTopups(server, person)).toHaveLength(1)
  })
  test('a key of an invalid request can be used for a corrected one', async () => {
    const person = await customer(server)
    expect(await topUp(server, person, { amountMinor: 1n }, 'corrected')).toMatchObject({ status: 400 })
    const elsewhere = await topUp(server, person, { amountMinor: 5000n, channel: 'mpesa' }, 'corrected')
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'channel_not_available' } })
    expect(await topUp(server, person, { amountMinor: 5000n }, 'corrected')).toMatchObject({ status: 200 })
  })
})
