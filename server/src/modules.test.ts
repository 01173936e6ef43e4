// The table that covers every endpoint: each described route is walked, called as everyone, and found in the document.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, type Person, type Reply, startTestServer, type TestServer } from '../test/harness.ts'
import { PROBE_TABLES, probe } from '../test/probe.ts'
import { ERRORS, type ErrorCode } from './kernel/errors.ts'
import type { OrgId } from './kernel/ids.ts'
import { modules } from './modules.ts'
import {
  hasRole,
  type OrgRole,
  SCOPES,
  type Scope,
  STAFF_TIERS,
  type StaffTier,
} from './platform/http/actor.ts'
import { printOpenApi } from './platform/http/openapi.ts'
import { errorsOf } from './platform/http/refusals.ts'
import { type Access, isRail, paramNames, type Route } from './platform/http/route.ts'
import { system } from './system.ts'

const tables = [system(() => ''), ...modules, probe]
const routes = tables.flatMap((module) => module.routes ?? [])
const published = routes.filter((route) => !route.hidden)
const addressOf = (route: Route): string => `${route.method} ${route.path}`
/** No rate limit: what the contract exempts. */
const UNLIMITED = ['GET /health', 'GET /auth/config', 'GET /openapi.json']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describe('the descriptions', () => {
  test('have names and addresses of their own', () => {
    expect(duplicatesOf(routes.map((route) => route.name))).toEqual([])
    expect(duplicatesOf(routes.map((route) => addressOf(route).replace(/\{\w+\}/g, '{}')))).toEqual([])
    expect(duplicatesOf(tables.map((module) => module.name))).toEqual([])
  })

  test.for(routes)('$name says what it is', (route) => {
    expect(route.name).toMatch(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/)
    expect(route.path).toMatch(/^\/$|^(\/(\{[a-z][A-Za-z]*\}|[a-z0-9_-]+(\.json)?))+$/)
    expect(route.summary).toMatch(/^[A-Z][^\n]*[a-z`)]\.$/)
    expect(duplicatesOf(paramNames(route.path))).toEqual([])
    expect(duplicatesOf(route.errors)).toEqual([])
    if (route.params) expect(shapeKeys(route.params)).toEqual(paramNames(route.path))
    if (route.method === 'GET') expect(route.body, 'a GET has no body').toBeUndefined()
    expect(
      route.stream !== undefined || Object.keys(route.reply).some((status) => /^[23]/.test(status)),
    ).toBe(true)
  })

  test.for(routes)('$name is safe by its description alone', ({ access, ...route }) => {
    if (UNLIMITED.includes(addressOf({ access, ...route }))) expect(route.rate).toBeNull()
    else expect(route.rate).not.toBeNull()
    const knowsCaller =
      access !== 'none' && !(typeof access === 'object' && ('rail' in access || 'machine' in access))
    if (route.paid) expect(knowsCaller, 'what costs money knows who pays').toBe(true)
    if (route.idempotency !== 'none') expect(knowsCaller, 'a key belongs to a caller').toBe(true)
    if (route.audit) expect(route.method).not.toBe('GET')
    if (typeof access === 'object' && 'role' in access && access.orgParam)
      expect(paramNames(route.path)).toContain(access.orgParam)
  })
})

let server: TestServer
let unconfigured: TestServer
let org: OrgId
let people: Map<string, Caller>

beforeAll(async () => {
  server = await startTestServer({
    modules: [probe],
    tables: PROBE_TABLES,
    variables: { INTERNAL_SECRET: 'a secret of machines' },
  })
  unconfigured = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
  people = await everyone()
})
afterAll(async () => {
  await unconfigured.close()
  await server.close()
})

type Caller = {
  bearer?: string
  kind: 'nobody' | 'nonsense' | 'person' | 'key'
  /** In the organisation that paths name. */
  role: OrgRole | null
  scopes: readonly string[]
  staff: StaffTier | null
}
type Verdict = 'admitted' | 'refused' | ErrorCode

/** One caller of each kind there is. */
async function everyone(): Promise<Map<string, Caller>> {
  const owner = await server.person({ type: 'team' })
  org = owner.orgId
  const person = ({ bearer }: Person, role: OrgRole | null, staff: StaffTier | null = null): Caller => ({
    bearer,
    kind: 'person',
    role,
    scopes: ['*'],
    staff,
  })
  const key = async (holder: Person, scopes: readonly Scope[]): Promise<Caller> => ({
    ...(await server.key(holder, scopes)),
    kind: 'key',
    role: null,
    scopes,
    staff: null,
  })
  const all = new Map<string, Caller>([
    ['nobody', { kind: 'nobody', role: null, scopes: [], staff: null }],
    [
      'a forged bearer',
      {
        kind: 'nonsense',
        bearer: 'csk_00000000_00000000000000000000000000000000000000',
        role: null,
        scopes: [],
        staff: null,
      },
    ],
    ['owner', person(owner, 'owner')],
    ['admin', person(await server.member(org, 'admin'), 'admin')],
    ['member', person(await server.member(org, 'member'), 'member')],
    ['stranger', person(await server.person(), null)],
    ['key without scopes', await key(owner, [])],
  ])
  for (const scope of SCOPES) {
    all.set(`key with ${scope}`, await key(owner, [scope]))
    all.set(
      `key with all but ${scope}`,
      await key(
        owner,
        SCOPES.filter((other) => other !== scope),
      ),
    )
  }
  for (const tier of STAFF_TIERS) {
    const staff = await server.person({ staff: tier })
    all.set(tier, person(staff, null, tier))
    all.set(`key of ${tier}`, await key(staff, SCOPES))
  }
  return all
}

/** What the description promises about a caller; written apart from the code that decides it. */
function promised(access: Access, { kind, role, scopes, staff }: Caller): Verdict {
  if (access === 'none') return 'admitted'
  if (typeof access === 'object' && 'rail' in access) return 'refused'
  if (typeof access === 'object' && 'machine' in access) {
    if (access.machine === 'internal') return 'wrong_secret'
    return staff ? 'admitted' : 'staff_only'
  }
  if (kind === 'nobody' || kind === 'nonsense') return 'unauthenticated'
  if (access === 'any') return 'admitted'
  if (typeof access === 'object' && ('scope' in access || 'scopeOrStaff' in access)) {
    const scope = 'scope' in access ? access.scope : access.scopeOrStaff
    return kind === 'person' || scopes.includes(scope) ? 'admitted' : 'insufficient_scope'
  }
  if (kind === 'key') return 'session_required'
  if (access === 'session') return 'admitted'
  if ('staff' in access)
    return staff && (access.staff === 'any' || access.staff.includes(staff)) ? 'admitted' : 'staff_only'
  if ('roleOrStaff' in access)
    return staff || hasRole(role ?? 'owner', access.roleOrStaff) ? 'admitted' : 'forbidden'
  // Who is no member of the organisation in question owns one of their own, where the path names none.
  if (access.orgParam && role === null) return 'not_found'
  return hasRole(role ?? 'owner', access.role) ? 'admitted' : 'forbidden'
}

/** What happened. Beyond the door everything counts as admitted: calls are made so that nothing is done there. */
function verdictOf(route: Route, { status, body }: Reply): Verdict {
  if (isRail(route.access)) return [401, 403, 503].includes(status) ? 'refused' : 'admitted'
  const namesOrg = typeof route.access === 'object' && 'orgParam' in route.access
  const refused = status === 401 || status === 403 || (status === 404 && namesOrg)
  return refused ? (body.code as ErrorCode) : 'admitted'
}

describe('at the door', () => {
  test.for(routes)(
    '$name lets in whom its description names, and says no to everybody else',
    async (route) => {
      const seen: Record<string, Verdict> = {}
      const wanted: Record<string, Verdict> = {}
      for (const [name, caller] of people) {
        wanted[name] = promised(route.access, caller)
        // An open stream of megabytes says no more than the first one did.
        if (route.stream && route.method === 'GET' && wanted[name] === 'admitted')
          wanted[name] = seen[name] = 'admitted'
        else
          seen[name] = verdictOf(
            route,
            await ask(route, caller.bearer ? { as: { bearer: caller.bearer } } : {}),
          )
      }
      expect(seen).toEqual(wanted)
    },
  )

  test.for(routes.filter(isInternal))(
    '$name asks for the machine secret, and is shut while there is none',
    async (route) => {
      const secret = { 'x-internal-secret': 'a secret of machines' }
      expect((await ask(route, { headers: secret })).status).not.toBe(403)
      expect(await ask(route, { headers: { 'x-internal-secret': 'another' } })).toMatchObject({
        status: 403,
        body: { code: 'wrong_secret' },
      })
      expect(await ask(route, { headers: secret }, unconfigured)).toMatchObject({
        status: 503,
        body: { code: 'not_configured' },
      })
    },
  )
})

function isInternal({ access }: Route): boolean {
  return typeof access === 'object' && 'machine' in access && access.machine === 'internal'
}

/** Calls a route with a body that it refuses, so that nothing happens behind the door; checks what every answer promises. */
async function ask(route: Route, how: Ask = {}, on = server): Promise<Reply> {
  const reply = await on.call(route.method, pathOf(route), { ...(route.body ? { raw: '[]' } : {}), ...how })
  expect(reply.headers['x-service-version'], route.name).toMatch(/^0\.4\.0\+/)
  expect(Object.keys(operationOf(route).responses), `${route.name} documents ${reply.status}`).toContain(
    String(reply.status),
  )
  if (reply.status >= 400) {
    const { error, code, requestId } = reply.body
    expect(ERRORS[code as ErrorCode]?.status).toBe(reply.status)
    expect(errorsOf(route)).toContain(code)
    expect(error).toMatch(/\S.*\.$/)
    expect(requestId).toBe(reply.headers['x-request-id'])
  }
  return reply
}

/** An address of a route: the organisation of our people, and nothing else that exists. */
function pathOf({ path, access }: Route): string {
  const orgParam = typeof access === 'object' && 'orgParam' in access ? access.orgParam : undefined
  return path.replace(/\{(\w+)\}/g, (_, name) =>
    name === orgParam ? org : 'nothing_00000000000000000000000000',
  )
}

describe('an address', () => {
  const staff = () => ({ as: { bearer: people.get('super_admin')?.bearer ?? '' } })

  test.for([...new Set(routes.map((route) => route.path))])(
    '%s takes the described methods and names them to the others',
    async (path) => {
      const here = routes.find((route) => route.path === path) as Route
      const allowed = new Set(routes.filter((route) => matches(route, pathOf(here))).flatMap(methodsOf))
      for (const method of METHODS.filter((each) => !allowed.has(each))) {
        const reply = await server.call(method, pathOf(here), staff())
        expect(reply.status, method).toBe(405)
        expect(new Set(String(reply.headers.allow).split(', ')), method).toEqual(allowed)
        if (method !== 'HEAD')
          expect(reply.body).toMatchObject({
            code: 'method_not_allowed',
            requestId: reply.headers['x-request-id'],
          })
      }
    },
  )

  test.for(routes.filter((route) => methodsOf(route).includes('HEAD')))(
    '$name answers HEAD as GET, without the body',
    async (route) => {
      const get = await server.call('GET', pathOf(route), staff())
      const head = await server.call('HEAD', pathOf(route), staff())
      expect(head.status).toBe(get.status)
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
      expect(head.text).toBe('')
    },
  )

  test('that the server knows is described, or belongs to a page', () => {
    const known = listening(server.service.engine.http.printRoutes({ commonPrefix: false }))
    const described = new Set(
      routes.flatMap((route) => methodsOf(route).map((method) => `${method} ${route.path}`)),
    )
    expect(known.length).toBeGreaterThanOrEqual(described.size)
    expect(
      known.filter((address) => !described.has(address) && !/^(GET|HEAD) \/(app|docs)\b/.test(address)),
    ).toEqual([])
  })

  test.for(['/nothing', '/health/', '/Health', '//health', '/me/nothing', '/admin'])(
    'that nobody described (%s) is a 404 in the same shape',
    async (path) => {
      const reply = await server.call('GET', path)
      expect(reply).toMatchObject({
        status: 404,
        body: { code: 'not_found', requestId: reply.headers['x-request-id'] },
      })
    },
  )
})

const methodsOf = ({ method, head }: Route): string[] =>
  method === 'GET' && head ? ['GET', 'HEAD'] : [method]
const matches = ({ path }: Route, address: string): boolean =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(address)

/** From the framework's drawing of its tree to `METHOD /path`. */
function listening(tree: string): string[] {
  const trail: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', label = '', methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (label === '') return []
    trail.splice(indent.length / 4, Number.POSITIVE_INFINITY, label)
    const path = trail.join('').replace(/:(\w+)/g, '{$1}')
    return (methods?.split(', ') ?? []).map((method) => `${method} ${path}`)
  })
}

type Json = { [key: string]: Json } & Json[]
type Operation = {
  operationId: string
  summary: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  responses: Record<
    string,
    {
      description: string
      content?: Record<
        string,
        { schema?: Json; example?: unknown; examples?: Record<string, { value: Record<string, unknown> }> }
      >
    }
  >
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> }
}

const everything = printOpenApi(
  tables.map(({ name, routes = [] }) => ({
    name,
    routes: routes.map((route) => ({ ...route, hidden: false })),
  })),
  { version: '0', apiVersion: 2 },
) as unknown as Document
const operationOf = (route: Route): Operation =>
  everything.paths[route.path]?.[route.method.toLowerCase()] as Operation

describe('the OpenAPI document', () => {
  let document: Document
  beforeAll(async () => {
    document = (await server.call<Document>('GET', '/openapi.json')).body
  })

  test('is 3.1.0 and has the published routes, all of them and no others', () => {
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.sort()).toEqual(published.map(addressOf).sort())
  })

  test.for(published)('$name is described as it behaves', (route) => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()] as Operation
    expect(operation).toMatchObject({ operationId: route.name, summary: route.summary })
    if (route.access === 'none') expect(operation.security).toEqual([])
    else expect(operation.security.length).toBeGreaterThan(0)
    for (const scheme of operation.security.flatMap(Object.keys))
      expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
    for (const name of paramNames(route.path))
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true }),
      )
    for (const code of errorsOf(route)) {
      const examples = operation.responses[ERRORS[code].status]?.content?.['application/json']?.examples
      expect(examples?.[code]?.value, code).toMatchObject({
        code,
        error: ERRORS[code].message,
        requestId: expect.any(String),
      })
    }
    for (const status of Object.keys(route.reply))
      expect(operation.responses[status]?.description).toMatch(/./)
    if (route.stream) expect(operation.responses['200']?.content?.['text/event-stream']?.schema).toBeDefined()
  })

  test('points only at shapes that it has', () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.length).toBe([...JSON.stringify(document).matchAll(/"\$ref":/g)].length)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !document.components.schemas[name])).toEqual([])
  })

  test('prints money as 64-bit integers, and nothing of the library that the shapes are written in', () => {
    const money: string[] = []
    const leftovers: string[] = []
    walk(document as unknown as Json, '#', (value, place, parent) => {
      if (/\/(examples?|default|const|enum)(\/|$)/.test(place)) return
      const name = place.split('/').at(-1) ?? ''
      if (parent === 'properties') {
        if (
          name.endsWith('Minor') &&
          ![value, ...(value.anyOf ?? [])].some((one) => one.type === 'integer' && one.format === 'int64')
        )
          money.push(place)
      } else if (/^(wire|\$defs|\$schema|~standard|_zod|def|id)$/.test(name)) leftovers.push(place)
    })
    expect(money).toEqual([])
    expect(leftovers).toEqual([])
    expect(JSON.stringify(document)).toMatch(/"format":"int64"/)
  })
})

function walk(
  value: Json,
  place: string,
  visit: (value: Json, place: string, parent: string) => void,
  parent = '',
): void {
  visit(value, place, parent)
  if (value === null || typeof value !== 'object') return
  for (const [key, child] of Object.entries(value))
    walk(child as Json, `${place}/${key}`, visit, place.split('/').at(-1))
}

const duplicatesOf = (names: readonly string[]): string[] =>
  names.filter((name, i) => names.indexOf(name) !== i)
const shapeKeys = (shape: object): string[] => Object.keys((shape as { shape?: object }).shape ?? {})
