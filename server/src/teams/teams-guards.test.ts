import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { edit, join, openTeam, remove, roles } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('changes and removals in one team do not affect other teams', async () => {
  const [one, two] = [await openTeam(server), await openTeam(server)]
  const { userId } = two.member
  await join(server, one.orgId, two.member, 'member')
  const capOf = async (orgId: string) =>
    (
      await server.sql.one<{ cap: bigint | null }>`
        select seat_cap_minor as cap from memberships where org_id = ${orgId} and user_id = ${userId}`
    ).cap
  const reply = await edit(server, one.owner, one.orgId, userId, { role: 'admin', capNaira: 5 })
  expect(reply).toMatchObject({ status: 200, body: { member: { role: 'admin', seatCapMinor: 500n } } })
  expect((await roles(server, two.orgId))[userId]).toBe('member')
  expect(await capOf(one.orgId)).toBe(500n)
  expect(await capOf(two.orgId)).toBeNull()
  expect((await remove(server, one.owner, one.orgId, userId)).status).toBe(200)
  expect((await roles(server, one.orgId))[userId]).toBeUndefined()
  expect((await roles(server, two.orgId))[userId]).toBe('member')
})
