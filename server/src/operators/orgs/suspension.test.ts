import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

let server: TestServer
let replica: TestServer
let compliance: Person
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  compliance = await server.person({ staff: 'compliance' })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})
beforeEach(async () => {
  ada = await server.person({ type: 'team' })
})

const suspend = (orgId: string, body?: object, as: Person = compliance): Promise<Reply> =>
  server.call('POST', `/admin/orgs/${orgId}/suspend`, { as, ...(body && { body }) })
const unsuspend = (orgId: string, as: Person = compliance): Promise<Reply> =>
  server.call('POST', `/admin/orgs/${orgId}/unsuspend`, { as, body: {} })
const rowOf = ({ orgId }: Person) =>
  server.sql.one<{ at: Date | null; reason: string | null; by: string | null }>`
    select suspended_at as at, suspended_reason as reason, suspended_by as by from orgs where id = ${orgId}`
const trail = ({ orgId }: Person) =>
  server.sql.rows<{ action: string; actor_kind: string; actor_user_id: string; metadata: object }>`
    select action, actor_kind, actor_user_id, metadata from audit_entries
    where org_id = ${orgId} and action like 'org.%' order by seq`
async function mailsTo(to: string) {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to },
  })
  return body.mails
}

describe('POST /admin/orgs/{id}/suspend', () => {
  test('200 stops paid work on every replica for users and keys, and allows reading', async () => {
    const key = await server.key(ada, ['agent:run', 'wallet:read'])
    // An invalid body: refused after the suspension check, so that nothing runs.
    const knock = (by: TestServer, as: { bearer: string }) => by.call('POST', '/agent/run', { as, body: {} })
    expect((await knock(replica, key)).status).toBe(400)

    expect(await suspend(ada.orgId, { reason: ' Cards of others. ' })).toMatchObject({
      status: 200,
      body: { ok: true, orgId: ada.orgId, suspended: true, changed: true },
    })
    for (const by of [replica, server])
      for (const as of [ada, key])
        expect(await knock(by, as)).toMatchObject({ status: 403, body: { code: 'org_suspended' } })
    for (const path of ['/wallet', '/agent/runs', '/v1/models', '/wallet/ledger'])
      expect((await replica.call('GET', path, { as: key })).status, path).toBe(200)
    expect((await replica.call('GET', '/me', { as: ada })).body).toMatchObject({ orgSuspended: true })

    expect((await unsuspend(ada.orgId)).body).toMatchObject({ suspended: false, changed: true })
    for (const as of [ada, key]) expect((await knock(replica, as)).status).toBe(400)
  })

  test('200 records actor and reason in the audit log of the organisation', async () => {
    await suspend(ada.orgId, { reason: ' Cards of others. ' })
    expect(await rowOf(ada)).toEqual({
      at: server.clock.now(),
      reason: 'Cards of others.',
      by: compliance.userId,
    })
    await unsuspend(ada.orgId)
    expect(await rowOf(ada)).toEqual({ at: null, reason: null, by: null })
    const by = { actor_kind: 'operator', actor_user_id: compliance.userId }
    expect(await trail(ada)).toEqual([
      { action: 'org.suspend', ...by, metadata: { reason: 'Cards of others.' } },
      { action: 'org.unsuspend', ...by, metadata: { suspendedFor: 'Cards of others.' } },
    ])
    const { body } = await server.call('GET', `/admin/orgs/${ada.orgId}`, { as: compliance })
    expect(body).toMatchObject({ staffActions: [{ action: 'org.unsuspend' }, { action: 'org.suspend' }] })
  })

  test('200 mails the reason and the consequences to owners and admins, not to members', async () => {
    const [admin, member] = [
      await server.member(ada.orgId, 'admin'),
      await server.member(ada.orgId, 'member'),
    ]
    await server.sql.rows`update orgs set name = 'Free https://evil.example/x' where id = ${ada.orgId}`
    await suspend(ada.orgId, { reason: 'Cards of others.' })
    await unsuspend(ada.orgId)
    for (const { email } of [ada, admin]) {
      const mails = await mailsTo(email)
      expect(mails.map(({ subject }) => subject).sort()).toEqual([
        'Your organisation is no longer suspended',
        'Your organisation is suspended',
      ])
      const text = mails.map((mail) => mail.text).join()
      expect(text).toContain('Reason: Cards of others.')
      expect(text).toContain('You can still sign in')
      expect(text).not.toContain('evil.example')
    }
    expect(await mailsTo(member.email)).toEqual([])
  })

  test('200 without a reason, and without a body', async () => {
    expect((await suspend(ada.orgId)).body).toMatchObject({ changed: true })
    expect(await rowOf(ada)).toMatchObject({ reason: null })
    expect((await mailsTo(ada.email))[0]?.text).not.toContain('The reason')
    const other = await server.person()
    expect((await suspend(other.orgId, { reason: '  ' })).body).toMatchObject({ changed: true })
    expect(await rowOf(other)).toMatchObject({ reason: null })
  })

  test('200 again has no effect, keeps the reason and is not recorded', async () => {
    expect((await unsuspend(ada.orgId)).body).toMatchObject({ suspended: false, changed: false })
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, i) => suspend(ada.orgId, { reason: `reason ${i}` })),
    )
    expect(replies.filter(({ body }) => body.changed === true)).toHaveLength(1)
    const { reason } = await rowOf(ada)
    expect((await suspend(ada.orgId, { reason: 'another' })).body).toMatchObject({ changed: false })
    expect(await rowOf(ada)).toMatchObject({ reason })
    expect(await trail(ada)).toHaveLength(1)
    expect(await mailsTo(ada.email)).toHaveLength(1)
  })

  test('400 for a reason that is too long or not a string', async () => {
    for (const reason of ['x'.repeat(501), 7]) expect((await suspend(ada.orgId, { reason })).status).toBe(400)
    expect(await rowOf(ada)).toMatchObject({ at: null })
  })

  test('403 to other tiers, to customers and to members of the organisation', async () => {
    for (const staff of ['support', 'billing'] as const) {
      const as = await server.person({ staff })
      expect((await suspend(ada.orgId, {}, as)).body).toMatchObject({ code: 'staff_only' })
      expect((await unsuspend(ada.orgId, as)).body).toMatchObject({ code: 'staff_only' })
    }
    expect((await suspend(ada.orgId, {}, ada)).status).toBe(403)
    const insider = await server.member(ada.orgId, 'member')
    await server.sql.rows`
      insert into staff (user_id, role, created_at) values (${insider.userId}, 'operator', ${server.clock.now()})`
    expect((await suspend(ada.orgId, {}, insider)).body).toMatchObject({ code: 'forbidden' })
    expect(await rowOf(ada)).toMatchObject({ at: null })
    await suspend(ada.orgId)
    expect((await unsuspend(ada.orgId, insider)).body).toMatchObject({ code: 'forbidden' })
    expect(await rowOf(ada)).toMatchObject({ by: compliance.userId })
  })

  test('404 for an unknown organisation', async () => {
    for (const id of [newId('org'), 'x']) {
      expect((await suspend(id)).status).toBe(404)
      expect((await unsuspend(id)).status).toBe(404)
    }
  })
})
