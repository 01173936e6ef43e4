// Money actions of staff above the limit: requested, decided by another member of staff, executed once.
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPayment, mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StaffTier } from '../platform/http/actor.ts'

const LIMIT = 10_000
let server: TestServer
let admin: Person
let second: Person
let requester: Person
let customer: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.person({ staff: 'super_admin' })
  second = await server.person({ staff: 'billing' })
  await setLimit(LIMIT)
})
afterAll(() => server.close())
beforeEach(async () => {
  requester = await server.person({ staff: 'billing' })
  customer = await server.person()
})

const setLimit = (value: number) =>
  server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
let keys = 0
const credit = (
  amountMinor: number,
  { as = requester, key = `credit-${++keys}`, orgId = customer.orgId } = {},
) =>
  server.call('POST', '/wallet/refund', {
    as,
    body: { orgId, amountMinor, reason: 'Goodwill', source: 'adjustment' },
    headers: { 'idempotency-key': key },
  })
const decide = (id: unknown, decision: 'approve' | 'reject', as: Person = second, key = `decide-${++keys}`) =>
  server.call('POST', `/admin/approvals/${id}/decide`, {
    as,
    body: { decision },
    headers: { 'idempotency-key': key },
  })
const requestCredit = async (amountMinor = LIMIT + 1): Promise<string> => {
  const { status, body } = await credit(amountMinor)
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'approval_required' })
  return String(body.approvalId)
}
const balance = async () =>
  Number((await server.call<{ balanceMinor: bigint }>('GET', '/wallet', { as: customer })).body.balanceMinor)
const stateOf = async (id: string) => {
  const { body } = await server.call<{ approvals: { id: string; state: string }[] }>(
    'GET',
    '/admin/approvals',
    {
      as: second,
      query: { status: 'all', limit: '100' },
    },
  )
  return body.approvals.find((each) => each.id === id)
}
const setRole = (role: StaffTier) =>
  server.sql.rows`update staff set role = ${role} where user_id = ${requester.userId}`

describe('a credit', () => {
  test('up to the limit is given at once', async () => {
    expect((await credit(LIMIT)).status).toBe(200)
    expect(await balance()).toBe(LIMIT)
  })

  test('above the limit is stored, and changes nothing', async () => {
    const id = await requestCredit()
    expect(await balance()).toBe(0)
    expect(await stateOf(id)).toMatchObject({
      kind: 'wallet.refund',
      orgId: customer.orgId,
      amountMinor: BigInt(LIMIT + 1),
      requestedBy: requester.email,
      state: 'pending',
    })
  })

  test('above the limit is mailed once to each who may approve it, and to no other staff', async () => {
    const support = await server.person({ staff: 'support' })
    const subject = 'A money action needs your approval'
    const count = async ({ email }: Person) =>
      (await mailsTo(server, email)).filter(
        (mail) => mail.subject === subject && mail.text.includes(requester.email),
      ).length
    await credit(LIMIT + 1, { key: 'mailed-credit' })
    await credit(LIMIT + 1, { key: 'mailed-credit' })
    const mailed = [await count(admin), await count(second), await count(requester), await count(support)]
    expect(mailed).toEqual([1, 1, 0, 0])
  })

  test('in parts counts as one within 24 hours', async () => {
    expect((await credit(LIMIT - 1)).status).toBe(200)
    expect((await credit(2)).body.code).toBe('approval_required')
    expect((await credit(1)).status).toBe(200)
    server.clock.advance({ hours: 24 })
    expect((await credit(LIMIT)).status).toBe(200)
  })

  test('in concurrent parts does not pass the limit', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => credit(LIMIT / 2 + 1)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await balance()).toBe(LIMIT / 2 + 1)
  })

  test('without a limit is never stored', async () => {
    await setLimit(0)
    expect((await credit(LIMIT * 10)).status).toBe(200)
    await setLimit(LIMIT)
  })

  test('that fails a check is not requested', async () => {
    expect(await credit(LIMIT + 1, { orgId: `org_${'0'.repeat(26)}` as never })).toMatchObject({
      status: 404,
    })
  })

  test('finds its request again under the same idempotency key', async () => {
    const first = await credit(LIMIT + 1, { key: 'same-credit' })
    const again = await credit(LIMIT + 1, { key: 'same-credit' })
    expect(again.body.approvalId).toBe(first.body.approvalId)
    await decide(first.body.approvalId, 'approve')
    expect(await credit(LIMIT + 1, { key: 'same-credit' })).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    expect(await balance()).toBe(LIMIT + 1)
  })
})

test('credits that waited for an approval cannot be repeated past the limit once it has room', async () => {
  expect((await credit(1)).status).toBe(200)
  const waiting = ['waited-1', 'waited-2']
  for (const key of waiting) expect((await credit(LIMIT, { key })).body.code).toBe('approval_required')
  server.clock.advance({ hours: 24 })
  for (const key of waiting) expect((await credit(LIMIT, { key })).body.code).toBe('already_decided')
  expect(await balance()).toBe(1)
})

describe('a request', () => {
  test('is executed once when another member of staff approves, and the audit log names both', async () => {
    const id = await requestCredit()
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { state: 'approved' } })
    expect(await balance()).toBe(LIMIT + 1)
    expect((await decide(id, 'approve')).body.code).toBe('already_decided')
    expect(await balance()).toBe(LIMIT + 1)
    const entries = await server.sql.rows<{
      action: string
      email: string
      metadata: Record<string, unknown>
    }>`
      select action, actor_email as email, metadata from audit_entries
      where target = ${id} or org_id = ${customer.orgId} order by created_at, seq`
    expect(entries.find(({ action }) => action === 'wallet.refund')).toMatchObject({
      email: requester.email,
      metadata: { approvedBy: second.email },
    })
    expect(entries.find(({ action }) => action === 'approvals.approve')).toMatchObject({
      email: second.email,
      metadata: { requestedBy: requester.userId },
    })
  })

  test('approved by two at the same time is executed once', async () => {
    const id = await requestCredit()
    const replies = await Promise.all([decide(id, 'approve'), decide(id, 'approve', admin)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await balance()).toBe(LIMIT + 1)
  })

  test('cannot be approved by its requester, who may withdraw it', async () => {
    const id = await requestCredit()
    expect((await decide(id, 'approve', requester)).body.code).toBe('forbidden')
    expect(await decide(id, 'reject', requester)).toMatchObject({ body: { state: 'rejected' } })
    expect((await decide(id, 'approve')).body.code).toBe('already_decided')
    expect(await balance()).toBe(0)
  })

  test('cannot be approved by a member of the organisation of any tier, or without the tier', async () => {
    const id = await requestCredit()
    for (const member of [second, admin]) {
      await server.sql.rows`
        insert into memberships (org_id, user_id, role, created_at)
        values (${customer.orgId}, ${member.userId}, 'member', ${server.clock.now()})`
      expect((await decide(id, 'approve', member)).body.code).toBe('forbidden')
      await server.sql
        .rows`delete from memberships where org_id = ${customer.orgId} and user_id = ${member.userId}`
    }
    const support = await server.person({ staff: 'support' })
    expect((await decide(id, 'approve', support)).body.code).toBe('staff_only')
    expect(await balance()).toBe(0)
  })

  test('cannot be approved by staff who lose their tier while the approval waits', async () => {
    const id = await requestCredit()
    const leaving = await server.person({ staff: 'billing' })
    const approving: ReturnType<typeof decide>[] = []
    await server.app.db.tx('platform', async (tx) => {
      await tx.lock('staff')
      approving.push(decide(id, 'approve', leaving))
      await expect
        .poll(
          () =>
            server.sql.rows`
              select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          { timeout: 10_000 },
        )
        .toHaveLength(1)
      await tx.rows`delete from staff where user_id = ${leaving.userId}`
    })
    expect((await approving[0])?.body.code).toBe('staff_only')
    expect(await balance()).toBe(0)
  })

  test('is not executed after the owner chose another currency', async () => {
    const register = (currency: string) =>
      server.call('POST', '/auth/register', {
        body: { email: 'unconfirmed@example.com', password: 'three pelicans in April', currency },
      })
    await register('NGN')
    const { orgId } = await server.sql.one<{ orgId: Person['orgId'] }>`
      select m.org_id as "orgId" from memberships m join users u on u.id = m.user_id
      where u.email = 'unconfirmed@example.com'`
    const id = String((await credit(LIMIT + 1, { orgId })).body.approvalId)
    await register('KES')
    expect((await decide(id, 'approve')).body.code).toBe('forbidden')
    expect(await stateOf(id)).toMatchObject({ state: 'pending', currency: 'NGN' })
  })

  test.for(['removed', 'moved to another tier'])('is void when its requester was %s', async (how) => {
    const id = await requestCredit()
    if (how === 'removed') await server.sql.rows`delete from staff where user_id = ${requester.userId}`
    else await setRole('operator')
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { state: 'void' } })
    expect(await balance()).toBe(0)
  })

  test('expires after 24 hours', async () => {
    const id = await requestCredit()
    server.clock.advance({ hours: 24 })
    expect((await decide(id, 'approve')).body.code).toBe('already_decided')
    expect(await stateOf(id)).toMatchObject({ state: 'expired' })
    expect(await balance()).toBe(0)
  })
})

test('a payment under review is credited after the approval', async () => {
  const reference = await createPayment(server, customer, {
    status: 'review',
    amountMinor: 500_000n,
    mode: 'mock',
  })
  const resolve = () =>
    server.call('POST', `/admin/payments/${reference}/resolve`, {
      as: requester,
      body: { decision: 'credit', note: 'Seen on the statement' },
      headers: { 'idempotency-key': `resolve-${++keys}` },
    })
  const asked = await resolve()
  expect(asked.body).toMatchObject({ code: 'approval_required' })
  expect(await decide(asked.body.approvalId, 'approve')).toMatchObject({ body: { state: 'approved' } })
  expect(await balance()).toBe(500_000)
})

test('a request whose check fails at the approval stays open', async () => {
  const reference = await createPayment(server, customer, {
    status: 'review',
    amountMinor: 500_000n,
    mode: 'mock',
  })
  const resolve = (decision: string) =>
    server.call('POST', `/admin/payments/${reference}/resolve`, {
      as: requester,
      body: { decision, note: 'Looked at it' },
      headers: { 'idempotency-key': `resolve-${++keys}` },
    })
  const id = String((await resolve('credit')).body.approvalId)
  expect((await resolve('reject')).status).toBe(200)
  expect((await decide(id, 'approve')).body.code).toBe('payment_not_in_review')
  expect(await stateOf(id)).toMatchObject({ state: 'pending' })
  expect(await balance()).toBe(0)
})
