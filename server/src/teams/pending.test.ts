import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { add, type Member, openTeam, type Team, visitorIn } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

let server: TestServer
let team: Team
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  team = await openTeam(server)
})
afterAll(() => server.close())

const fresh = () => `${newId('usr')}@example.com`

test('adding a member does not reveal whether the address has an account, until the team is opened', async () => {
  const ada = await server.person()
  await server.sql.rows`update users set name = 'Ada' where id = ${ada.userId}`
  const shownOf = async (email: string) => {
    const added = await add(server, team.owner, team.orgId, { email, role: 'member' })
    const list = await server.call<{ members: Member[] }>('GET', `/teams/${team.orgId}/members`, {
      as: team.owner,
      query: { limit: '200' },
    })
    const listed = list.body.members.find((member) => member.email === email)
    const hidden = { userId: '', email: '', joinedAt: '' }
    expect(listed).toEqual(added.body.member)
    return { ...added.body, member: { ...added.body.member, ...hidden } }
  }
  const known = await shownOf(ada.email)
  expect(await shownOf(fresh())).toEqual(known)
  expect(known.member).toMatchObject({ pending: true, name: null })
  await visitorIn(server, team.orgId, ada)
  const { body } = await server.call<{ members: Member[] }>('GET', `/teams/${team.orgId}/members`, {
    as: team.owner,
    query: { limit: '200' },
  })
  expect(body.members.find(({ userId }) => userId === ada.userId)).toMatchObject({
    pending: false,
    name: 'Ada',
  })
})

test('an added member with other organisations is pending until they switch to the team', async () => {
  const ada = await server.person()
  server.clock.advance({ ms: 1 })
  await add(server, team.owner, team.orgId, { email: ada.email, role: 'member' })
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email: ada.email } })
  const isPending = async () =>
    (
      await server.sql.one<{ pending: boolean }>`
        select invited_at is not null as pending from memberships
        where org_id = ${team.orgId} and user_id = ${ada.userId}`
    ).pending
  expect(await isPending()).toBe(true)
  expect((await visitor.call('POST', '/me/org', { body: { orgId: team.orgId } })).status).toBe(200)
  expect(await isPending()).toBe(false)
})

test('the id of a new account does not reveal that it is new', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const { body } = await add(server, team.owner, team.orgId, { email: fresh(), role: 'member' })
    ids.push(body.member.userId)
  }
  const hourAgo = newId('usr', Date.now() - 3_600_000)
  expect(ids.some((id) => id < hourAgo)).toBe(true)
})
