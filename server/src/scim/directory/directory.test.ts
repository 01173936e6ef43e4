// Users and groups whose state differs from that of the directory service.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { type Directory, openDirectory, patch } from '@cowrie/testkit/sso/scim.ts'
import { roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let acme: Directory
beforeAll(async () => {
  server = await startTestServer()
  acme = await openDirectory(server, 'acme.example')
})
afterAll(() => server.close())

describe('a membership', () => {
  test('ends although the address of the user is the name of another one', async () => {
    const { send, add, orgId } = acme
    const mia = await add('mia')
    const named = patch({ op: 'replace', path: 'userName', value: 'noa@acme.example' })
    expect((await send('PATCH', `/Users/${mia.id}`, named)).status).toBe(200)
    const noa = await server.member(orgId, 'member')
    await server.sql.rows`update users set email = 'noa@acme.example' where id = ${noa.userId}`
    const rename = patch({ op: 'replace', path: 'displayName', value: 'Noa' })
    expect(await send('PATCH', `/Users/${noa.userId}`, rename)).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    const off = patch({ op: 'replace', path: 'active', value: false })
    const reply = await send('PATCH', `/Users/${noa.userId}`, off)
    expect(reply).toMatchObject({ status: 200, body: { active: false, userName: noa.userId } })
    expect(await roleOf(server, orgId, 'noa@acme.example')).toBeUndefined()
    expect((await send('GET', `/Users/${mia.id}`)).body).toMatchObject({ userName: 'noa@acme.example' })
  })

  test('cannot take the name of another one by a change of its letter case', async () => {
    const { send, add } = acme
    const [ola, pia] = [await add('ola'), await add('pia')]
    const rename = ({ id }: { id: string }, value: string) =>
      send('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value }))
    await rename(ola, 'É')
    const second = await rename(pia, 'é')
    expect([200, 409]).toContain(second.status)
    expect(await rename(ola, second.status === 200 ? 'é' : 'pia@acme.example')).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
  })
})

describe('a group', () => {
  test('forgets a member that the directory removes after an owner removed the user by hand', async () => {
    const { send, orgId, owner } = acme
    const quin = await server.member(orgId, 'member')
    const { body: group } = await send('POST', '/Groups', {
      displayName: 'Quin',
      members: [{ value: quin.userId }],
    })
    const removed = await server.call('DELETE', `/teams/${orgId}/members/${quin.userId}`, { as: owner })
    expect(removed.status).toBe(200)
    const path = `/Groups/${group.id}`
    const remove = patch({ op: 'remove', path: `members[value eq "${quin.userId}"]` })
    expect((await send('PATCH', path, remove)).status).toBe(204)
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${orgId}, ${quin.userId}, 'member', ${server.clock.now()})`
    expect((await send('GET', path)).body.members).toEqual([])
  })

  test('keeps its members when a removal selects them by something other than their id', async () => {
    const { send, add } = acme
    const [rik, sam] = [await add('rik'), await add('sam')]
    const members = [{ value: rik.id }, { value: sam.id }]
    const { body: group } = await send('POST', '/Groups', { displayName: 'Rik and Sam', members })
    const remove = patch({ op: 'remove', path: 'members[display eq "rik@acme.example"]' })
    const reply = await send('PATCH', `/Groups/${group.id}`, remove)
    expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } })
    expect((await send('GET', `/Groups/${group.id}`)).body.members).toHaveLength(2)
  })
})
