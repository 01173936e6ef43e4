// Tenant isolation: for a user of another organisation, every route answers existing ids exactly like unknown ones.

import {
  type Person,
  startTestServer,
  type TestRequest,
  type TestServer,
} from '@cowrie/testkit/harness/harness.ts'
import {
  addressOf,
  isForStaff,
  keysOf,
  namesForStaff,
  namesSomething,
  ROUTE_IDS,
  type RouteIds,
  STAFF_BODIES,
  WITHOUT_TENANT_DATA,
} from '@cowrie/testkit/harness/tenants/tenant-routes.ts'
import {
  makeTenant,
  type ResourceKind,
  type TenantWorld,
} from '@cowrie/testkit/harness/tenants/tenant-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/kernel/ids.ts'
import { modules } from '../src/modules.ts'
import { SCOPES } from '../src/platform/http/actor.ts'
import { paramNames, type Route } from '../src/platform/http/route.ts'

const routes = modules.flatMap((module) => module.routes ?? []).filter(namesSomething)
const ofCustomers = routes.filter((route) => !isForStaff(route) && !WITHOUT_TENANT_DATA[addressOf(route)])
const ofStaff = routes.filter(isForStaff)

type Ids = Readonly<Record<ResourceKind, string>>
type Stranger = { readonly name: string; readonly person: Person; readonly shows: TestRequest }

let server: TestServer
let tenant: TenantWorld
let other: Person
let strangers: Stranger[]
beforeAll(async () => {
  // Research routes refuse all requests without a search provider.
  server = await startTestServer({ variables: { SERVICE_SEARCH_URL: 'http://127.0.0.1:9' } })
  tenant = await makeTenant(server)
  other = await server.person({ type: 'team' })
  strangers = await callersFor(other)
})
afterAll(() => server.close())

async function callersFor(person: Person): Promise<Stranger[]> {
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email: person.email } })
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return [
    { name: 'a session', person, shows: { headers: { cookie } } },
    { name: 'a key', person, shows: { as: await server.key(person, SCOPES) } },
  ]
}

/** Unknown ids of the same format. */
const never = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([kind, id]) => [
      kind,
      id.includes('_') ? newId(id.split('_')[0] ?? '') : `tp${newId('x').slice(2)}`,
    ]),
  ) as Ids

test('every route with an id is listed here, and no other route', () => {
  const known = [...Object.keys(ROUTE_IDS), ...Object.keys(WITHOUT_TENANT_DATA)].toSorted()
  expect(
    routes
      .filter((route) => !isForStaff(route))
      .map(addressOf)
      .toSorted(),
  ).toEqual(known)
  expect(ofStaff.map(addressOf)).toEqual(expect.arrayContaining(Object.keys(STAFF_BODIES)))
  for (const route of ofCustomers) {
    const naming = ROUTE_IDS[addressOf(route)]
    expect(Object.keys(naming?.path ?? {}).toSorted(), route.name).toEqual(paramNames(route.path).toSorted())
  }
})

/** Calls a route with these ids. Returns the answer without the ids themselves. */
async function answerTo(route: Route, naming: RouteIds, ids: Ids, shows: TestRequest) {
  const filled = (names: Readonly<Record<string, ResourceKind>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(names).map(([name, kind]) => [name, ids[kind]]))
  const path = Object.entries(filled(naming.path)).reduce(
    (address, [name, id]) => address.replace(`{${name}}`, id),
    route.path,
  )
  const metric = keysOf(route.query).includes('metric') ? { metric: 'tokens' } : {}
  const key = route.idempotency === 'required' ? { 'idempotency-key': newId('x') } : {}
  const reply = await server.call(route.method, path, {
    ...shows,
    headers: { ...shows.headers, ...key },
    ...(naming.query && { query: { ...metric, ...filled(naming.query) } }),
    ...(route.body && { body: { ...naming.rest, ...filled(naming.body) } }),
  })
  const own = [...Object.values(ids), String(reply.body.requestId)]
  return {
    status: reply.status,
    type: reply.headers['content-type'],
    text: own.reduce((text, id) => text.replaceAll(id, '…'), reply.text),
  }
}

describe('a user of another organisation', () => {
  test.for(ofCustomers)('gets the same answer for real and unknown ids from $name', async (route) => {
    const naming = ROUTE_IDS[addressOf(route)] ?? {}
    for (const { name, shows } of strangers) {
      const [real, unknown] = [
        await answerTo(route, naming, tenant.ids, shows),
        await answerTo(route, naming, never(tenant.ids), shows),
      ]
      expect(real, name).toEqual(unknown)
      // An API key has no role and no session, so some routes refuse it before they check the id.
      if (name === 'a session') expect(real.status).toBe(namesForStaff(route) ? 403 : (naming.refused ?? 404))
      else expect([403, naming.refused ?? 404], name).toContain(real.status)
    }
  })

  test.for(ofCustomers.filter(({ path }) => paramNames(path).length > 1 || path.endsWith('/transfer')))(
    'cannot find foreign users with $name in another organisation',
    async (route) => {
      const naming = ROUTE_IDS[addressOf(route)] ?? {}
      const [shows] = strangers.map((each) => each.shows)
      const real = await answerTo(route, naming, { ...tenant.ids, org: other.orgId }, shows ?? {})
      const unknown = await answerTo(route, naming, { ...never(tenant.ids), org: other.orgId }, shows ?? {})
      expect(real).toEqual(unknown)
      expect(real.status).toBe(404)
    },
  )

  test.for(ofStaff)('may not call $name, which is for staff', async (route) => {
    const ids = Object.fromEntries(paramNames(route.path).map((name) => [name, idFor(route, name)]))
    const path = Object.entries(ids).reduce(
      (address, [name, id]) => address.replace(`{${name}}`, id),
      route.path,
    )
    for (const { name, shows } of strangers) {
      const reply = await server.call(route.method, path, { ...shows, ...(route.body && { body: {} }) })
      expect(reply.status, name).toBe(403)
    }
  })

  test('changed nothing with these calls', async () => {
    const { ids, owner } = tenant
    const as = owner
    for (const path of [
      `/chat/threads/${ids.thread}`,
      `/webhook-endpoints/${ids.endpoint}`,
      `/invoices/${ids.invoice}`,
    ])
      expect((await server.call('GET', path, { as })).status, path).toBe(200)
    const members = await server.call<{ members: object[] }>('GET', `/teams/${ids.org}/members`, { as })
    expect(members.body.members).toHaveLength(2)
    const waiting = await server.sql
      .rows`select 1 from payments where reference = ${ids.undecidedPayment} and status = 'pending'`
    expect(waiting).toHaveLength(1)
  })
})

const isOrg = (route: Route, name: string): boolean =>
  name === 'orgId' || (name === 'id' && route.path.startsWith('/admin/orgs/'))
const idFor = (route: Route, name: string): string => (isOrg(route, name) ? tenant.ids.org : 'nothing')

describe('staff', () => {
  const onOrgs = ofStaff.filter(
    (route) =>
      paramNames(route.path).some((name) => isOrg(route, name)) || keysOf(route.body).includes('orgId'),
  )
  test.for(onOrgs)('get 404 from $name for an unknown organisation', async (route) => {
    const as = await staff()
    const unknown = newId('org')
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => (isOrg(route, name) ? unknown : 'some.key'))
    const orgId = keysOf(route.body).includes('orgId') && !route.path.includes('{') ? { orgId: unknown } : {}
    const reply = await server.call(route.method, path, {
      as,
      headers: { 'idempotency-key': newId('x') },
      ...(route.body && { body: { ...STAFF_BODIES[addressOf(route)], ...orgId } }),
    })
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

let superAdmin: Person | undefined
async function staff(): Promise<Person> {
  superAdmin ??= await server.person({ staff: 'super_admin' })
  return superAdmin
}

describe('a former member of a closed organisation', () => {
  let former: Stranger[]
  let closed: TenantWorld
  beforeAll(async () => {
    closed = await makeTenant(server)
    const { owner, ids } = closed
    await server.sql.rows`update payments set status = 'expired' where reference = ${ids.undecidedPayment}`
    const { name, balance } = await server.sql.one<{ name: string; balance: bigint }>`
      select o.name, w.balance_minor as balance from orgs o join wallets w on w.org_id = o.id where o.id = ${ids.org}`
    const body = { confirm: name, forfeitMinor: balance }
    expect((await server.call('DELETE', `/orgs/${ids.org}`, { as: owner, body })).status).toBe(200)
    const { org_id: orgId } = await server.sql.one<{ org_id: Person['orgId'] }>`
      select org_id from memberships where user_id = ${owner.userId}`
    former = (await callersFor({ ...owner, orgId })).filter(({ name }) => name === 'a session')
  })

  // These ids belong to the user.
  const OF_PEOPLE = ['DELETE /me/sessions/{id}', 'DELETE /auth/passkeys/{id}']
  test.for(ofCustomers.filter((route) => !OF_PEOPLE.includes(addressOf(route))))(
    'gets the same answer for closed and unknown ids from $name',
    async (route) => {
      const naming = ROUTE_IDS[addressOf(route)] ?? {}
      for (const { name, shows } of former) {
        const real = await answerTo(route, naming, closed.ids, shows)
        expect(real, name).toEqual(await answerTo(route, naming, never(closed.ids), shows))
        if (name === 'a session')
          expect(real.status).toBe(namesForStaff(route) ? 403 : (naming.refused ?? 404))
      }
    },
  )
})

describe('row-level security', () => {
  /** Tables with an organisation id but without row-level security, with the reason. */
  const IN_FRONT: Readonly<Record<string, string>> = {
    memberships: 'determines the tenant scope of a request',
    sessions: 'read before the user is known',
    api_keys: 'the same',
    device_logins: 'approved by a user and collected by a program without credentials',
    sso_connections: 'read at sign-in, before the user is known',
    sso_domains: 'the same',
    scim_tokens: 'read before the directory service is known',
    content_places: 'determines the content placement of a transaction',
  }
  type Table = { name: string; isWalled: boolean; isPartition: boolean }
  const tables = () =>
    server.sql.rows<Table>`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isWalled",
             c.relispartition as "isPartition"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`
  const rowsOf = (name: string) =>
    Object.assign([`select count(*)::int as n from ${name} where org_id = `, ''], {
      raw: [''],
    }) as unknown as TemplateStringsArray

  test('protects every table with an organisation id, except those read before the tenant is known', async () => {
    const open = (await tables()).filter(({ isWalled }) => !isWalled).map(({ name }) => name)
    expect(open).toEqual(Object.keys(IN_FRONT).toSorted())
  })

  test('hides the rows of one organisation from transactions of another', async () => {
    // The service uses partitions only through their table.
    const walled = (await tables()).filter(({ isWalled, isPartition }) => isWalled && !isPartition)
    const filled: string[] = []
    for (const { name } of walled) {
      const there = await server.sql.one<{ n: number }>(rowsOf(name), tenant.ids.org)
      if (there.n > 0) filled.push(name)
      const seen = await server.app.db.tx(other.orgId, (tx) =>
        tx.one<{ n: number }>(rowsOf(name), tenant.ids.org),
      )
      expect(seen.n, name).toBe(0)
    }
    // An empty table proves nothing, so most tables must have rows.
    expect(filled.length).toBeGreaterThan(walled.length / 2)
  })
})
