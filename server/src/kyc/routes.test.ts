import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

type KycRecord = { orgId: string; status: string; submittedAt: string } & Record<string, unknown>
type Own = { status: string; record: KycRecord | null }
type Page = { records: KycRecord[]; nextCursor: string | null }
type Reviewed = { ok: boolean; record: KycRecord; code?: string }

const DETAILS = {
  businessName: 'Lagos Labs Ltd',
  registrationNumber: 'RC-CANARY-4711',
  contactEmail: 'legal@lagoslabs.example',
  documentRef: 'vault/canary-document',
}

let server: TestServer
let reviewer: Person
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  reviewer = await server.person({ staff: 'compliance' })
})
beforeEach(async () => {
  ada = await server.person({ type: 'team' })
})
afterAll(() => server.close())

const submit = (as: { bearer: string }, body: unknown = DETAILS) => server.call('POST', '/kyc', { as, body })
const own = (as: { bearer: string }) => server.call<Own>('GET', '/kyc', { as })
const list = (as: Person, query: Record<string, string> = {}) =>
  server.call<Page>('GET', '/admin/kyc', { as, query })
const review = (as: { bearer: string }, orgId: string, body: unknown = { status: 'verified' }) =>
  server.call<Reviewed>('POST', `/admin/kyc/${orgId}/review`, { as, body })
const statusOf = async (orgId: string) =>
  (await server.sql.one<{ kyc_status: string }>`select kyc_status from orgs where id = ${orgId}`).kyc_status
const trail = (orgId: string) => server.sql.rows<{ action: string }>`
  select action, target, metadata, actor_kind, actor_user_id from audit_entries where org_id = ${orgId} order by seq desc`
async function mailsTo(to: string) {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to },
  })
  return body.mails
}

describe('POST /kyc', () => {
  describe('200', () => {
    test('submits the details, confirms them by mail and writes an audit event', async () => {
      expect(await submit(ada)).toMatchObject({ status: 200, body: { ok: true, status: 'pending' } })
      expect(await statusOf(ada.orgId)).toBe('pending')
      expect((await server.call('GET', '/me', { as: ada })).body.kycStatus).toBe('pending')
      expect(await mailsTo(ada.email)).toMatchObject([{ subject: 'We received your business details' }])
      expect(await mailsTo(DETAILS.contactEmail)).toEqual([])
      expect(await trail(ada.orgId)).toEqual([
        {
          action: 'kyc.submit',
          target: ada.orgId,
          metadata: { from: 'unsubmitted', to: 'pending' },
          actor_kind: 'user',
          actor_user_id: ada.userId,
        },
      ])
    })

    test('accepts a name alone; other fields are empty', async () => {
      await submit(ada, { businessName: ' Lagos Labs ' })
      expect((await own(ada)).body.record).toMatchObject({
        businessName: 'Lagos Labs',
        registrationNumber: '',
        contactEmail: '',
        documentRef: '',
        reviewerNotes: '',
        reviewedAt: null,
      })
    })

    test('replaces a pending or rejected submission', async () => {
      await submit(ada)
      server.clock.advance({ minutes: 1 })
      expect((await submit(ada, { businessName: 'Second' })).status).toBe(200)
      expect((await own(ada)).body.record).toMatchObject({ businessName: 'Second', registrationNumber: '' })
      await review(reviewer, ada.orgId, { status: 'rejected', notes: 'Blurred.' })
      server.clock.advance({ minutes: 1 })
      expect((await submit(ada, { businessName: 'Third' })).status).toBe(200)
      expect((await own(ada)).body).toMatchObject({
        status: 'pending',
        record: { businessName: 'Third', status: 'pending', reviewerNotes: '', reviewedAt: null },
      })
      expect(await statusOf(ada.orgId)).toBe('pending')
    })

    test('keeps the details out of the audit log and the log', async () => {
      await submit(ada)
      await submit(ada, { ...DETAILS, contactEmail: 'no address' })
      await review(reviewer, ada.orgId, { status: 'rejected', notes: 'canary notes' })
      const entries = await server.sql.rows`
        select action, target, metadata from audit_entries where org_id = ${ada.orgId}`
      expect(JSON.stringify([entries, server.logged])).not.toMatch(/canary|lagoslabs/i)
    })
  })

  test.for([
    [{}, 'businessName'],
    [{ businessName: '  ' }, 'businessName'],
    [{ businessName: 'x'.repeat(201) }, 'businessName'],
    [{ businessName: 'a\u0007b' }, 'businessName'],
    [{ ...DETAILS, contactEmail: 'nobody' }, 'contactEmail'],
    [{ ...DETAILS, registrationNumber: 5 }, 'registrationNumber'],
    [{ ...DETAILS, documentRef: 'x'.repeat(501) }, 'documentRef'],
  ] as const)('400 for %j, naming %s', async ([body, path]) => {
    expect(await submit(ada, body)).toMatchObject({ status: 400, body: { fields: [{ path }] } })
    expect(await statusOf(ada.orgId)).toBe('unsubmitted')
  })

  test('401 without a session; 403 to members, keys and staff who are only members', async () => {
    expect((await server.call('POST', '/kyc', { body: DETAILS })).status).toBe(401)
    const member = await server.member(ada.orgId, 'member')
    expect((await submit(member)).status).toBe(403)
    await server.sql
      .rows`insert into staff (user_id, role, created_at) values (${member.userId}, 'super_admin', ${server.clock.now()})`
    expect((await submit(member)).status).toBe(403)
    expect((await submit(await server.key(ada, ['keys:manage']))).status).toBe(403)
    expect(await statusOf(ada.orgId)).toBe('unsubmitted')
    expect((await submit(await server.member(ada.orgId, 'admin'))).status).toBe(200)
  })

  test('409 once verified', async () => {
    await submit(ada)
    await review(reviewer, ada.orgId)
    expect(await submit(ada, { businessName: 'Other' })).toMatchObject({
      status: 409,
      body: { code: 'kyc_verified' },
    })
    expect((await own(ada)).body).toMatchObject({
      status: 'verified',
      record: { businessName: DETAILS.businessName },
    })
  })

  test('429 after 20 in a day', async () => {
    for (let i = 0; i < 20; i++) expect((await submit(ada)).status).toBe(200)
    const refused = await submit(ada)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  })
})

describe('GET /kyc', () => {
  test('200 shows only the caller’s organisation, to members and keys too', async () => {
    expect((await own(ada)).body).toEqual({ status: 'unsubmitted', record: null })
    await submit(ada)
    const wanted = {
      status: 'pending',
      record: {
        ...DETAILS,
        orgId: ada.orgId,
        orgName: ada.email,
        reviewerNotes: '',
        status: 'pending',
        submittedAt: server.clock.now().toISOString(),
        reviewedAt: null,
      },
    }
    expect((await own(ada)).body).toEqual(wanted)
    expect((await own(await server.member(ada.orgId, 'member'))).body).toEqual(wanted)
    expect((await own(await server.key(ada, []))).body).toEqual(wanted)
    expect((await own(await server.person())).body).toEqual({ status: 'unsubmitted', record: null })
  })

  test('401 without a session', async () => {
    expect((await server.call('GET', '/kyc')).status).toBe(401)
  })
})

describe('GET /admin/kyc', () => {
  test('200 lists submissions to any staff, by status, oldest first', async () => {
    const orgs: string[] = []
    for (let i = 0; i < 3; i++) {
      const person = await server.person({ type: 'team' })
      server.clock.advance({ minutes: 1 })
      await submit(person)
      orgs.push(person.orgId)
    }
    await review(reviewer, orgs[1] ?? '')
    const support = await server.person({ staff: 'support' })
    const seen = async (query: Record<string, string>) =>
      (await list(support, { limit: '200', ...query })).body.records
        .map(({ orgId }) => orgId)
        .filter((id) => orgs.includes(id))
    expect(await seen({ status: 'pending' })).toEqual([orgs[0], orgs[2]])
    expect(await seen({ status: 'verified' })).toEqual([orgs[1]])
    expect(await seen({ status: 'rejected' })).toEqual([])
    expect(await seen({ status: 'all' })).toEqual(orgs)
    expect(await seen({})).toEqual(orgs)
  })

  test('200 comes in pages that neither skip nor repeat', async () => {
    for (let i = 0; i < 3; i++) await submit(await server.person({ type: 'team' }))
    const all = (await list(reviewer, { limit: '200' })).body.records.map(({ orgId }) => orgId)
    const paged: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 100; page++) {
      const { body }: { body: Page } = await list(reviewer, {
        limit: '2',
        ...(cursor !== null && { cursor }),
      })
      paged.push(...body.records.map(({ orgId }) => orgId))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    expect(paged).toEqual(all)
  })

  test('400 for another status or a cursor that is none', async () => {
    expect((await list(reviewer, { status: 'unsubmitted' })).status).toBe(400)
    expect((await list(reviewer, { cursor: 'nonsense' })).status).toBe(400)
  })

  test('401 without a session; 403 to customers and to keys of staff', async () => {
    expect((await server.call('GET', '/admin/kyc')).status).toBe(401)
    expect((await list(ada)).status).toBe(403)
    const key = await server.key(reviewer, ['metrics:read'])
    expect((await server.call('GET', '/admin/kyc', { as: key })).status).toBe(403)
  })
})

describe('POST /admin/kyc/{orgId}/review', () => {
  beforeEach(async () => {
    await submit(ada)
  })

  describe('200', () => {
    test('verifies at once, notifies owners and contact, and writes an audit event of the organisation', async () => {
      server.clock.advance({ hours: 1 })
      const { status, body } = await review(reviewer, ada.orgId, { status: 'verified', notes: 'All there.' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        ok: true,
        record: {
          orgId: ada.orgId,
          status: 'verified',
          reviewerNotes: 'All there.',
          reviewedAt: server.clock.now().toISOString(),
        },
      })
      expect((await own(ada)).body).toEqual({ status: 'verified', record: body.record })
      expect((await server.call('GET', '/me', { as: ada })).body.kycStatus).toBe('verified')
      for (const to of [ada.email, DETAILS.contactEmail])
        expect((await mailsTo(to))[0]).toMatchObject({ subject: 'Your business is verified' })
      expect((await trail(ada.orgId))[0]).toEqual({
        action: 'admin.kyc.review',
        target: ada.orgId,
        metadata: { from: 'pending', to: 'verified' },
        actor_kind: 'operator',
        actor_user_id: reviewer.userId,
      })
    })

    test('rejects, and the mail says what was missing', async () => {
      server.clock.advance({ minutes: 1 })
      expect((await review(reviewer, ada.orgId, { status: 'rejected', notes: 'No stamp.' })).status).toBe(200)
      expect(await statusOf(ada.orgId)).toBe('rejected')
      const [mail] = await mailsTo(ada.email)
      expect(mail?.subject).toBe('Your business could not be verified')
      expect(mail?.text).toContain('No stamp.')
    })

    test('names no other website in the mails, whatever the organisation is called', async () => {
      await server.sql
        .rows`update orgs set name = 'Blocked: https://evil.example/login' where id = ${ada.orgId}`
      await submit(ada)
      await review(reviewer, ada.orgId, { status: 'rejected', notes: 'See https://cowrie.example/help.' })
      await submit(ada)
      await review(reviewer, ada.orgId)
      const mails = await mailsTo(ada.email)
      expect(mails.length).toBeGreaterThanOrEqual(4)
      for (const { subject, text } of mails) expect(subject + text).not.toContain('evil.example')
      expect(mails.some(({ text }) => text.includes('See https://cowrie.example/help.'))).toBe(true)
    })

    test.for(['compliance', 'operator', 'super_admin'] as const)('to %s', async (staff) => {
      expect((await review(await server.person({ staff }), ada.orgId)).status).toBe(200)
    })

    test('when the submission is the one the reviewer read', async () => {
      const { submittedAt } = (await own(ada)).body.record ?? {}
      expect((await review(reviewer, ada.orgId, { status: 'verified', submittedAt })).status).toBe(200)
    })

    test('to one of two concurrent reviewers on two replicas', async () => {
      const second = await startTestServer({ url: server.url, clock: server.clock })
      const decisions = [server, second].map((replica, i) => () => {
        const body = { status: i === 0 ? 'verified' : 'rejected' }
        return replica.call('POST', `/admin/kyc/${ada.orgId}/review`, { as: reviewer, body })
      })
      try {
        // Both are under way before either can decide.
        const replies = await server.app.db.tx('platform', async (tx) => {
          await tx.rows`select id from orgs where id = ${ada.orgId} for no key update`
          const underWay = decisions.map((decide) => decide())
          await expect
            .poll(
              () => server.sql.rows`
                select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            )
            .toHaveLength(2)
          return underWay
        })
        const statuses = (await Promise.all(replies)).map(({ status }) => status)
        expect(statuses.sort()).toEqual([200, 409])
        const decided = await server.sql.rows`select status from kyc_records where org_id = ${ada.orgId}`
        expect(decided).toEqual([{ status: await statusOf(ada.orgId) }])
      } finally {
        await second.close()
      }
    })
  })

  test('400 for an invalid decision', async () => {
    for (const body of [{}, { status: 'pending' }, { status: 'verified', notes: 'x'.repeat(2001) }])
      expect((await review(reviewer, ada.orgId, body)).status).toBe(400)
    expect(await statusOf(ada.orgId)).toBe('pending')
  })

  test('401 without a session; 403 to customers, lower tiers and keys', async () => {
    const path = `/admin/kyc/${ada.orgId}/review`
    expect((await server.call('POST', path, { body: { status: 'verified' } })).status).toBe(401)
    expect((await review(ada, ada.orgId)).status).toBe(403)
    for (const staff of ['support', 'billing'] as const)
      expect((await review(await server.person({ staff }), ada.orgId)).body.code).toBe('staff_only')
    expect((await review(await server.key(reviewer, ['metrics:read']), ada.orgId)).status).toBe(403)
    expect(await statusOf(ada.orgId)).toBe('pending')
  })

  test('403 to a reviewer who is a member of the organisation', async () => {
    const insider = await server.member(ada.orgId, 'member')
    await server.sql
      .rows`insert into staff (user_id, role, created_at) values (${insider.userId}, 'compliance', ${server.clock.now()})`
    expect(await review(insider, ada.orgId)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await statusOf(ada.orgId)).toBe('pending')
  })

  test('404 for an organisation that does not exist', async () => {
    expect((await review(reviewer, newId('org'))).status).toBe(404)
    expect((await review(reviewer, 'nonsense')).status).toBe(404)
  })

  describe('409', () => {
    test('when nothing was submitted, or it was decided already', async () => {
      const quiet = await server.person({ type: 'team' })
      expect((await review(reviewer, quiet.orgId)).body.code).toBe('kyc_not_pending')
      await review(reviewer, ada.orgId, { status: 'rejected' })
      expect((await review(reviewer, ada.orgId)).body.code).toBe('kyc_not_pending')
      expect(await statusOf(ada.orgId)).toBe('rejected')
    })

    test('when there was a new submission since the reviewer read it', async () => {
      const { submittedAt } = (await own(ada)).body.record ?? {}
      server.clock.advance({ seconds: 1 })
      await submit(ada, { businessName: 'Something else' })
      const reply = await review(reviewer, ada.orgId, { status: 'verified', submittedAt })
      expect(reply).toMatchObject({ status: 409, body: { code: 'kyc_not_pending' } })
      expect(await statusOf(ada.orgId)).toBe('pending')
    })
  })
})

test('a transaction of one organisation sees no other’s details', async () => {
  await submit(ada)
  const other = await server.person()
  const seen = await server.app.db.tx(other.orgId, (tx) => tx.rows`select org_id from kyc_records`)
  expect(seen).toEqual([])
})
