import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { INT64_MAX } from '../../kernel/money.ts'
import { STAFF_TIERS, type StaffTier } from '../../platform/http/actor.ts'
import { credit } from '../../wallet/wallet.ts'

let server: TestServer
let replica: TestServer
let biller: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  biller = await server.person({ staff: 'billing' })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

let count = 0

/** An organisation that has paid in, as the rail settled it. */
async function paid(amountMinor = 10_000n, status: 'settled' | 'pending' | 'failed' | 'review' = 'settled') {
  const customer = await server.person()
  const reference = `tp${newId('pay').slice(4)}`
  const settled = status === 'settled'
  const entryId = settled ? await topup(customer.orgId, amountMinor, reference) : null
  await server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email, status,
                          captured_minor, entry_id, created_at, expires_at, settled_at)
    values (${reference}, ${customer.orgId}, ${customer.userId}, 'topup', 'card', 'paystack', 'mock', 'NGN',
            ${amountMinor}, ${customer.email}, ${status}, ${settled ? amountMinor : 0n}, ${entryId}, ${server.clock.now()},
            ${server.clock.now()}, ${settled ? server.clock.now() : null})`
  return { customer, reference }
}

async function topup(orgId: OrgId, amountMinor: bigint, ref: string): Promise<string | null> {
  const { entryId } = await server.app.db.tx(orgId, (tx) =>
    credit(server.app, tx, {
      orgId,
      amountMinor,
      source: 'topup',
      ref,
      cause: `topup ${ref}`,
      account: 'clearing:paystack',
    }),
  )
  return entryId
}

type Asked = Partial<Record<'orgId' | 'amountMinor' | 'reason' | 'source' | 'reference', unknown>>
const asked = ({ customer, reference }: { customer: Person; reference: string }, rest: Asked = {}) => ({
  orgId: customer.orgId,
  amountMinor: 4000,
  reason: 'paid twice',
  reference,
  ...rest,
})
type Answer = {
  entry: { id: string }
  code: string
  balanceMinor: bigint
  remainingMinor: bigint
  fields: unknown
}
const refund = (body: unknown, { as = biller, key = `k${++count}`, by = server } = {}) =>
  by.call<Answer>('POST', '/wallet/refund', { as, body, headers: { 'idempotency-key': key } })

const balanceOf = async ({ orgId }: Person) =>
  (
    await server.sql.one<{ balance: bigint }>`
    select balance_minor as balance from wallets where org_id = ${orgId}`
  ).balance
const refundedOf = async (reference: string) =>
  (
    await server.sql.one<{ refunded: bigint }>`
    select refunded_minor as refunded from payments where reference = ${reference}`
  ).refunded

describe('200', () => {
  test('a refund is credited, counted against its payment and on record with its reason', async () => {
    const payment = await paid()
    const { customer, reference } = payment
    const reply = await refund(asked(payment))
    expect(reply).toMatchObject({
      status: 200,
      body: {
        ok: true,
        balanceMinor: 14_000n,
        entry: {
          type: 'credit',
          amountMinor: 4000n,
          source: 'refund',
          ref: reference,
          balanceAfterMinor: 14_000n,
          createdAt: server.clock.now().toISOString(),
        },
      },
    })
    expect(await refundedOf(reference)).toBe(4000n)
    const { id } = reply.body.entry
    expect(
      await server.sql.rows`
        select source, reference, amount_minor, reason, actor_user_id, entry_id from wallet_refunds
        where org_id = ${customer.orgId}`,
    ).toEqual([
      {
        source: 'refund',
        reference,
        amount_minor: 4000n,
        reason: 'paid twice',
        actor_user_id: biller.userId,
        entry_id: id,
      },
    ])
    const audit = await server.call<{ entries: unknown[] }>('GET', '/audit', {
      as: customer,
      query: { action: 'wallet.refund' },
    })
    expect(audit.body.entries).toMatchObject([
      {
        actorKind: 'operator',
        actorEmail: biller.email,
        target: reference,
        metadata: { source: 'refund', reference, amountMinor: 4000n, reason: 'paid twice', entryId: id },
      },
    ])
    expect(await server.sql.rows`select account, account_minor from movements where id = ${id}`).toEqual([
      { account: 'refunds', account_minor: -4000n },
    ])
  })

  test('refunds go up to what was captured, and to the last kobo', async () => {
    const payment = await paid()
    expect((await refund(asked(payment, { amountMinor: 9999 }))).status).toBe(200)
    expect((await refund(asked(payment, { amountMinor: 1 }))).status).toBe(200)
    expect((await refund(asked(payment, { amountMinor: 1 }))).body.code).toBe('refund_exceeds_captured')
    expect(await balanceOf(payment.customer)).toBe(20_000n)
  })

  test('an adjustment needs no payment and is not capped by one', async () => {
    const { customer } = await paid(1n)
    const adjustment = { orgId: customer.orgId, reason: 'goodwill', source: 'adjustment' }
    const reply = await refund({ ...adjustment, amountMinor: 10n ** 15n })
    expect(reply).toMatchObject({
      status: 200,
      body: {
        balanceMinor: 10n ** 15n + 1n,
        entry: { source: 'adjustment', ref: expect.stringMatching(/^rfd_/) },
      },
    })
    expect((await refund({ ...adjustment, amountMinor: 5, reference: 'ticket 42' })).status).toBe(200)
    expect(
      await server.sql.rows`
        select account from movements where org_id = ${customer.orgId} and source = 'adjustment'`,
    ).toEqual([{ account: 'adjustments' }, { account: 'adjustments' }])
  })

  test('a repetition with its key is answered byte for byte and credits nothing', async () => {
    const payment = await paid()
    const key = `k${++count}`
    const first = await refund(asked(payment), { key })
    const second = await refund(asked(payment), { key, by: replica })
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await balanceOf(payment.customer)).toBe(14_000n)
  })

  test('of ten at once over two replicas no more go through than were captured', async () => {
    const payment = await paid()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        refund(asked(payment, { amountMinor: 3000 }), { by: n % 2 ? server : replica }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(replies.filter(({ body }) => body.code === 'refund_exceeds_captured')).toHaveLength(7)
    expect(await refundedOf(payment.reference)).toBe(9000n)
    expect(await balanceOf(payment.customer)).toBe(19_000n)
  })

  test('of ten at once with one key one goes through', async () => {
    const payment = await paid()
    const key = `k${++count}`
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => refund(asked(payment), { key, by: n % 2 ? server : replica })),
    )
    for (const { status } of replies) expect([200, 409]).toContain(status)
    expect(await balanceOf(payment.customer)).toBe(14_000n)
  })
})

describe('400', () => {
  let payment: Awaited<ReturnType<typeof paid>>
  beforeAll(async () => {
    payment = await paid()
  })

  test.for<[string, Asked]>([
    ['amountMinor', { amountMinor: 0 }],
    ['amountMinor', { amountMinor: -1 }],
    ['amountMinor', { amountMinor: '100' }],
    ['amountMinor', { amountMinor: null }],
    ['amountMinor', { amountMinor: undefined }],
    ['reason', { reason: '' }],
    ['reason', { reason: '  ' }],
    ['reason', { reason: 'x'.repeat(501) }],
    ['reason', { reason: undefined }],
    ['source', { source: 'topup' }],
    ['reference', { reference: undefined }],
    ['reference', { reference: undefined, source: 'refund' }],
    ['orgId', { orgId: undefined }],
  ])('names %s when the body has %j', async ([path, rest]) => {
    const { status, body } = await refund(asked(payment, rest))
    expect([status, body.code, body.fields]).toMatchObject([400, 'invalid_fields', [{ path }]])
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test.for(['1.5', '1e3', '9223372036854775808', '"5"'])(
    'an amount written as %s is none',
    async (written) => {
      const raw = JSON.stringify(asked(payment)).replace('4000', written)
      const headers = { 'idempotency-key': `k${++count}`, 'content-type': 'application/json' }
      const reply = await server.call('POST', '/wallet/refund', { as: biller, raw, headers })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    },
  )

  test('without a key nothing is done', async () => {
    const reply = await server.call('POST', '/wallet/refund', { as: biller, body: asked(payment) })
    expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test('more than is left of the payment is refused and says what is left', async () => {
    const payment = await paid()
    await refund(asked(payment))
    for (const amountMinor of [6001n, INT64_MAX])
      expect(await refund(asked(payment, { amountMinor }))).toMatchObject({
        status: 400,
        body: { code: 'refund_exceeds_captured', remainingMinor: 6000n },
      })
    expect(await balanceOf(payment.customer)).toBe(14_000n)
  })

  test.for(['pending', 'failed', 'review'] as const)(
    'a payment that is %s cannot be refunded',
    async (status) => {
      const payment = await paid(10_000n, status)
      expect(await refund(asked(payment))).toMatchObject({
        status: 400,
        body: { code: 'payment_not_settled', status },
      })
      expect(await balanceOf(payment.customer)).toBe(0n)
    },
  )

  test('nor can one that the provider took back', async () => {
    const payment = await paid()
    await server.sql.rows`
      update payments set reversed_at = ${server.clock.now()} where reference = ${payment.reference}`
    expect((await refund(asked(payment))).body.code).toBe('payment_not_settled')
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test('nor one of another organisation, nor one that is unknown', async () => {
    const [one, other] = [await paid(), await paid()]
    for (const reference of [other.reference, 'tp00000000000000', "' or true --"])
      expect(await refund(asked(one, { reference }))).toMatchObject({
        status: 400,
        body: { code: 'payment_not_settled' },
      })
    expect(await refundedOf(other.reference)).toBe(0n)
    expect(await balanceOf(one.customer)).toBe(10_000n)
  })
})

test('401: nobody is nobody', async () => {
  const headers = { 'idempotency-key': 'x' }
  const reply = await server.call('POST', '/wallet/refund', { body: asked(await paid()), headers })
  expect(reply.status).toBe(401)
})

describe('403', () => {
  const MAY: readonly StaffTier[] = ['billing', 'operator', 'super_admin']

  test.for(STAFF_TIERS)('of the staff, %s may or may not as its tier says', async (tier) => {
    const as = await server.person({ staff: tier })
    const payment = await paid()
    const { status, body } = await refund(asked(payment), { as })
    if (MAY.includes(tier)) expect(status).toBe(200)
    else expect([status, body.code]).toEqual([403, 'staff_only'])
    expect(await balanceOf(payment.customer)).toBe(MAY.includes(tier) ? 14_000n : 10_000n)
  })

  test('nobody of the staff below a super admin gives to an organisation of their own', async () => {
    const { customer, reference } = await paid()
    await server.sql.rows`
      insert into staff (user_id, role, created_at) values (${customer.userId}, 'operator', ${server.clock.now()})`
    for (const source of ['refund', 'adjustment'])
      expect(await refund(asked({ customer, reference }, { source }), { as: customer })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    expect(await balanceOf(customer)).toBe(10_000n)
    expect(await refundedOf(reference)).toBe(0n)
  })

  test('the owner of the organisation may not, and no key may', async () => {
    const payment = await paid()
    expect((await refund(asked(payment), { as: payment.customer })).body.code).toBe('staff_only')
    const { bearer } = await server.key(biller, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
    expect((await refund(asked(payment), { as: { ...biller, bearer } })).status).toBe(403)
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })
})

test('404: an organisation that does not exist', async () => {
  const payment = await paid()
  for (const orgId of [newId('org'), 'org_x', 'x'])
    expect(await refund(asked(payment, { orgId }))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
})

test('422: the key of another intent', async () => {
  const payment = await paid()
  const key = `k${++count}`
  await refund(asked(payment), { key })
  expect((await refund(asked(payment, { amountMinor: 1 }), { key })).body.code).toBe('idempotency_key_reused')
})
