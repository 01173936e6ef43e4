// Versions of users and groups: a change that is based on an older one is refused.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { type Directory, openDirectory, patch } from '@cowrie/testkit/sso/scim.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let directory: Directory
beforeAll(async () => {
  server = await startTestServer()
  directory = await openDirectory(server, 'acme.example', { groupRoleMap: { Admins: 'admin' } })
})
afterAll(() => server.close())

const versionIn = ({ body }: { body: Record<string, unknown> }): string =>
  String((body.meta as { version: string }).version)
const rename = (name: string) => patch({ op: 'replace', path: 'displayName', value: name })
const addGroup = (name: string, members: readonly string[] = []) =>
  directory.send('POST', '/Groups', { displayName: name, members: members.map((value) => ({ value })) })
const CHANGES = [
  ['PUT', 'User', (name: string) => directory.userBody(name, { displayName: 'Other' })],
  ['PATCH', 'User', () => rename('Other')],
  ['DELETE', 'User', () => undefined],
  ['PUT', 'Group', (name: string) => ({ displayName: `${name} 2` })],
  ['PATCH', 'Group', (name: string) => rename(`${name} 2`)],
  ['DELETE', 'Group', () => undefined],
] as const

test('the service says that it supports versions, and sends each one as a field and as a header', async () => {
  expect((await directory.send('GET', '/ServiceProviderConfig')).body.etag).toEqual({ supported: true })
  const made = await directory.send('POST', '/Users', directory.userBody('ada'))
  expect(versionIn(made)).toMatch(/^W\/"[\w-]{22}"$/)
  expect(made.headers.etag).toBe(versionIn(made))
  const read = await directory.send('GET', `/Users/${made.body.id}`)
  expect([versionIn(read), read.headers.etag]).toEqual([versionIn(made), versionIn(made)])
})

describe.for(CHANGES)('%s of a %s', ([method, kind, body]) => {
  test('is refused for an older version and changes nothing, and done for the current one', async () => {
    const name = `${method}${kind}`.toLowerCase()
    const made = await (kind === 'User'
      ? directory.send('POST', '/Users', directory.userBody(name))
      : addGroup(name))
    const path = `/${kind}s/${made.body.id}`
    const changed = await directory.send('PATCH', path, rename('Changed meanwhile'), {
      'if-match': versionIn(made),
    })
    const current = await directory.send('GET', path)
    expect(changed.headers.etag).toBe(versionIn(current))
    expect(versionIn(current)).not.toBe(versionIn(made))
    const refused = await directory.send(method, path, body(name), { 'if-match': versionIn(made) })
    expect(refused).toMatchObject({ status: 412, body: { code: 'version_changed', status: '412' } })
    expect(await directory.send('GET', path)).toMatchObject({ status: 200, body: current.body })
    const match = `"other", ${versionIn(current)}`
    expect((await directory.send(method, path, body(name), { 'if-match': match })).status).toBeLessThan(300)
    await directory.send('DELETE', path)
  })
})

test('a change for any version, or without one, is done', async () => {
  const { id } = await directory.add('bea')
  for (const headers of [{ 'if-match': '*' }, {}] as Record<string, string>[])
    expect((await directory.send('PATCH', `/Users/${id}`, rename('Bea'), headers)).status).toBe(200)
})

test('of two concurrent changes of one version, one is refused', async () => {
  const made = await directory.send('POST', '/Users', directory.userBody('cyd'))
  const change = (name: string) =>
    directory.send('PATCH', `/Users/${made.body.id}`, rename(name), { 'if-match': versionIn(made) })
  const replies = await Promise.all([change('One'), change('Two')])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 412])
})

test('the version of a user changes when an owner removes the member', async () => {
  const made = await directory.send('POST', '/Users', directory.userBody('dan'))
  const path = `/teams/${directory.orgId}/members/${made.body.id}`
  expect((await server.call('DELETE', path, { as: directory.owner })).status).toBe(200)
  const change = await directory.send('PATCH', `/Users/${made.body.id}`, rename('Dan'), {
    'if-match': versionIn(made),
  })
  expect(change.status).toBe(412)
})

test('the version of a group depends on its members, also where they are excluded', async () => {
  const [eve, fay] = [await directory.add('eve'), await directory.add('fay')]
  const made = await addGroup('Readers', [eve.id])
  const path = `/Groups/${made.body.id}`
  const short = await directory.send('GET', `${path}?excludedAttributes=members`)
  expect(short.body).not.toHaveProperty('members')
  expect(versionIn(short)).toBe(versionIn(made))
  await directory.send('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value: fay.id }] }))
  const listed = await directory.send('GET', '/Groups?excludedAttributes=members')
  const version = listed.body.Resources.map((body) => versionIn({ body }))[0]
  expect(version).not.toBe(versionIn(made))
  expect(version).toBe(versionIn(await directory.send('GET', path)))
})

test('a caller who has the current version receives no body', async () => {
  const made = await directory.send('POST', '/Users', directory.userBody('gus'))
  const known = { 'if-none-match': versionIn(made) }
  const path = `/Users/${made.body.id}`
  const again = await directory.send('GET', path, undefined, known)
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', versionIn(made)])
  await directory.send('PATCH', path, rename('Gus'))
  expect((await directory.send('GET', path, undefined, known)).status).toBe(200)
})
