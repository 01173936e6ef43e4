import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
let reviewer: Person
beforeAll(async () => {
  server = await startTestServer()
  reviewer = await server.person({ staff: 'compliance' })
})
afterAll(() => server.close())

const submit = (as: Person) =>
  server.call('POST', '/kyc', {
    as,
    body: { businessName: 'Lagos Labs', contactEmail: 'legal@lagoslabs.example' },
  })
const statusOf = async (as: Person) =>
  (await server.call<{ kycStatus: string }>('GET', '/me', { as })).body.kycStatus

test('what one organisation submits, and what is decided about it, changes no other', async () => {
  const [ada, grace, idle] = [await server.person(), await server.person(), await server.person()]
  await submit(grace)
  await submit(ada)
  expect([await statusOf(ada), await statusOf(grace), await statusOf(idle)]).toEqual([
    'pending',
    'pending',
    'unsubmitted',
  ])
  const body = { status: 'verified' }
  expect((await server.call('POST', `/admin/kyc/${ada.orgId}/review`, { as: reviewer, body })).status).toBe(
    200,
  )
  expect([await statusOf(ada), await statusOf(grace), await statusOf(idle)]).toEqual([
    'verified',
    'pending',
    'unsubmitted',
  ])
})

test('a decision is mailed to the owners and the contact only', async () => {
  const ada = await server.person({ type: 'team' })
  const [admin, member] = [await server.member(ada.orgId, 'admin'), await server.member(ada.orgId, 'member')]
  await submit(ada)
  const body = { status: 'rejected', notes: 'The number is that of another company.' }
  await server.call('POST', `/admin/kyc/${ada.orgId}/review`, { as: reviewer, body })
  await server.app.jobs.drain()
  const told = async (to: string) => {
    const { body } = await server.call<{ mails: { subject: string }[] }>('GET', '/dev/outbox', {
      query: { to },
    })
    return body.mails.some(({ subject }) => subject === 'Your business could not be verified')
  }
  expect(await told(ada.email)).toBe(true)
  expect(await told('legal@lagoslabs.example')).toBe(true)
  expect(await told(admin.email)).toBe(false)
  expect(await told(member.email)).toBe(false)
})
