import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { makeTenant } from '@cowrie/testkit/harness/tenants/tenant-world.ts'
import { createPayment, mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { giveCredit, holdSome } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../kernel/ids.ts'
import { settlePayment } from '../payments/settle/settle.ts'
import type { Module } from '../platform/module.ts'

/** External storage that fails at first. */
const erased: OrgId[] = []
const attempts = new Map<OrgId, number>()
const files: Module = {
  name: 'files',
  tenantData: {
    async erase(_app, org) {
      attempts.set(org, (attempts.get(org) ?? 0) + 1)
      if (attempts.get(org) === 1) throw new Error('the files cannot be reached')
      erased.push(org)
    },
  },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ modules: [files] })
})
afterAll(() => server.close())

type Said = { code: string; reasons: string[]; closedAt: string }

async function close(as: { bearer: string }, orgId: OrgId, body: object = {}) {
  const { name } = await server.sql.one<{ name: string }>`select name from orgs where id = ${orgId}`
  return server.call<Said>('DELETE', `/orgs/${orgId}`, { as, body: { confirm: name, ...body } })
}

const me = async (as: { bearer: string }) =>
  (await server.call<{ orgId: OrgId; orgName: string }>('GET', '/me', { as })).body

/** The violations of the ledger checks. Credits of test fixtures have no payment, so they are listed. */
async function findings(): Promise<unknown> {
  const as = await server.person({ staff: 'support' })
  const { status, body } = await server.call('GET', '/admin/ledger/invariants', { as })
  expect(status).toBe(200)
  return (body.checks as { name: string; violations: unknown }[]).map(({ name, violations }) => [
    name,
    violations,
  ])
}

/** The number of rows of an organisation in a table. */
async function rowsIn(org: string, ...tables: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const text = Object.assign([`select count(*)::int as n from ${table} where org_id = '${org}'`], {
      raw: [''],
    })
    const [row] = await server.sql.rows<{ n: number }>(text as unknown as TemplateStringsArray)
    counts[table] = row?.n ?? -1
  }
  return counts
}

describe('a closed organisation', () => {
  const EVIDENCE = [
    'movements',
    'wallets',
    'payments',
    'invoices',
    'credit_notes',
    'usage_points',
    'holds',
  ] as const
  const CONTENT = [
    'chat_threads',
    'chat_messages',
    'agent_runs',
    'stored_responses',
    'tasks',
    'task_turns',
    'task_steps',
    'task_base_files',
    'task_changes',
    'task_pull_requests',
    'task_clients',
    'streams',
    'stream_events',
  ] as const
  let owner: Person
  let member: Person
  let org: OrgId
  let browser: ReturnType<TestServer['visitor']>
  let bystander: ReturnType<TestServer['visitor']>
  let vouchedFor: ReturnType<TestServer['visitor']>
  let key: { bearer: string }
  let evidence: Record<string, number>
  let before: unknown
  let balanceMinor: bigint
  let fingerprintOf: () => Promise<object>

  beforeAll(async () => {
    const tenant = await makeTenant(server)
    owner = tenant.owner
    org = owner.orgId
    member = await server.member(org, 'admin')
    key = await server.key(member, ['agent:run'])
    browser = server.visitor()
    bystander = server.visitor()
    vouchedFor = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: owner.email } })
    await bystander.call('POST', '/auth/dev-login', { body: { email: member.email } })
    const { userId, email } = await server.person()
    await vouchedFor.call('POST', '/auth/dev-login', { body: { email } })
    await server.sql.rows`update sessions set sso_org_id = ${org} where user_id = ${userId}`
    expect((await vouchedFor.call('GET', '/me')).status).toBe(200)
    await server.sql.rows`
      update payments set status = 'expired' where reference = ${tenant.ids.undecidedPayment}`
    fingerprintOf = () =>
      server.sql
        .one`select balance_minor, seq, encode(head, 'hex') as head from wallets where org_id = ${org}`
    const wallet = (await fingerprintOf()) as { balance_minor: bigint }
    balanceMinor = wallet.balance_minor
    evidence = await rowsIn(org, ...EVIDENCE)
    const untouched = await fingerprintOf()
    before = await findings()
    const { name } = await server.sql.one<{ name: string }>`select name from orgs where id = ${org}`
    const reply = await browser.call('DELETE', `/orgs/${org}`, {
      body: { confirm: name, forfeitMinor: balanceMinor },
    })
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    expect(await fingerprintOf()).toEqual(untouched)
    await server.app.jobs.drain()
  })

  test('is not found by its former members', async () => {
    for (const as of [owner, member]) {
      for (const path of ['members', 'usage']) {
        const [real, unknown] = await Promise.all(
          [org, newId('org')].map((id) => server.call('GET', `/teams/${id}/${path}`, { as })),
        )
        expect(real).toMatchObject({ status: 404 })
        expect({ ...real?.body, requestId: '' }).toEqual({ ...unknown?.body, requestId: '' })
      }
      const orgs = await server.call<{ orgs: { orgId: string }[] }>('GET', '/me/orgs', { as })
      expect(orgs.body.orgs.map(({ orgId }) => orgId)).not.toContain(org)
      expect(await close(as, org)).toMatchObject({ status: 404 })
    }
  })

  test('ends API keys and sessions, and its owner continues in another organisation', async () => {
    expect((await server.call('GET', '/v1/models', { as: key })).status).toBe(401)
    expect((await bystander.call('GET', '/me')).status).toBe(401)
    expect((await vouchedFor.call('GET', '/me')).status).toBe(401)
    const mine = await browser.call<{ orgId: string; orgType: string }>('GET', '/me')
    expect(mine).toMatchObject({ status: 200, body: { orgType: 'individual' } })
    expect(mine.body.orgId).not.toBe(org)
  })

  test('leaves every member an organisation to sign in to', async () => {
    for (const { email, bearer } of [owner, member]) {
      const again = server.visitor()
      const signedIn = await again.call('POST', '/auth/dev-login', { body: { email } })
      expect(signedIn).toMatchObject({ status: 200, body: { orgId: expect.not.stringMatching(org) } })
      const made = await again.call('POST', '/auth/keys', { body: { name: 'new' } })
      expect(made.status).toBeLessThan(300)
      expect((await me({ bearer })).orgId).toBe(signedIn.body.orgId)
    }
  })

  test('has no content and no credentials', async () => {
    const gone = [
      ...CONTENT,
      'memberships',
      'hook_endpoints',
      'sso_connections',
      'sso_domains',
      'scim_tokens',
      'scim_users',
      'device_logins',
    ]
    expect(Object.values(await rowsIn(org, ...gone))).toEqual(gone.map(() => 0))
    const cards = await server.sql.rows`select id from cards where org_id = ${org} and removed_at is null`
    expect(cards).toEqual([])
    const keys = await server.sql.rows`select id from api_keys where org_id = ${org} and revoked_at is null`
    const sessions = await server.sql
      .rows`select id from sessions where org_id = ${org} and revoked_at is null`
    expect([...keys, ...sessions]).toEqual([])
  })

  test('keeps the records of its money, and the ledger checks pass', async () => {
    expect(await rowsIn(org, ...EVIDENCE)).toEqual(evidence)
    const staff = await server.person({ staff: 'support' })
    expect(await findings()).toEqual(before)
    const shown = await server.call('GET', `/admin/payments`, { as: staff, query: { orgId: org } })
    expect((shown.body.payments as object[]).length).toBeGreaterThan(0)
  })

  test('audits the closure with the forfeited values and notifies the other owners and admins', async () => {
    const [last] = await server.sql.rows`
      select action, actor_user_id as "userId", metadata from audit_entries where org_id = ${org} order by seq desc limit 1`
    expect(last).toMatchObject({
      action: 'org.close',
      userId: owner.userId,
      metadata: { forfeitMinor: expect.anything() },
    })
    const isNotified = async ({ email }: Person) =>
      (await mailsTo(server, email)).some(({ subject }) => subject.endsWith('was closed on Cowrie'))
    expect([await isNotified(member), await isNotified(owner)]).toEqual([true, false])
  })

  test('cannot get single sign-on from staff', async () => {
    const as = await server.person({ staff: 'super_admin' })
    const body = { domain: 'example.org' }
    expect((await server.call('POST', `/orgs/${org}/sso/domains`, { as, body })).status).toBe(404)
  })

  test('is emptied again after late writes, with retries until it succeeds', async () => {
    const late = newId('thr')
    await server.sql.rows`
      insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
      values (${late}, ${org}, ${owner.userId}, 'general', ${server.clock.now()}, ${server.clock.now()})`
    expect(erased).not.toContain(org)
    server.clock.advance({ days: 1, minutes: 1 })
    await server.app.jobs.drain()
    expect(erased).toContain(org)
    expect(await rowsIn(org, 'chat_threads')).toEqual({ chat_threads: 0 })
  })

  test('receives late payments in its wallet, and staff are notified', async () => {
    const staff = await server.person({ staff: 'billing' })
    const reference = await createPayment(server, { ...owner, orgId: org }, { status: 'expired' })
    const paid = { status: 'paid', amountMinor: 500_000n, currency: 'NGN', reference } as const
    const settled = await settlePayment(
      server.app,
      reference,
      { ...paid, transactionId: 'late', live: true },
      'sweep',
    )
    expect(settled).toMatchObject({ status: 'settled', balanceMinor: balanceMinor + 500_000n })
    await server.app.jobs.drain()
    expect((await mailsTo(server, staff.email)).map(({ subject }) => subject)).toContain(
      'A payment arrived for a closed organisation',
    )
  })
})

describe('closing is refused', () => {
  test('without the exact name', async () => {
    const ada = await server.person()
    const reply = await close(ada, ada.orgId, { confirm: 'something else' })
    expect(reply).toMatchObject({ status: 400, body: { fields: [{ path: 'confirm' }] } })
  })

  test('to admins, members, strangers and old sessions', async () => {
    const ada = await server.person({ type: 'team' })
    expect((await close(await server.member(ada.orgId, 'admin'), ada.orgId)).status).toBe(403)
    expect((await close(await server.person(), ada.orgId)).status).toBe(404)
    const browser = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: ada.email } })
    server.clock.advance({ minutes: 16 })
    const stale = await browser.call('DELETE', `/orgs/${ada.orgId}`, { body: { confirm: ada.email } })
    expect(stale).toMatchObject({ status: 403, body: { code: 'reauth_required' } })
  })

  test('while the wallet has a balance that is not forfeited, with the amount', async () => {
    const ada = await server.person()
    await giveCredit(server, ada.orgId, 123_456n)
    const refusal = {
      status: 409,
      body: { code: 'org_not_closable', reasons: [expect.stringContaining('123456')] },
    }
    expect(await close(ada, ada.orgId)).toMatchObject(refusal)
    expect(await close(ada, ada.orgId, { forfeitMinor: 123_455n })).toMatchObject(refusal)
    expect((await close(ada, ada.orgId, { forfeitMinor: 123_456n })).status).toBe(200)
  })

  test('while work, payments or plans are active, with all reasons', async () => {
    const ada = await server.person()
    await giveCredit(server, ada.orgId, 1_000n)
    await holdSome(server, ada, 500n)
    await createPayment(server, ada)
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${ada.orgId}`
    await subscribe(ada, 'active')
    const { status, body } = await close(ada, ada.orgId)
    expect(status).toBe(409)
    expect(body.reasons).toEqual([
      expect.stringContaining('suspended'),
      expect.stringContaining('Work is still running'),
      expect.stringContaining('A payment is still pending'),
      expect.stringContaining('The pro plan is paid until'),
    ])
    expect((await me(ada)).orgId).toBe(ada.orgId)
  })

  test('while a payment is under review', async () => {
    const ada = await server.person()
    await createPayment(server, ada, { status: 'review' })
    expect((await close(ada, ada.orgId)).body.reasons).toEqual([expect.stringContaining('under review')])
  })
})

async function subscribe(
  { orgId }: Person,
  status: 'active' | 'incomplete',
  isComped = false,
): Promise<string> {
  const [id, now] = [newId('sub'), server.clock.now()]
  await server.sql.rows`
    insert into subscriptions (id, org_id, plan_code, interval, status, rate_card_version, currency, seats, seats_paid,
                               is_comped, anchor, period_start, period_end, created_at)
    values (${id}, ${orgId}, 'pro', 'month', ${status}, '2026-11', 'NGN', 1, 1, ${isComped}, ${now}, ${now},
            ${new Date(now.getTime() + 86_400_000)}, ${now})`
  return id
}

describe('closing', () => {
  test('ends a paid plan only with forfeitPlan', async () => {
    const ada = await server.person()
    const id = await subscribe(ada, 'active')
    expect((await close(ada, ada.orgId, { forfeitPlan: 'team' })).status).toBe(409)
    expect((await close(ada, ada.orgId, { forfeitPlan: 'pro' })).status).toBe(200)
    const after = await server.sql.one`select status from subscriptions where id = ${id}`
    expect(after).toEqual({ status: 'canceled' })
  })

  test('ends policy changes by staff', async () => {
    const [ada, staff] = [await server.person(), await server.person({ staff: 'super_admin' })]
    await close(ada, ada.orgId)
    const money = { orgId: ada.orgId, amountMinor: 1n, reason: 'x', source: 'adjustment' }
    const headers = { 'idempotency-key': 'after-the-end' }
    const replies = [
      await server.call('POST', `/admin/orgs/${ada.orgId}/suspend`, { as: staff, body: {} }),
      await server.call('POST', '/wallet/refund', { as: staff, body: money, headers }),
      await server.call('POST', `/admin/orgs/${ada.orgId}/comp`, {
        as: staff,
        body: { planCode: 'team', reason: 'x' },
      }),
      await server.call('PUT', `/orgs/${ada.orgId}/policy`, { as: staff, body: { tier: 'team' } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const ledger = await server.call('GET', '/wallet/ledger', { as: staff, query: { orgId: ada.orgId } })
    expect(ledger.status).toBe(200)
    const found = await server.call('GET', '/admin/orgs', { as: staff, query: { q: ada.orgId } })
    expect(found.body.orgs).toMatchObject([{ orgId: ada.orgId, closed: true }])
  })

  test('ends a granted plan and an unpaid plan', async () => {
    const ada = await server.person()
    const given = await subscribe(ada, 'active', true)
    const waiting = await subscribe(ada, 'incomplete')
    expect((await close(ada, ada.orgId)).status).toBe(200)
    const rows = await server.sql.rows<{ id: string; status: string }>`
      select id, status from subscriptions where org_id = ${ada.orgId} order by id`
    expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
      new Map([given, waiting].map((id) => [id, 'canceled'])),
    )
  })

  test('happens once with concurrent calls', async () => {
    const ada = await server.person()
    const replies = await Promise.all([1, 2, 3].map(() => close(ada, ada.orgId)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  test('a personal organisation leaves a new empty one', async () => {
    const ada = await server.person()
    await giveCredit(server, ada.orgId, 500n)
    expect((await close(ada, ada.orgId, { forfeitMinor: 500n })).status).toBe(200)
    const { orgId } = await me(ada)
    expect(orgId).not.toBe(ada.orgId)
    expect((await server.call('GET', '/wallet', { as: ada })).body).toMatchObject({ balanceMinor: 0n })
    expect((await close(ada, orgId)).status).toBe(200)
  })

  test('ends open invitations', async () => {
    const ada = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set seat_allotment = 5 where id = ${ada.orgId}`
    const email = `${newId('usr')}@example.com`
    const body = { email, role: 'member' }
    expect((await server.call('POST', `/teams/${ada.orgId}/members`, { as: ada, body })).status).toBe(200)
    const links = () => server.sql.rows`
      select l.id from links l join users u on u.id = l.user_id where u.email = ${email} and l.used_at is null`
    expect(await links()).toHaveLength(1)
    expect((await close(ada, ada.orgId)).status).toBe(200)
    expect(await links()).toEqual([])
  })
})
