import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'

const SALES = 'sales@cowrie.test'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    schedules: ['billing.', 'payments.', 'wallet.', 'invoices.'],
    variables: { SERVICE_LEADS_EMAIL: SALES, TRUST_PROXY: '1' },
  })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

const ADA = { name: 'Ada', email: 'Ada@Example.com', message: 'We are forty people.' }
let networks = 0
/** Each from a new network address, unless one is given. */
const postLead = (body: object, from = `203.0.113.${++networks % 250}`) =>
  server.call('POST', '/contact/lead', { body, headers: { 'x-forwarded-for': from } })
const stored = (email: string) => server.sql.rows<Record<string, unknown>>`
  select name, email, company, interest, message, address from leads where email = ${email} order by created_at`

type Mail = { subject: string; text: string; html: string }
async function mailAbout(email: string): Promise<Mail | undefined> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: Mail[] }>('GET', '/dev/outbox', { query: { to: SALES } })
  return body.mails.find(({ text }) => text.includes(email))
}

describe('a lead', () => {
  test('is stored and mailed to us', async () => {
    const { status, body } = await postLead(
      { ...ADA, company: ' Engines Ltd ', interest: 'teams' },
      '203.0.113.251',
    )
    expect([status, body]).toEqual([200, { ok: true, id: expect.stringMatching(/^lead_/) }])
    expect(await stored('ada@example.com')).toEqual([
      {
        ...{ name: 'Ada', email: 'ada@example.com', company: 'Engines Ltd', interest: 'teams' },
        ...{ message: ADA.message, address: '203.0.113.251' },
      },
    ])
    const mail = await mailAbout('ada@example.com')
    expect(mail?.subject).toBe('Contact request about teams')
    expect(mail?.text).toContain('Ada of Engines Ltd wrote to us. Reply to ada@example.com.')
    expect(mail?.text).toContain(ADA.message)
  })

  test('is general by default', async () => {
    await postLead({ ...ADA, email: 'general@example.com', company: '' })
    expect(await stored('general@example.com')).toMatchObject([{ interest: 'general', company: null }])
  })

  test('adds no markup, links or headers to our mail', async () => {
    await postLead({
      ...{ name: '<b>Eve</b> https://evil.example/x', email: 'eve@example.com', company: '<img src=x>' },
      message: '<script>alert(1)</script>\r\nBcc: all@example.com\n\nwww.evil.example',
    })
    const mail = await mailAbout('eve@example.com')
    expect(mail?.subject).toBe('Contact request about Cowrie')
    expect(mail?.html).not.toMatch(/<script|<img|<b>|evil\.example/)
    expect(mail?.text).not.toMatch(/evil\.example/)
    expect(await stored('eve@example.com')).toHaveLength(1)
  })

  test.for<[string, object]>([
    ['no name', { ...ADA, name: undefined }],
    ['a name of blanks', { ...ADA, name: '  ' }],
    ['a name of two lines', { ...ADA, name: 'Ada\nBcc: x@example.com' }],
    ['no address', { ...ADA, email: 'ada' }],
    ['two addresses', { ...ADA, email: 'a@example.com,b@example.com' }],
    ['an address with a line break', { ...ADA, email: 'a@example.com\nBcc: b@example.com' }],
    ['no message', { ...ADA, message: ' \n ' }],
    ['too long a message', { ...ADA, message: 'x'.repeat(5001) }],
    ['another interest', { ...ADA, interest: 'gold' }],
  ])('with %s is rejected', async ([, body]) => {
    expect(await postLead(body)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })

  test('of a program gets the same reply and is not stored', async () => {
    const { status, body } = await postLead({
      ...ADA,
      email: 'bot@example.com',
      website: 'https://spam.example',
    })
    expect([status, body]).toEqual([200, { ok: true, id: expect.stringMatching(/^lead_[0-9a-z]{26}$/) }])
    expect(await stored('bot@example.com')).toEqual([])
  })
})

describe('a lead above the limit', () => {
  const refused = { status: 429, body: { code: 'too_many_attempts' } }

  test('per network is rejected until the hour is over', async () => {
    const from = '198.51.100.7'
    for (let i = 0; i < 5; i++)
      expect((await postLead({ ...ADA, email: `n${i}@example.com` }, from)).status).toBe(200)
    const sixth = await postLead({ ...ADA, email: 'n6@example.com' }, from)
    expect(sixth).toMatchObject(refused)
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(3_500)
    expect(await stored('n6@example.com')).toEqual([])
    expect((await postLead({ ...ADA, email: 'n6@example.com' })).status).toBe(200)
    server.clock.advance({ hours: 1 })
    expect((await postLead({ ...ADA, email: 'n7@example.com' }, from)).status).toBe(200)
  })

  test('per email address is rejected, in any spelling', async () => {
    for (const email of ['one@example.com', 'ONE@example.com', 'One@Example.com'])
      expect((await postLead({ ...ADA, email })).status).toBe(200)
    expect(await postLead({ ...ADA, email: 'oNe@example.com' })).toMatchObject(refused)
    expect(await stored('one@example.com')).toHaveLength(3)
  })

  test('of all leads is stored without a mail', async () => {
    await postLead({ ...ADA, email: 'first@example.com' })
    expect(await mailAbout('first@example.com')).toBeDefined()
    await server.sql.rows`update attempts set count = 200 where name = 'lead.all'`
    expect((await postLead({ ...ADA, email: 'last@example.com' })).status).toBe(200)
    expect(await stored('last@example.com')).toHaveLength(1)
    expect(await mailAbout('last@example.com')).toBeUndefined()
  })
})

describe('the list', () => {
  test('is paged for staff, newest first', async () => {
    await server.sql.rows`delete from leads`
    for (let i = 0; i < 3; i++) {
      await postLead({ ...ADA, email: `l${i}@example.com` })
      server.clock.advance({ seconds: 1 })
    }
    const staff = await server.person({ staff: 'support' })
    type Page = { leads: { email: string }[]; nextCursor: string | null }
    const page = async (query: Record<string, string>) =>
      (await server.call<Page>('GET', '/admin/leads', { as: staff, query })).body
    const first = await page({ limit: '2' })
    expect(first.leads.map(({ email }) => email)).toEqual(['l2@example.com', 'l1@example.com'])
    const second = await page({ limit: '2', cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ leads: [{ email: 'l0@example.com' }], nextCursor: null })
    const stranger = await server.person()
    expect((await server.call('GET', '/admin/leads', { as: stranger })).status).toBe(403)
  })

  test('drops leads after two years', async () => {
    await server.sql.rows`delete from leads`
    await postLead({ ...ADA, email: 'old@example.com' })
    server.clock.advance({ days: 729 })
    await postLead({ ...ADA, email: 'new@example.com' })
    await server.app.jobs.drain()
    expect(await stored('old@example.com')).toHaveLength(1)
    server.clock.advance({ days: 2 })
    await server.app.jobs.drain()
    expect(await stored('old@example.com')).toHaveLength(0)
    expect(await stored('new@example.com')).toHaveLength(1)
  })
})

describe('the recipient', () => {
  const leadsEmail = (variables: Record<string, string>) => readConfig(variables, '1').leadsEmail

  test('is the configured address, or else the root administrator, or else none', () => {
    expect(leadsEmail({ SERVICE_LEADS_EMAIL: 'a@b.c', SERVICE_ROOT_ADMIN_EMAIL: 'r@b.c' })).toBe('a@b.c')
    expect(leadsEmail({ SERVICE_ROOT_ADMIN_EMAIL: 'r@b.c' })).toBe('r@b.c')
    expect(leadsEmail({})).toBeNull()
    expect(() => leadsEmail({ SERVICE_LEADS_EMAIL: 'a@b.c, d@e.f' })).toThrow('SERVICE_LEADS_EMAIL')
  })
})
