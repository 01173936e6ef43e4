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

/** An organisation with a settled payment. */
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

type RefundRequest = Partial<Record<'orgId' | 'amountMinor' | 'reason' | 'source' | 'reference', unknown>>
const refundRequest = (
  { customer, reference }: { customer: Person; reference: string },
  rest: RefundRequest = {},
) => ({
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
  test('a refund is credited, counted on its payment and audited with its reason', async () => {
    const payment = await paid()
    const { customer, reference } = payment
    const reply = await refund(refundRequest(payment))
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

  test('refunds are limited to exactly the captured amount', async () => {
    const payment = await paid()
    expect((await refund(refundRequest(payment, { amountMinor: 9999 }))).status).toBe(200)
    expect((await refund(refundRequest(payment, { amountMinor: 1 }))).status).toBe(200)
    expect((await refund(refundRequest(payment, { amountMinor: 1 }))).body.code).toBe(
      'refund_exceeds_captured',
    )
    expect(await balanceOf(payment.customer)).toBe(20_000n)
  })

  test('an adjustment needs no payment and has no limit', async () => {
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

  test('a retry with the same key gets the identical reply and credits nothing', async () => {
    const payment = await paid()
    const key = `k${++count}`
    const first = await refund(refundRequest(payment), { key })
    const second = await refund(refundRequest(payment), { key, by: replica })
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await balanceOf(payment.customer)).toBe(14_000n)
  })

  test('ten concurrent refunds on two replicas never exceed the captured amount', async () => {
    const payment = await paid()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        refund(refundRequest(payment, { amountMinor: 3000 }), { by: n % 2 ? server : replica }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(replies.filter(({ body }) => body.code === 'refund_exceeds_captured')).toHaveLength(7)
    expect(await refundedOf(payment.reference)).toBe(9000n)
    expect(await balanceOf(payment.customer)).toBe(19_000n)
  })

  test('of ten concurrent requests with one key one is applied', async () => {
    const payment = await paid()
    const key = `k${++count}`
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        refund(refundRequest(payment), { key, by: n % 2 ? server : replica }),
      ),
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

  test.for<[string, RefundRequest]>([
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
  ])('reports the field %s for the body %j', async ([path, rest]) => {
    const { status, body } = await refund(refundRequest(payment, rest))
    expect([status, body.code, body.fields]).toMatchObject([400, 'invalid_fields', [{ path }]])
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test.for(['1.5', '1e3', '9223372036854775808', '"5"'])('%s is not a valid amount', async (written) => {
    const raw = JSON.stringify(refundRequest(payment)).replace('4000', written)
    const headers = { 'idempotency-key': `k${++count}`, 'content-type': 'application/json' }
    const reply = await server.call('POST', '/wallet/refund', { as: biller, raw, headers })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })

  test('a request without an idempotency key is refused', async () => {
    const reply = await server.call('POST', '/wallet/refund', { as: biller, body: refundRequest(payment) })
    expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test('a refund above the remaining amount is refused with the remaining amount', async () => {
    const payment = await paid()
    await refund(refundRequest(payment))
    for (const amountMinor of [6001n, INT64_MAX])
      expect(await refund(refundRequest(payment, { amountMinor }))).toMatchObject({
        status: 400,
        body: { code: 'refund_exceeds_captured', remainingMinor: 6000n },
      })
    expect(await balanceOf(payment.customer)).toBe(14_000n)
  })

  test.for(['pending', 'failed', 'review'] as const)(
    'a payment that is %s cannot be refunded',
    async (status) => {
      const payment = await paid(10_000n, status)
      expect(await refund(refundRequest(payment))).toMatchObject({
        status: 400,
        body: { code: 'payment_not_settled', status },
      })
      expect(await balanceOf(payment.customer)).toBe(0n)
    },
  )

  test('a payment that the provider reversed cannot be refunded', async () => {
    const payment = await paid()
    await server.sql.rows`
      update payments set reversed_at = ${server.clock.now()} where reference = ${payment.reference}`
    expect((await refund(refundRequest(payment))).body.code).toBe('payment_not_settled')
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })

  test('a payment of another organisation and an unknown one cannot be refunded', async () => {
    const [one, other] = [await paid(), await paid()]
    for (const reference of [other.reference, 'tp00000000000000', "' or true --"])
      expect(await refund(refundRequest(one, { reference }))).toMatchObject({
        status: 400,
        body: { code: 'payment_not_settled' },
      })
    expect(await refundedOf(other.reference)).toBe(0n)
    expect(await balanceOf(one.customer)).toBe(10_000n)
  })
})

test('401 without credentials', async () => {
  const headers = { 'idempotency-key': 'x' }
  const reply = await server.call('POST', '/wallet/refund', { body: refundRequest(await paid()), headers })
  expect(reply.status).toBe(401)
})

describe('403', () => {
  const MAY: readonly StaffTier[] = ['billing', 'operator', 'super_admin']

  test.for(STAFF_TIERS)('%s has the access of its tier', async (tier) => {
    const as = await server.person({ staff: tier })
    const payment = await paid()
    const { status, body } = await refund(refundRequest(payment), { as })
    if (MAY.includes(tier)) expect(status).toBe(200)
    else expect([status, body.code]).toEqual([403, 'staff_only'])
    expect(await balanceOf(payment.customer)).toBe(MAY.includes(tier) ? 14_000n : 10_000n)
  })

  test('only a super admin can credit their organisation', async () => {
    const { customer, reference } = await paid()
    await server.sql.rows`
      insert into staff (user_id, role, created_at) values (${customer.userId}, 'operator', ${server.clock.now()})`
    for (const source of ['refund', 'adjustment'])
      expect(
        await refund(refundRequest({ customer, reference }, { source }), { as: customer }),
      ).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      })
    expect(await balanceOf(customer)).toBe(10_000n)
    expect(await refundedOf(reference)).toBe(0n)
  })

  test('neither the owner of the organisation nor an API key has access', async () => {
    const payment = await paid()
    expect((await refund(refundRequest(payment), { as: payment.customer })).body.code).toBe('staff_only')
    const { bearer } = await server.key(biller, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
    expect((await refund(refundRequest(payment), { as: { ...biller, bearer } })).status).toBe(403)
    expect(await balanceOf(payment.customer)).toBe(10_000n)
  })
})

test('404 for an unknown organisation', async () => {
  const payment = await paid()
  for (const orgId of [newId('org'), 'org_x', 'x'])
    expect(await refund(refundRequest(payment, { orgId }))).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
})

test('422 for an idempotency key of another request', async () => {
  const payment = await paid()
  const key = `k${++count}`
  await refund(refundRequest(payment), { key })
  expect((await refund(refundRequest(payment, { amountMinor: 1 }), { key })).body.code).toBe(
    'idempotency_key_reused',
  )
})
