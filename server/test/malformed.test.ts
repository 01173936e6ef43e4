import { connect } from 'node:net'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { gates, PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { type Exchange, exchange, type RawReply } from '@cowrie/testkit/harness/raw-http.ts'
import { type Refusal, refusalIn } from '@cowrie/testkit/harness/refusal.ts'
import { everyNth, isSoak } from '@cowrie/testkit/harness/soak.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../src/kernel/errors.ts'
import { modules } from '../src/modules.ts'
import { resolveComponents } from '../src/platform/http/openapi/components.ts'
import type { JsonSchema } from '../src/platform/http/openapi/example.ts'
import { printOpenApi } from '../src/platform/http/openapi/openapi.ts'
import { type Access, isOrgToken, isRail, paramNames, type Route } from '../src/platform/http/route.ts'
import { system } from '../src/system.ts'
import {
  type Attempt,
  attemptsFor,
  compose,
  type Header,
  type Kind,
  type Target,
  type TargetAttempt,
} from './malformed/attempt.ts'
import { KINDS } from './malformed/kinds.ts'
import { UNKNOWN, UNKNOWN_BY_NAME } from './malformed/unknown-ids.ts'

const AT_ONCE = 12
// Large bodies need CPU time: more at once would only wait for each other and could time out.
const LARGE_AT_ONCE = 3
const LARGE_BYTES = 100_000
const PATIENT = { timeout: scaledTimeout(15_000) }
const SECRET = 'a secret of machines'
/** Statuses from before routing, which no route documents. */
const BEFORE_ROUTES = new Set([408, 414, 431])
const tables = [system(() => ''), ...modules, probe]
// Two routes that always fail.
const FAILING = ['probe.bug', 'probe.slow']
// Malformed bodies are JSON. Routes that take a form are tested without their body.
const routes = tables
  .flatMap((module) => module.routes ?? [])
  .filter((route) => !FAILING.includes(route.name))
  .map((route) => (route.form ? { ...route, body: undefined } : route))

/** A text that changes with any row of any table, except request counters. */
const FINGERPRINT = `create function test_fingerprint() returns text language plpgsql as $$
declare name text; part text; whole text := '';
begin
  for name in select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'rate\\_%' order by 1
  loop
    execute format('select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) from %I t', name) into part;
    whole := whole || name || ' ' || part || chr(10);
  end loop;
  return whole;
end $$`

let server: TestServer
let port: number
let owner: Person
let scimToken: string
let targets: Target[]

beforeAll(async () => {
  server = await startTestServer({
    modules: [probe],
    tables: [...PROBE_TABLES, FINGERPRINT],
    variables: { INTERNAL_SECRET: SECRET },
  })
  port = Number(new URL(await server.listen()).port)
  owner = await server.person()
  const staff = await server.person({ staff: 'super_admin' })
  const made = await server.call('POST', `/orgs/${owner.orgId}/sso/scim/tokens`, {
    as: owner,
    body: { name: 'x' },
  })
  scimToken = String(made.body.token)
  // Otherwise its first use would be a write.
  await server.sql.rows`update scim_tokens set last_used_at = ${server.clock.now()}`
  targets = routes.map((route) => targetOf(route, owner, staff))
})
afterAll(() => server.close())

const document = resolveComponents(
  printOpenApi(
    tables.map(({ name, routes: described = [] }) => ({
      name,
      routes: described.map((route) => ({ ...route, hidden: false })),
    })),
    { version: '0', apiVersion: 2 },
  ),
) as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, JsonSchema> } }
type Operation = {
  requestBody?: { content: { 'application/json': { schema: JsonSchema; example: unknown } } }
  parameters?: { name: string; in: string; schema: JsonSchema }[]
  responses: Record<string, unknown>
}

function targetOf(route: Route, owner: Person, staff: Person): Target {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()] as Operation
  const body = operation.requestBody?.content['application/json']
  return {
    route,
    path: addressOf(route, owner),
    credentials: credentialsOf(route.access, owner, staff),
    example: body && leanExample(resolved(body.schema), body.example),
    body: body && resolved(body.schema),
    query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
    documented: new Set(Object.keys(operation.responses).map(Number)),
  }
}

/** A valid path of a resource that does not exist, so that a refusal is not about the path. */
function addressOf(route: Route, owner: Person): string {
  for (const other of UNKNOWN) {
    const params = Object.fromEntries(
      paramNames(route.path).map((name) => [
        name,
        name === orgParamOf(route.access) ? owner.orgId : (UNKNOWN_BY_NAME[name] ?? other),
      ]),
    )
    if (!route.params || route.params.safeParse(params).success)
      return route.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  }
  throw new Error(`${route.name} accepts none of the parameter values in UNKNOWN. Add one that it accepts.`)
}

const orgParamOf = (access: Access): string | undefined =>
  typeof access === 'object' && 'orgParam' in access ? access.orgParam : undefined

function credentialsOf(access: Access, owner: Person, staff: Person): Header[] {
  if (access === 'none' || isRail(access)) return []
  if (typeof access === 'object' && 'machine' in access && access.machine === 'internal')
    return [['x-internal-secret', SECRET]]
  if (isOrgToken(access)) return [['authorization', `Bearer ${scimToken}`]]
  const forStaff = typeof access === 'object' && ('staff' in access || 'machine' in access)
  return [['authorization', `Bearer ${(forStaff ? staff : owner).bearer}`]]
}

/** The example without optional fields. */
function leanExample(schema: JsonSchema, example: unknown): unknown {
  const required = (schema.required ?? []) as string[]
  return Object.fromEntries(
    Object.entries((example ?? {}) as object).filter(([name]) => required.includes(name)),
  )
}

/** A schema with its references replaced by their targets. */
function resolved(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === 'string' ? document.components.schemas[value.$ref.split('/').at(-1)] : value,
  ) as JsonSchema
}

describe('every route handles', () => {
  const mayIgnore = new Map<Kind, readonly TargetAttempt[]>()
  let before: string
  beforeAll(async () => {
    before = await fingerprint()
  })

  test.for(KINDS)('$name', async (kind) => {
    server.logged.length = 0
    const all = attemptsFor(kind, targets, KINDS.indexOf(kind))
    expect(all.length, 'requests to send').toBeGreaterThan(0)
    mayIgnore.set(
      kind,
      all.filter(({ attempt }) => !attempt.refused),
    )
    expect(await problemsOf(all.filter(({ attempt }) => attempt.refused))).toEqual([])
    if (isSoak) expect(await fingerprint(), 'a refused request writes nothing').toBe(before)
    await requireUnharmed()
  })

  test('all of them without a write where it must refuse', async () => {
    expect(await fingerprint()).toBe(before)
  })

  test('all of them where it may ignore the malformed part', async () => {
    server.logged.length = 0
    // `npm test` sends half of them, at least one of each kind.
    for (const [{ name }, attempts] of mayIgnore)
      expect(await problemsOf(everyNth(attempts, 2)), name).toEqual([])
    await requireUnharmed()
  })

  async function requireUnharmed(): Promise<void> {
    expect(await isHealthy()).toBe(true)
    expect(errorsLogged()).toEqual([])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  }
})

describe('valid requests are still accepted:', () => {
  test.for(['9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-0'])(
    'an amount of %s is returned exactly, whatever else is in the body',
    async (amount) => {
      const body = `{"unknown": [1e309, {"aMinor": 1.5}], "amountMinor": ${amount}, "x": "\\ud83d\\udca5"}`
      const reply = await only(compose(target('probe.money'), { body }))
      expect(reply.status).toBe(200)
      expect(reply.body.toString()).toBe(`{"amountMinor":${amount === '-0' ? '0' : amount}}`)
    },
  )

  test('a method override in a header or query is ignored', async () => {
    const headers: Header[] = [['x-http-method-override', 'DELETE']]
    const reply = await only(compose(target('me.get'), { headers, address: '/me?_method=DELETE' }))
    expect(JSON.parse(reply.body.toString())).toMatchObject({ userId: owner.userId })
  })
})

describe('garbage bytes after a valid request', () => {
  const GARBAGE = '\u0000\u0001 nonsense\r\n\r\n'
  const keepAlive: Header[] = [
    ['connection', 'keep-alive'],
    ['idempotency-key', 'with-garbage'],
  ]

  test('do not change the answer', async () => {
    const { open } = door('garbage')
    const request = compose(target('probe.spend'), {
      headers: keepAlive,
      body: '{"amountMinor": 5, "wait": "garbage"}',
    })
    const answer = exchange(port, Buffer.concat([request, Buffer.from(GARBAGE)]))
    const isRunning = () => server.sql.rows`select 1 from idempotency_keys where key = 'with-garbage'`
    await expect.poll(isRunning, PATIENT).toHaveLength(1)
    await isHealthy()
    open()
    const { replies, rest } = await answer
    expect(replies.map(({ status }) => status)).toEqual([200])
    expect(rest).toHaveLength(0)
  })

  test('are not answered during a stream', async () => {
    const { open } = door('stream')
    let sent = false
    const talk = () => {
      if (sent) return undefined
      sent = true
      return GARBAGE
    }
    const request = compose(target('probe.stream'), {
      body: '{"frames": 1, "wait": "stream"}',
      headers: keepAlive.slice(0, 1),
    })
    const answer = exchange(port, request, { talk })
    await expect.poll(() => sent, PATIENT).toBe(true)
    // Other requests are served meanwhile, so the garbage has been read too.
    for (let i = 0; i < 5; i++) expect(await isHealthy()).toBe(true)
    open()
    const { replies, rest } = await answer
    expect(replies).toHaveLength(1)
    expect(replies[0]?.body.toString()).toMatch(/^data: .*"delta".*\n\ndata: .*"done":true.*\n\n$/)
    expect(rest).toHaveLength(0)
  })
})

test('clients that disconnect during a request leave no open connection', async () => {
  const started = everyNth(targets, 6).flatMap((each) => {
    const whole = compose(each, { body: `{"note": "${'x'.repeat(1_000)}"}` })
    return [whole.subarray(0, 30), whole.subarray(0, -500)]
  })
  await Promise.all(started.map((bytes) => leave(bytes)))
  const { server: listening } = server.service.engine.http
  await expect
    .poll(() => new Promise((resolve) => listening.getConnections((_, count) => resolve(count))), PATIENT)
    .toBe(0)
  // Silent connections are closed by these timeouts.
  expect(listening.headersTimeout).toBe(10_000)
  expect(listening.requestTimeout).toBe(30_000)
  expect(errorsLogged()).toEqual([])
})

/** Sends the start of a request and resets the connection. */
function leave(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('connect', () => socket.write(bytes, () => socket.resetAndDestroy()))
  })
}

const target = (name: string): Target => targets.find(({ route }) => route.name === name) as Target

/** The only answer to a request. */
async function only(bytes: Buffer): Promise<RawReply> {
  const { replies } = await exchange(port, bytes)
  expect(replies).toHaveLength(1)
  return replies[0] as RawReply
}

/** A gate of the probe routes that blocks until it is opened. */
function door(name: string): { open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(name, promise)
  return { open: resolve }
}

test('there are enough routes and kinds of malformed requests', () => {
  expect(targets.length).toBeGreaterThan(20)
  expect(KINDS.length).toBeGreaterThan(45)
})

/** Sends all attempts with limited concurrency and returns the problems in the answers. */
async function problemsOf(tries: readonly TargetAttempt[]): Promise<string[]> {
  const problems: string[] = []
  const waiting = [...tries]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { target, attempt } = next
      const found = await exchange(port, attempt.bytes, { halfClose: attempt.halfClose ?? false }).then(
        (answer) => judge(target, attempt, answer),
        (error: Error) => [error.message],
      )
      problems.push(...found.map((problem) => `${target.route.name}: ${problem} — after ${sent(attempt)}`))
    }
  }
  const areLarge = tries.some(({ attempt }) => attempt.bytes.length > LARGE_BYTES)
  await Promise.all(Array.from({ length: areLarge ? LARGE_AT_ONCE : AT_ONCE }, work))
  return problems.slice(0, 20)
}

function sent({ bytes }: Attempt): string {
  const [first = '', ...lines] = bytes.subarray(0, 2_000).toString('latin1').split('\r\n')
  return JSON.stringify([first.slice(0, 120), ...lines.map((line) => line.slice(0, 80))])
}

function judge(target: Target, attempt: Attempt, { replies, rest }: Exchange): string[] {
  const [reply, ...more] = replies
  if (rest.length > 0) return [`unparseable bytes ${JSON.stringify(rest.toString('latin1').slice(0, 100))}`]
  if (!reply) return attempt.mayCloseSilently ? [] : ['no answer']
  const problems = more.length > 0 ? [`answered ${replies.length} times`] : []
  const { status } = reply
  if (status >= 400) problems.push(...shapeProblems(target.route, reply))
  if (!/^[\w.:-]{8,128}$/.test(reply.headers['x-request-id'] ?? '')) problems.push('no request id')
  if (!/^0\.4\.0\+/.test(reply.headers['x-service-version'] ?? '')) problems.push('no version')
  if (reply.headers['x-content-type-options'] !== 'nosniff') problems.push('no security headers')
  if (attempt.refused && !attempt.refused.includes(status))
    problems.push(`${status} instead of ${attempt.refused}: ${reply.body.toString().slice(0, 200)}`)
  if (!attempt.outsideRoute && !target.documented.has(status) && !BEFORE_ROUTES.has(status))
    problems.push(`${status} is not in the document`)
  if (attempt.code && refusalOf(reply.body).code !== attempt.code)
    problems.push(`not ${attempt.code}: ${reply.body.toString().slice(0, 200)}`)
  if (attempt.refused && attempt.field !== undefined && !namesField(reply, attempt.field))
    problems.push(`does not name ${attempt.field}: ${reply.body.toString().slice(0, 300)}`)
  return problems
}

function shapeProblems(route: Route, { status, headers, body }: RawReply): string[] {
  if (!/^application\/(scim\+)?json/.test(headers['content-type'] ?? ''))
    return [`${status} is not JSON: ${body.toString().slice(0, 100)}`]
  if (body.length === 0) return [`${status} without a body`]
  const { error, code, requestId } = refusalOf(body)
  const problems: string[] = []
  if (ERRORS[code as ErrorCode]?.status !== status) problems.push(`${status} with code ${code}`)
  if (!error || !requestId || requestId !== headers['x-request-id'])
    problems.push(`not the error format: ${body.toString().slice(0, 200)}`)
  if (status >= 500 && !mayBeUnavailable(route, code as ErrorCode)) problems.push(`${status} ${code}`)
  return problems
}

const refusalOf = (body: Buffer): Refusal => refusalIn(JSON.parse(body.toString()))

/** Whether the route documents a 503 code, or its access needs a configuration that may be missing. */
const mayBeUnavailable = ({ access, errors }: Route, code: ErrorCode): boolean =>
  ERRORS[code]?.status === 503 &&
  (errors.includes(code) ||
    (code === 'not_configured' && typeof access === 'object' && ('rail' in access || 'machine' in access)))

function namesField({ body }: RawReply, field: string): boolean {
  const { fields = [] } = refusalOf(body)
  return fields.some(({ path }) => path === field || path.startsWith(`${field}.`))
}

const fingerprint = async (): Promise<string> =>
  (await server.sql.one<{ text: string }>`select test_fingerprint() as text`).text
const isHealthy = async (): Promise<boolean> =>
  (await exchange(port, 'GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).replies[0]
    ?.status === 200
const errorsLogged = (): string[] =>
  server.logged.filter((line) => /"level":"(error|fatal)"/.test(line)).map((line) => line.slice(0, 500))
