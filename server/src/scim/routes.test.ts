// Directory services provision members: the requests that Okta and Entra ID send, by their public documentation.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { CORE_GROUP, CORE_USER, type Directory, openDirectory, patch } from '@cowrie/testkit/sso/scim.ts'
import { actionsIn, roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let replica: TestServer
let acme: Directory
let other: Directory
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  acme = await openDirectory(server, 'acme.example', { groupRoleMap: { Admins: 'admin' } })
  other = await openDirectory(server, 'other.example')
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const where = (filter: string) => `?filter=${encodeURIComponent(filter)}`

describe('Okta', () => {
  test('tests the connection, finds no user, creates one, updates and deactivates it', async () => {
    const { send, userBody, orgId } = acme
    const page = await send('GET', '/Users?startIndex=1&count=2')
    expect(page).toMatchObject({ status: 200, body: { startIndex: 1, itemsPerPage: 1, totalResults: 1 } })
    expect(page.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    expect((await send('GET', '/Groups?startIndex=1&count=100')).body.Resources).toEqual([])
    const search = `/Users${where('userName eq "ada@acme.example"')}&startIndex=1&count=100`
    expect((await send('GET', search)).body).toMatchObject({ totalResults: 0, Resources: [] })

    const made = await send('POST', '/Users', userBody('ada', { externalId: '00u1', displayName: 'Ada L' }))
    expect(made).toMatchObject({
      status: 201,
      body: {
        schemas: [CORE_USER],
        userName: 'ada@acme.example',
        externalId: '00u1',
        displayName: 'Ada L',
        name: { givenName: 'ada', familyName: 'Test' },
        emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
        active: true,
        meta: { resourceType: 'User' },
      },
    })
    const path = `/Users/${made.body.id}`
    expect(made.headers.location).toBe(`http://cowrie.test/scim/v2${path}`)
    expect(await roleOf(server, orgId, 'ada@acme.example')).toBe('member')
    expect((await send('GET', search)).body.Resources).toEqual([made.body])
    expect((await send('GET', path)).body).toEqual(made.body)

    const renamed = await send(
      'PUT',
      path,
      userBody('ada', { id: made.body.id, displayName: 'Ada Lovelace' }),
    )
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Ada Lovelace', active: true } })
    expect(renamed.body).not.toHaveProperty('externalId')
    const off = await send('PATCH', path, patch({ op: 'replace', value: { active: false } }))
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect(await roleOf(server, orgId, 'ada@acme.example')).toBeUndefined()
    expect((await send('PUT', path, userBody('ada', { active: true }))).body).toMatchObject({ active: true })
    expect(await roleOf(server, orgId, 'ada@acme.example')).toBe('member')
  })

  test('pushes a group, its members and its new name', async () => {
    const { send, add } = acme
    const [bea, cyd] = [await add('bea'), await add('cyd')]
    const made = await send('POST', '/Groups', {
      schemas: [CORE_GROUP],
      displayName: 'Builders',
      members: [{ value: bea.id, display: 'bea' }],
    })
    expect(made).toMatchObject({
      status: 201,
      body: { displayName: 'Builders', members: [{ value: bea.id }] },
    })
    const path = `/Groups/${made.body.id}`
    const add2 = patch(
      { op: 'remove', path: `members[value eq "${bea.id}"]` },
      { op: 'add', path: 'members', value: [{ value: cyd.id }] },
    )
    const changed = await send('PATCH', path, add2)
    expect(changed).toMatchObject({ status: 204, text: '' })
    expect(changed.headers).not.toHaveProperty('content-length')
    await send('PATCH', path, patch({ op: 'replace', value: { id: made.body.id, displayName: 'Makers' } }))
    expect((await send('GET', path)).body).toMatchObject({
      displayName: 'Makers',
      members: [{ value: cyd.id }],
    })
    expect((await send('GET', `/Groups${where(`members eq "${cyd.id}"`)}`)).body).toMatchObject({
      totalResults: 1,
    })
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('GET', path)).status).toBe(404)
  })
})

describe('Entra ID', () => {
  test('disables, restores and deletes a user with its own forms of a patch', async () => {
    const { send, add, orgId } = acme
    const eve = await add('eve', { externalId: 'eve-oid' })
    const path = `/Users/${eve.id}`
    const off = patch({ op: 'Replace', path: 'active', value: 'False' })
    expect((await send('PATCH', path, off)).body).toMatchObject({ active: false })
    const found = await send('GET', `/Users${where('externalId eq "eve-oid"')}`)
    expect(found.body.Resources).toMatchObject([{ id: eve.id, active: false }])
    const profile = patch(
      { op: 'Add', path: 'name.givenName', value: 'Evelyn' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'evelyn@acme.example' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'R&D',
      },
      { op: 'Replace', value: { 'name.familyName': 'Moore', active: 'True' } },
    )
    expect((await send('PATCH', path, profile)).body).toMatchObject({
      active: true,
      name: { givenName: 'Evelyn', familyName: 'Moore' },
      emails: [{ value: 'eve@acme.example' }],
    })
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('GET', path)).status).toBe(404)
    expect((await send('DELETE', path)).status).toBe(404)
    expect(await roleOf(server, orgId, 'eve@acme.example')).toBeUndefined()
  })

  test('reads groups without members, and removes members by value', async () => {
    const { send, add } = acme
    const fay = await add('fay')
    const { body: group } = await send('POST', '/Groups', { displayName: 'Sales', externalId: 'g-1' })
    const path = `/Groups/${group.id}`
    await send('PATCH', path, patch({ op: 'Add', path: 'members', value: [{ value: fay.id }] }))
    const search = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Sales"')}`
    const [found] = (await send('GET', search)).body.Resources
    expect(found).toMatchObject({ id: group.id, externalId: 'g-1' })
    expect(found).not.toHaveProperty('members')
    expect((await send('GET', path)).body.members).toMatchObject([{ value: fay.id }])
    await send('PATCH', path, patch({ op: 'Remove', path: 'members', value: [{ value: fay.id }] }))
    expect((await send('GET', path)).body.members).toEqual([])
  })

  test('reads what is supported', async () => {
    const { send } = acme
    const config = await send('GET', '/ServiceProviderConfig')
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    expect((await send('GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 })
    expect((await send('GET', `/Schemas/${CORE_USER}`)).body).toMatchObject({ id: CORE_USER, name: 'User' })
    expect((await send('GET', '/Schemas')).body).toMatchObject({ totalResults: 2 })
  })
})

describe('a membership', () => {
  test('ends with its sessions and keys on every replica, and the account stays', async () => {
    const { send, add, orgId, domain } = acme
    const gus = await add('gus')
    const browser = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: `gus@${domain}` } })
    const key = await server.key(
      { userId: gus.id as `usr_${string}`, orgId, email: `gus@${domain}`, bearer: gus.id },
      ['wallet:read'],
    )
    expect((await browser.call('GET', '/me')).body).toMatchObject({ orgId })
    expect((await replica.call('GET', '/me', { as: key })).status).toBe(200)
    await send('PATCH', `/Users/${gus.id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect((await browser.call('GET', '/me')).status).toBe(401)
    expect((await replica.call('GET', '/me', { as: key })).status).toBe(401)
    const open = await server.sql.rows`
      select id from sessions where user_id = ${gus.id} and revoked_at is null
      union all select id from api_keys where user_id = ${gus.id} and revoked_at is null`
    expect(open).toEqual([])
    const again = await server.call('POST', '/auth/dev-login', { body: { email: `gus@${domain}` } })
    expect(again).toMatchObject({ status: 200, body: { userId: gus.id } })
    expect(again.body.orgId).not.toBe(orgId)
  })

  test('in another organisation is neither seen nor ended', async () => {
    const hal = await acme.add('hal')
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at) values (${other.orgId}, ${hal.id}, 'member', ${server.clock.now()})`
    expect((await acme.send('DELETE', `/Users/${hal.id}`)).status).toBe(204)
    expect(await roleOf(server, other.orgId, 'hal@acme.example')).toBe('member')
    expect((await acme.send('GET', `/Users/${hal.id}`)).status).toBe(404)
  })

  test('of the last owner cannot be ended', async () => {
    const { send, owner, orgId } = other
    const path = `/Users/${owner.userId}`
    for (const reply of [
      await send('DELETE', path),
      await send('PATCH', path, patch({ op: 'Replace', path: 'active', value: 'False' })),
    ])
      expect(reply).toMatchObject({
        status: 409,
        body: { schemas: [ERROR], status: '409', code: 'last_owner' },
      })
    expect(await roleOf(server, orgId, owner.email)).toBe('owner')
  })

  test('needs a free seat', async () => {
    await server.sql.rows`update orgs set seat_allotment = 1 where id = ${other.orgId}`
    const reply = await other.send('POST', '/Users', other.userBody('ida'))
    expect(reply).toMatchObject({ status: 402, body: { schemas: [ERROR], code: 'seats_exceeded' } })
    await server.sql.rows`update orgs set seat_allotment = 100 where id = ${other.orgId}`
  })

  test.for<[string, string]>([
    ['of another organisation', 'ivo@other.example'],
    ['of nobody', 'ivo@unverified.example'],
    ['below the own domain', 'ivo@sub.acme.example'],
    ['that only ends like the own domain', 'ivo@notacme.example'],
  ])('is refused for an address in a domain %s', async ([, address]) => {
    const body = { ...acme.userBody('ivo'), userName: address, emails: [{ value: address, primary: true }] }
    const reply = await acme.send('POST', '/Users', body)
    expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await server.sql.rows`select 1 from users where email = ${address}`).toEqual([])
  })

  test('is created once by concurrent calls on two replicas, and a replay is a duplicate', async () => {
    const body = acme.userBody('jon')
    const post = (on: TestServer) =>
      on.call('POST', '/scim/v2/Users', { as: { bearer: acme.token.token }, body })
    const replies = await Promise.all([post(server), post(replica), post(server)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await post(replica)).toMatchObject({
      status: 409,
      body: { schemas: [ERROR], status: '409', scimType: 'uniqueness' },
    })
    const taken = await acme.send('POST', '/Users', {
      ...acme.userBody('jon2'),
      userName: 'JON@acme.example',
    })
    expect(taken.body).toMatchObject({ scimType: 'uniqueness' })
  })
})

describe('a group with a role', () => {
  test('makes its members admins while they are in it, and never changes owners', async () => {
    const { send, add, orgId, owner } = acme
    const kim = await add('kim')
    const roleOfKim = () => roleOf(server, orgId, 'kim@acme.example')
    const made = await send('POST', '/Groups', {
      displayName: 'Admins',
      members: [{ value: kim.id }, { value: owner.userId }],
    })
    expect(await roleOfKim()).toBe('admin')
    expect(await roleOf(server, orgId, owner.email)).toBe('owner')
    const path = `/Groups/${made.body.id}`
    await send('PATCH', path, patch({ op: 'replace', path: 'displayName', value: 'Former admins' }))
    expect(await roleOfKim()).toBe('member')
    await send('PATCH', path, patch({ op: 'replace', path: 'displayName', value: 'Admins' }))
    await send('PATCH', `/Users/${kim.id}`, patch({ op: 'replace', path: 'active', value: false }))
    await send('PATCH', `/Users/${kim.id}`, patch({ op: 'replace', path: 'active', value: true }))
    expect(await roleOfKim()).toBe('admin')
    await send('DELETE', path)
    expect(await roleOfKim()).toBe('member')
    expect(await roleOf(server, orgId, owner.email)).toBe('owner')
  })

  test('cannot have the name of another group, or a user of another organisation', async () => {
    const { send } = acme
    await send('POST', '/Groups', { displayName: 'Twice' })
    expect((await send('POST', '/Groups', { displayName: 'twice' })).body).toMatchObject({
      scimType: 'uniqueness',
    })
    const foreign = await send('POST', '/Groups', {
      displayName: 'Foreign',
      members: [{ value: other.owner.userId }],
    })
    expect(foreign).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await send('GET', `/Groups${where('displayName eq "Foreign"')}`)).body.Resources).toEqual([])
  })
})

describe('a request', () => {
  test('with the token of one organisation finds nothing of another one', async () => {
    const lea = await other.add('lea')
    const { body: group } = await other.send('POST', '/Groups', {
      displayName: 'Lea',
      members: [{ value: lea.id }],
    })
    for (const path of [`/Users/${lea.id}`, `/Groups/${group.id}`])
      for (const [method, body] of [
        ['GET', undefined],
        ['DELETE', undefined],
        ['PATCH', patch({ op: 'replace', path: 'displayName', value: 'x' })],
        ['PUT', { userName: 'x', displayName: 'x' }],
      ] as const)
        expect((await acme.send(method, path, body)).status, `${method} ${path}`).toBe(404)
    for (const filter of ['userName eq "lea@other.example"', `id eq "${lea.id}"`])
      expect((await acme.send('GET', `/Users${where(filter)}`)).body).toMatchObject({ totalResults: 0 })
    expect((await other.send('GET', `/Users/${lea.id}`)).body).toMatchObject({ active: true })
  })

  test.for<[string, string, object | undefined, string]>([
    ['GET', `/Users${where('userName co "x"')}`, undefined, 'invalidFilter'],
    ['GET', `/Users${where('userName eq "x" or true')}`, undefined, 'invalidFilter'],
    ['GET', `/Groups${where('x')}`, undefined, 'invalidFilter'],
    ['GET', '/Users?count=many', undefined, 'invalidValue'],
    ['POST', '/Users', {}, 'invalidValue'],
    ['POST', '/Groups', { displayName: ' ' }, 'invalidValue'],
    ['PATCH', '/Users/x', { Operations: [] }, 'invalidValue'],
    [
      'PATCH',
      '/Users/x',
      patch(...Array.from({ length: 101 }, () => ({ op: 'add', path: 'x' }))),
      'invalidValue',
    ],
  ])('%s %s that is malformed is a SCIM error', async ([method, path, body, scimType]) => {
    const reply = await acme.send(method, path, body)
    expect(reply).toMatchObject({ status: 400, body: { schemas: [ERROR], status: '400', scimType } })
    expect(reply.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    expect(reply.body.detail).toMatch(/\.$/)
  })

  test('for a page out of range gets the nearest one', async () => {
    const { send } = acme
    expect((await send('GET', '/Users?startIndex=-5&count=100000')).body).toMatchObject({ startIndex: 1 })
    expect((await send('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, Resources: [] })
    expect((await send('GET', '/Users?startIndex=999999999')).body).toMatchObject({ itemsPerPage: 0 })
  })

  test('of more than 600 in a minute is refused', async () => {
    await server.sql
      .rows`update rate_windows set used = 600 where bucket = 'key_requests' and address = ${other.token.id}`
    const limited = await startTestServer({ url: server.url, clock: server.clock })
    const reply = await limited.call('GET', '/scim/v2/Users', { as: { bearer: other.token.token } })
    expect(reply).toMatchObject({ status: 429, body: { schemas: [ERROR], status: '429' } })
    await limited.close()
  })
})

describe('a SCIM token', () => {
  test('opens nothing but SCIM, and nothing else opens SCIM', async () => {
    const { token, owner } = acme
    for (const path of [
      '/me',
      '/auth/keys',
      `/teams/${owner.orgId}/members`,
      `/orgs/${owner.orgId}/sso/scim`,
    ])
      expect((await server.call('GET', path, { as: { bearer: token.token } })).status, path).toBe(401)
    const key = await server.key(owner, ['keys:manage'])
    for (const as of [owner, key, { bearer: `${token.token}x` }, undefined]) {
      const reply = await server.call('GET', '/scim/v2/Users', { as })
      expect(reply).toMatchObject({ status: 401, body: { schemas: [ERROR], status: '401' } })
    }
  })

  test('is managed by owners, shown once, stored as a hash and named in the audit log', async () => {
    const { orgId, owner, send } = await openDirectory(server, 'tokens.example')
    const admin = await server.member(orgId, 'admin')
    const path = `/orgs/${orgId}/sso/scim`
    expect((await server.call('GET', path, { as: admin })).status).toBe(403)
    expect((await send('GET', '/Users')).status).toBe(200)
    await expect
      .poll(
        () => server.sql.rows`select 1 from scim_tokens where org_id = ${orgId} and last_used_at is not null`,
      )
      .toHaveLength(1)
    const listed = await server.call<{ tokens: { id: string }[] }>('GET', path, { as: owner })
    expect(listed.body).toMatchObject({
      baseUrl: 'http://cowrie.test/scim/v2',
      domains: ['tokens.example'],
      tokens: [{ name: 'Okta', prefix: expect.stringMatching(/^cst_/), lastUsedAt: expect.any(String) }],
    })
    expect(listed.text).not.toMatch(/cst_\w+_/)
    await send('POST', '/Users', { userName: 'max@tokens.example' })
    const [entry] = await server.sql.rows`
      select actor_kind as kind, metadata->'directory'->>'name' as name from audit_entries
      where org_id = ${orgId} and action = 'scim.users.add'`
    expect(entry).toEqual({ kind: 'system', name: 'Okta' })
    const [made] = listed.body.tokens
    expect((await server.call('DELETE', `${path}/tokens/${made?.id}`, { as: owner })).status).toBe(200)
    expect((await send('GET', '/Users')).status).toBe(401)
    expect(await actionsIn(server, orgId)).toEqual(
      expect.arrayContaining(['orgs.sso.scim.addToken', 'orgs.sso.scim.revokeToken']),
    )
  })

  test('needs a recent sign-in of the owner', async () => {
    const { owner } = await openDirectory(server, 'fresh.example')
    const browser = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: owner.email } })
    server.clock.advance({ minutes: 16 })
    const reply = await browser.call('POST', `/orgs/${owner.orgId}/sso/scim/tokens`, { body: { name: 'x' } })
    expect(reply).toMatchObject({ status: 403, body: { code: 'reauth_required' } })
  })
})
