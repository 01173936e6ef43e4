import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type UserId } from '../../kernel/ids.ts'
import { ensureOwnOrg, openAccountWithoutOrg, updateRegistration } from './accounts.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** An invited address whose owner registers before confirming it. */
async function registersAfterInvitation(registrations: { name: string | null; currency: 'KES' | 'GHS' }[]) {
  const email = `${newId('usr')}@example.com`
  const team = await server.person({ type: 'team' })
  const id = await server.app.db.tx('platform', (tx) => openAccountWithoutOrg(tx, { email, verified: false }))
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    values (${team.orgId}, ${id}, 'member', ${server.clock.now()})`
  for (const { name, currency } of registrations) {
    server.clock.advance({ seconds: 1 })
    await server.app.db.tx('platform', (tx) =>
      updateRegistration(tx, id as UserId, { name, orgName: name ?? email, currency }),
    )
  }
  await server.app.db.tx('platform', (tx) => ensureOwnOrg(tx, { id: id as UserId, email, name: null }))
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email } })
  return { email, browser, teamId: team.orgId }
}

describe('an invited user who registers', () => {
  test('lands in a personal organisation, in the requested currency', async () => {
    const { browser } = await registersAfterInvitation([{ name: 'Amina', currency: 'KES' }])
    expect((await browser.call('GET', '/me')).body).toMatchObject({
      orgName: 'Amina',
      orgType: 'individual',
      role: 'owner',
      currency: { code: 'KES' },
    })
  })

  test('gets a personal organisation from the last registration and stays in the team', async () => {
    const { email, browser, teamId } = await registersAfterInvitation([
      { name: 'Amina', currency: 'KES' },
      { name: null, currency: 'GHS' },
    ])
    expect((await browser.call('GET', '/me')).body).toMatchObject({
      orgName: email,
      currency: { code: 'GHS' },
    })
    const { body } = await browser.call<{ orgs: { orgId: string; type: string }[] }>('GET', '/me/orgs')
    expect(body.orgs).toMatchObject([{ orgId: teamId }, { type: 'individual' }])
  })
})
