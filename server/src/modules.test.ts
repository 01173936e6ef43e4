// Checks every route: its description, its access for every kind of caller, and its entry in the API document.

import {
  type Reply,
  startTestServer,
  type TestRequest,
  type TestServer,
} from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { exchange } from '@cowrie/testkit/harness/raw-http.ts'
import { refusalIn } from '@cowrie/testkit/harness/refusal.ts'
import { everyNth, isSoak } from '@cowrie/testkit/harness/soak.ts'
import { type Caller, type Callers, createCallers } from '@cowrie/testkit/harness/tenants/callers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from './kernel/errors.ts'
import { modules } from './modules.ts'
import { expectedVerdict, type Verdict } from './platform/http/access/access-table.ts'
import { SCOPES, STAFF_TIERS } from './platform/http/actor.ts'
import { resolveComponents } from './platform/http/openapi/components.ts'
import type { JsonSchema } from './platform/http/openapi/example.ts'
import { printOpenApi } from './platform/http/openapi/openapi.ts'
import { errorCodesOf } from './platform/http/reply/error-response.ts'
import { type Access, isRail, paramNames, type Route } from './platform/http/route.ts'
import { system } from './system.ts'

/** Routes without a rate limit, by the contract. The API document has a separate limit. */
const UNLIMITED = ['GET /health', 'GET /auth/config']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const SECRET = 'an internal secret'

const tables = [system(() => ''), ...modules, probe]
const routes = tables.flatMap((module) => module.routes ?? [])
const published = routes.filter((route) => !route.hidden)
const addressOf = (route: Route): string => `${route.method} ${route.path}`
const methodsOf = ({ method, head }: Route): string[] =>
  method === 'GET' && head ? ['GET', 'HEAD'] : [method]
const duplicatesOf = (names: readonly string[]): string[] =>
  names.filter((name, i) => names.indexOf(name) !== i)

describe('a route description', () => {
  test('has a unique name and path', () => {
    expect(duplicatesOf(tables.map((module) => module.name))).toEqual([])
    expect(duplicatesOf(routes.map((route) => route.name))).toEqual([])
    expect(duplicatesOf(routes.map((route) => addressOf(route).replace(/\{\w+\}/g, '{}')))).toEqual([])
  })

  test.for(routes)('of $name is complete and safe', (route) => {
    expect(route.name).toMatch(/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+$/)
    expect(route.path).toMatch(
      /^\/$|^(\/(\{[a-z][A-Za-z]*\}(:[a-z][A-Za-z]*)?|\.?[a-z0-9_-]+(\.(json|txt|xml|js))?|(?<=^\/scim\/v2\/)[A-Z][A-Za-z]+))+$/,
    )
    expect(route.summary).toMatch(/^[A-Z][^\n]*[\w`)]\.$/)
    expect(duplicatesOf(paramNames(route.path))).toEqual([])
    expect(duplicatesOf(route.errors)).toEqual([])
    if (route.params) {
      const { shape = {} } = route.params as { shape?: object }
      expect(Object.keys(shape).sort()).toEqual(paramNames(route.path).sort())
    }
    if (route.method === 'GET') expect(route.body, 'a GET has no body').toBeUndefined()
    const succeeds = Object.keys(route.reply).some((status) => /^[23]/.test(status))
    expect(succeeds || route.stream !== undefined).toBe(true)

    const { access } = route
    expect(route.rate === null).toBe(UNLIMITED.includes(addressOf(route)))
    expect(route.rate === 'document').toBe(addressOf(route) === 'GET /openapi.json')
    const isPublic =
      access === 'none' || isRail(access) || (typeof access === 'object' && 'machine' in access)
    if (route.paid) expect(isPublic, 'a paid route needs a caller').toBe(false)
    if (route.paid) expect(route.idempotency, 'a retry of a paid call is charged once').not.toBe('none')
    if (route.idempotency !== 'none') expect(isPublic, 'an idempotency key needs a caller').toBe(false)
    if (route.audit) expect(route.method, 'reads are not audited').not.toBe('GET')
    if (orgParamOf(route)) expect(paramNames(route.path)).toContain(orgParamOf(route))
  })
})

let server: TestServer
let unconfigured: TestServer
let callers: Callers
let port: number

beforeAll(async () => {
  server = await startTestServer({
    modules: [probe],
    tables: PROBE_TABLES,
    variables: { INTERNAL_SECRET: SECRET },
  })
  unconfigured = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
  port = Number(new URL(await server.listen()).port)
  callers = await createCallers(server)
})
afterAll(async () => {
  await unconfigured.close()
  await server.close()
})

describe('access', () => {
  test.for(routes)('to $name is allowed only for the callers of its description', async (route) => {
    const outcomes = await Promise.all(
      callersFor(route).map(async ([name, caller]) => {
        const wanted = expectedVerdict(route, caller)
        // Callers do not read a stream of megabytes to its end.
        const isFlood = route.stream && route.method === 'GET' && wanted === 'admitted'
        const seen = isFlood
          ? wanted
          : verdictOf(route, await ask(route, await shownBy(caller), server, caller.org))
        return { name, wanted, seen }
      }),
    )
    const by = (which: 'wanted' | 'seen') =>
      Object.fromEntries(outcomes.map((outcome): [string, Verdict] => [outcome.name, outcome[which]]))
    expect(by('seen')).toEqual(by('wanted'))
  })

  test.for(routes.filter(isInternal))(
    'to $name needs the internal secret, and is closed without one',
    async (route) => {
      const shows = (secret: string) => ({ headers: { 'x-internal-secret': secret } })
      expect((await ask(route, shows(SECRET))).status).not.toBe(403)
      expect(await ask(route, shows('another'))).toMatchObject({
        status: 403,
        body: { code: 'wrong_secret' },
      })
      const shut = await ask(route, shows(SECRET), unconfigured)
      expect(shut).toMatchObject({ status: 503, body: { code: 'not_configured' } })
    },
  )
})

const accessOf = ({ access, paid }: Route): string => JSON.stringify([access, paid])
const firstOfAccess = new Set([...Map.groupBy(routes, accessOf).values()].map(([first]) => first))

/**
 * All callers in the soak test. Otherwise all that can differ for one route of each access, and for the others one that is admitted
 * and one that is refused.
 */
function callersFor(route: Route): [string, Caller][] {
  const all = [...callers.all]
  if (isSoak) return all
  const distinct = distinctFor(route.access, all)
  if (firstOfAccess.has(route)) return distinct
  const byVerdict = Map.groupBy(distinct, ([, caller]) => expectedVerdict(route, caller) === 'admitted')
  return [...byVerdict.values()].flatMap((group) =>
    group.slice(routes.indexOf(route) % group.length).slice(0, 1),
  )
}

/** Omits callers that differ only by another scope or staff tier. */
function distinctFor(access: Access, all: [string, Caller][]): [string, Caller][] {
  const kind = typeof access === 'object' ? access : {}
  const scope = 'scope' in kind ? kind.scope : 'scopeOrStaff' in kind ? kind.scopeOrStaff : SCOPES[0]
  const tiers: readonly string[] = 'staff' in kind ? STAFF_TIERS : ['super_admin']
  return all.filter(([name, caller]) => {
    if (caller.staff) return tiers.includes(name)
    if (/^key of (?!a suspended)/.test(name)) return name === 'key of super_admin'
    return !/^key with /.test(name) || name.endsWith(` ${scope}`)
  })
}

/** The access decision. Requests are invalid on purpose, so that an admitted caller causes no effect. */
function verdictOf(route: Route, { status, body }: Reply): Verdict {
  if (isRail(route.access)) return [401, 403, 503].includes(status) ? 'refused' : 'admitted'
  // Access to a foreign organisation fails with the default message of not_found. Handlers use other messages.
  const isForeign = orgParamOf(route) !== undefined && body.error === ERRORS.not_found.message
  const refused = status === 401 || status === 403 || (status === 404 && isForeign)
  return refused ? (refusalIn(body).code as ErrorCode) : 'admitted'
}

/** Calls a route with an invalid body, and checks the properties of every response. */
async function ask(route: Route, how: TestRequest = {}, on = server, org = callers.org): Promise<Reply> {
  const reply = await on.call(route.method, pathOf(route, org), {
    ...(route.body ? { raw: '[]' } : {}),
    ...how,
  })
  expect(reply.headers['x-service-version'], route.name).toMatch(/^0\.4\.0\+/)
  expect(Object.keys(operationIn(everything, route).responses), route.name).toContain(String(reply.status))
  if (reply.status < 400) return reply
  const { error, code, requestId } = refusalIn(reply.body)
  expect(ERRORS[code as ErrorCode]?.status).toBe(reply.status)
  expect(errorCodesOf(route)).toContain(code)
  expect(error).toMatch(/\S.*\.$/)
  expect(requestId).toBe(reply.headers['x-request-id'])
  return reply
}

const shownBy = async ({ bearer, signIn }: Caller): Promise<TestRequest> =>
  bearer ? { as: { bearer } } : signIn ? { headers: { cookie: await signIn() } } : {}

function isInternal({ access }: Route): boolean {
  return typeof access === 'object' && 'machine' in access && access.machine === 'internal'
}

function orgParamOf({ access }: Route): string | undefined {
  return typeof access === 'object' && 'orgParam' in access ? access.orgParam : undefined
}

/** The path of a route, with the organisation of the test callers and ids that do not exist. */
function pathOf(route: Route, org = callers.org): string {
  const orgParam = orgParamOf(route)
  return route.path.replace(/\{(\w+)\}/g, (_, name) => (name === orgParam ? org : 'nothing_0000000000'))
}

describe('a path', () => {
  const asStaff = () => ({ as: { bearer: callers.all.get('super_admin')?.bearer ?? '' } })
  // One handler answers other methods and HEAD for all routes.
  const paths = everyNth([...new Set(routes.map((route) => route.path))], 4)
  const readable = routes.filter((route) => methodsOf(route).includes('HEAD'))

  test.for(paths)('%s accepts its described methods, and lists them when another is used', async (path) => {
    const address = pathOf(routes.find((route) => route.path === path) as Route)
    const allowed = new Set(routes.filter((route) => isAt(route, address)).flatMap(methodsOf))
    const unknown = METHODS.filter((each) => !allowed.has(each))
    const others = isSoak ? unknown : unknown.slice(paths.indexOf(path) % unknown.length).slice(0, 1)
    const replies = await Promise.all(others.map((method) => server.call(method, address, asStaff())))
    for (const [i, reply] of replies.entries()) {
      const method = others[i] ?? ''
      expect(reply.status, method).toBe(405)
      expect(new Set(String(reply.headers.allow).split(', ')), method).toEqual(allowed)
      expect(refusalIn(reply.body)).toMatchObject({
        code: 'method_not_allowed',
        requestId: reply.headers['x-request-id'],
      })
    }
  })

  test.for(everyNth(readable, 4))('$name responds to HEAD like to GET, without the body', async (route) => {
    const get = await server.call('GET', pathOf(route), asStaff())
    const lines = [
      `HEAD ${pathOf(route)} HTTP/1.1`,
      'host: localhost',
      'connection: close',
      `authorization: Bearer ${asStaff().as.bearer}`,
    ]
    const { replies, rest } = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`)
    expect(replies).toHaveLength(1)
    expect(replies[0]?.status).toBe(get.status)
    expect(replies[0]?.headers['content-type']).toBe(get.headers['content-type'])
    expect(Buffer.concat([...replies.map(({ body }) => body), rest]).toString()).toBe('')
  })

  test('that the server handles is described, or belongs to a page', () => {
    const known = listening(server.service.engine.http.printRoutes({ commonPrefix: false }))
    const described = routes.flatMap((route) => methodsOf(route).map((method) => `${method} ${route.path}`))
    // The framework prints an address with slashes in its last part without the slash or folder before it.
    const isPrinted = (address: string) =>
      [/\/\{path\}$/, /\/\w+\/\{path\}$/].some((end) => known.includes(address.replace(end, '*')))
    expect(described.filter((address) => !isPrinted(address))).toEqual([])
    const others = known.filter((address) => !described.includes(address))
    expect(others.filter((address) => !/^[A-Z]+ \/(app|docs)\b|\*$/.test(address))).toEqual([])
  })

  test.for(['/nothing', '/health/', '/Health', '//health', '/me/nothing', '/admin'])(
    'without a description (%s) is a 404 in the error format',
    async (path) => {
      const reply = await server.call('GET', path)
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(reply.body.requestId).toBe(reply.headers['x-request-id'])
    },
  )
})

function isAt({ path }: Route, address: string): boolean {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(address)
}

/** Converts the printed route tree of the framework to `METHOD /path` lines. */
function listening(tree: string): string[] {
  const trail: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', label = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (label === '') return []
    trail.splice(indent.length / 4, trail.length, label)
    const path = trail
      .join('')
      .replace(/:(\w+)\(\.\*\)::/g, '{$1}:')
      .replace(/(?<=\/):(\w+)/g, '{$1}')
    return methods
      .split(', ')
      .filter(Boolean)
      .map((method) => `${method} ${path}`)
  })
}

type Example = { value: Record<string, unknown> }
type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, Example> }>
type Operation = {
  operationId: string
  summary: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  responses: Record<string, { description: string; content?: Content }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, object>
  }
}

/** The document with hidden routes included. */
const everything = printOpenApi(
  tables.map(({ name, routes: described = [] }) => ({
    name,
    routes: described.map((route) => ({ ...route, hidden: false })),
  })),
  { version: '0', apiVersion: 0 },
) as Document

function operationIn(document: Document, { path, method }: Route): Operation {
  return document.paths[path]?.[method.toLowerCase()] as Operation
}

describe('the OpenAPI document', () => {
  let document: Document
  let text: string
  beforeAll(async () => {
    text = (await server.call('GET', '/openapi.json')).text
    document = resolveComponents(JSON.parse(text) as Document)
  })

  test('has version 3.1.0 and exactly the published routes', () => {
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.sort()).toEqual(published.map(addressOf).sort())
  })

  test.for(published)('describes $name as it behaves', (route) => {
    const operation = operationIn(document, route)
    expect(operation).toMatchObject({ operationId: route.name, summary: route.summary })
    expect(operation.security.length === 0).toBe(route.access === 'none')
    const schemes = Object.keys(document.components.securitySchemes)
    for (const scheme of operation.security.flatMap(Object.keys)) expect(schemes).toContain(scheme)
    for (const name of paramNames(route.path))
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name, in: 'path', required: true }),
      )
    for (const code of errorCodesOf(route)) {
      const { status, message } = ERRORS[code]
      const example = operation.responses[status]?.content?.['application/json']?.examples?.[code]
      expect(refusalIn(example?.value ?? {}), code).toMatchObject({
        code,
        error: message,
        requestId: expect.any(String),
      })
    }
    for (const status of Object.keys(route.reply))
      expect(operation.responses[status]?.description).toMatch(/./)
    if (route.stream) expect(operation.responses['200']?.content?.['text/event-stream']?.schema).toBeDefined()
  })

  test('has no dangling references', () => {
    const pointers = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1] ?? '')
    expect(pointers.length).toBeGreaterThan(0)
    const { components } = JSON.parse(text) as { components: Record<string, object> }
    const known = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    )
    expect(pointers.filter((pointer) => !known.includes(pointer))).toEqual([])
    const unused = known.filter((name) => !pointers.includes(name))
    expect(unused.filter((name) => !/^#\/components\/(securitySchemes|headers)\//.test(name))).toEqual([])
  })

  test('prints money as 64-bit integers, and no internals of the schema library', () => {
    const inexact: string[] = []
    const leftovers: string[] = []
    const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, object> } }).components
    const withSchemas = (value: unknown): string =>
      JSON.stringify(value).replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_, name: string) =>
        JSON.stringify(schemas[name]),
      )
    walk(document, [], (value, path) => {
      const [name = '', parent] = path.toReversed()
      const isMoney = parent === 'properties' && name.endsWith('Minor')
      if (isMoney && !/"type":"integer","format":"int64"/.test(withSchemas(value)))
        inexact.push(path.join('/'))
      if (parent !== 'properties' && /^(wire|\$defs|\$schema|~standard|_zod|def|id)$/.test(name))
        leftovers.push(path.join('/'))
    })
    expect(inexact).toEqual([])
    expect(leftovers).toEqual([])
    expect(text).toContain('"format":"int64"')
  })
})

/** Every value of a document outside its examples. */
function walk(
  value: unknown,
  path: readonly string[],
  visit: (value: unknown, path: readonly string[]) => void,
): void {
  visit(value, path)
  if (value === null || typeof value !== 'object') return
  for (const [key, child] of Object.entries(value))
    if (!/^(examples?|default|const|enum)$/.test(key) || path.at(-1) === 'properties')
      walk(child, [...path, key], visit)
}
