// The test harness: a separate database per test file, and the whole service in this process.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinNodes } from '@cowrie/server/cluster/citus/nodes.ts'
import { openAccount } from '@cowrie/server/src/identity/identity.ts'
import { generateKey } from '@cowrie/server/src/identity/keys/key-format.ts'
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { type Clock, ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import { newId, type OrgId, type UserId } from '@cowrie/server/src/kernel/ids.ts'
import { fromJson, toJson } from '@cowrie/server/src/kernel/json.ts'
import { once } from '@cowrie/server/src/kernel/once.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import { readConfig } from '@cowrie/server/src/platform/config.ts'
import { withDatabase } from '@cowrie/server/src/platform/db/connection-url.ts'
import { openDb } from '@cowrie/server/src/platform/db/open-db.ts'
import { openPool, type Pool, withPool } from '@cowrie/server/src/platform/db/pool.ts'
import type { Db, Sql } from '@cowrie/server/src/platform/db/tx.ts'
import type { OrgRole, Scope, StaffTier } from '@cowrie/server/src/platform/http/actor.ts'
import { createLog } from '@cowrie/server/src/platform/log/log.ts'
import type { Module } from '@cowrie/server/src/platform/module.ts'
import { limitThreads } from '@cowrie/server/src/platform/workers/workers.ts'
import { type Service, startService } from '@cowrie/server/src/service.ts'
import { TEMPLATE } from '@cowrie/server/test/global-setup.ts'
import { inject } from 'vitest'
import { GENEROUS_TIMEOUTS } from './timeouts.ts'

// Several test processes share the processors.
limitThreads(1)

export type TestDb = {
  db: Db
  clock: ManualClock
  url: string
  /** Access as the database owner, without row-level security, to inspect and corrupt data. */
  sql: Sql
  /** Opens a second replica on the same database. */
  openReplica(clock?: Clock): Db
  close(): Promise<void>
}

/** A new, migrated database. `db` uses the service's role. */
export async function openTestDb(): Promise<TestDb> {
  const url = await createDatabase()
  const clock = new ManualClock()
  const opened: Db[] = []
  const isDistributed = inject('citus') !== null
  const open = (options: { clock: Clock; role: string | null }) => {
    const db = openDb(url, { ...GENEROUS_TIMEOUTS, ...options, isDistributed, max: 8 })
    opened.push(db)
    return db
  }
  return {
    db: open({ clock, role: 'cowrie_app' }),
    clock,
    url,
    sql: open({ clock, role: null }).direct,
    openReplica: (other = clock) => open({ clock: other, role: 'cowrie_app' }),
    async close() {
      await Promise.all(opened.map((db) => db.close()))
      await dropDatabase(url)
    },
  }
}

/** A copy of the migrated template, or an empty database. */
export async function createDatabase(template: string | null = TEMPLATE): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  if (inject('citus')) return createOnCitus(name, template)
  // The strategy file_copy takes a third of the time of the default, which logs every page.
  const source = template ? ` template ${template} strategy file_copy` : ''
  await databases().unsafe(`create database ${name}${source}`)
  return withDatabase(inject('databaseUrl'), name)
}

/** On every node. */
async function createOnCitus(name: string, template: string | null): Promise<string> {
  const citus = present(inject('citus'), 'the tests run on Citus')
  const nodes = [citus.coordinator, ...citus.workers]
  for (const { url } of nodes)
    await withPool(url, (sql) =>
      sql.unsafe(`create database ${name} template ${template ?? 'template1'} strategy file_copy`),
    )
  if (!template) await joinNodes(citus, name)
  return withDatabase(citus.coordinator.url, name)
}

export async function dropDatabase(url: string): Promise<void> {
  const name = /\/(test_\w+)/.exec(url)?.[1]
  for (const node of inject('citus')?.workers ?? [])
    if (name) await withPool(node.url, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
  if (name) await databases().unsafe(`drop database if exists ${name} with (force)`)
}

/** Creates and drops databases. It stays open until the process ends, because a new connection takes as long as the work. */
const databases = once(() => openPool(inject('databaseUrl'), { max: 2 }))

/** Runs work on the database server as its owner. */
export async function withAdmin(work: (admin: Pool) => Promise<unknown>): Promise<void> {
  await withPool(inject('databaseUrl'), work)
}

export type Person = { userId: UserId; orgId: OrgId; email: string; bearer: string }
export type Reply<T = Record<string, unknown>> = {
  status: number
  headers: Record<string, string>
  text: string
  body: T
}
export type TestRequest = {
  as?: { bearer: string } | undefined
  body?: unknown
  headers?: Record<string, string>
  query?: Record<string, string>
  raw?: string | Buffer
}

export type TestServer = {
  app: App
  service: Service
  clock: ManualClock
  url: string
  sql: Sql
  /** Log lines of the service. */
  logged: string[]
  /** A request through the whole service, without a socket. */
  call<T = Record<string, unknown>>(method: string, path: string, ask?: TestRequest): Promise<Reply<T>>
  /** Listens on a loopback port and returns the address. */
  listen(): Promise<string>
  /** A client that stores cookies like a browser, without browser-only headers. */
  visitor(): Visitor
  person(options?: { email?: string; staff?: StaffTier; type?: 'individual' | 'team' }): Promise<Person>
  member(org: OrgId, role: OrgRole): Promise<Person>
  key(person: Person, scopes: readonly Scope[]): Promise<{ bearer: string; id: string }>
  close(): Promise<void>
}

export type Visitor = {
  readonly cookies: Map<string, string>
  call<T = Record<string, unknown>>(method: string, path: string, ask?: TestRequest): Promise<Reply<T>>
}

export type TestServerOptions = {
  modules?: readonly Module[]
  variables?: Record<string, string>
  url?: string
  /** The address of a superuser, where the role in `url` is none. `sql` then reads the rows of all organisations. */
  adminUrl?: string
  tables?: readonly string[]
  clock?: ManualClock
  background?: boolean
  /**
   * The beginnings of the names of schedules that fire, for tests that advance the clock many times: an advance by a day runs more
   * than forty jobs. Default: all fire.
   */
  schedules?: readonly string[]
}

const DEFAULT_VARIABLES = {
  SERVICE_ENV: 'test',
  SERVICE_DEV_AUTH: 'on',
  SERVICE_SECRET: 'a secret that only tests know, long enough',
  SERVICE_LOG_LEVEL: 'info',
  PORT: '0',
  // No load balancer has to notice that a test server stops.
  SERVICE_DRAIN_SECONDS: '0',
  SERVICE_BASE_URL: 'http://cowrie.test',
  SERVICE_RATE_LIMIT_AUTH: '100000/60',
  SERVICE_RATE_LIMIT_MONEY: '100000/60',
  SERVICE_RATE_LIMIT_WEBHOOK: '100000/60',
  SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
}

/** The whole service on a new database, or as another replica on the database at `url`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const url = options.url ?? (await createDatabase())
  const clock = options.clock ?? new ManualClock()
  const owner = openDb(options.adminUrl ?? url, { ...GENEROUS_TIMEOUTS, clock, max: 2 })
  for (const statement of options.tables ?? []) await owner.direct.rows(templateOf(statement))
  const dataDir = mkdtempSync(join(tmpdir(), 'cowrie-data-'))
  const variables = {
    ...DEFAULT_VARIABLES,
    DATABASE_URL: url,
    SERVICE_DATABASE_POOL: '8',
    SERVICE_DATA_DIR: dataDir,
    ...options.variables,
  }
  const logged: string[] = []
  const config = readConfig(variables, '0.4.0')
  const log = createLog({
    level: 'info',
    // Lines of requests are written together.
    destination: { write: (lines: string) => void logged.push(...lines.split(/(?<=\n)/)) },
    clock,
  })
  const service = await startService({
    config,
    variables,
    log,
    clock,
    extra: options.modules ?? [],
    background: options.background ?? false,
    isScheduled: (name) => options.schedules?.some((start) => name.startsWith(start)) ?? true,
    timeouts: GENEROUS_TIMEOUTS,
    // The template has all migrations.
    ...(options.url
      ? {}
      : { migrated: { applied: [], role: 'cowrie_app', isDistributed: inject('citus') !== null } }),
  })
  const { app, engine } = service
  await engine.http.ready()

  async function person({
    email = `${newId('usr')}@example.com`,
    staff,
    type = 'individual',
  }: {
    email?: string
    staff?: StaffTier
    type?: 'individual' | 'team'
  } = {}): Promise<Person> {
    const account = await app.db.tx('platform', (tx) => openAccount(tx, { email, verified: true }))
    if (!account) throw new Error(`${email} has an account already`)
    if (staff)
      await owner.direct
        .rows`insert into staff (user_id, role, created_at) values (${account.userId}, ${staff}, ${clock.now()})`
    if (type === 'team')
      await owner.direct.rows`update orgs set type = 'team', tier = 'team' where id = ${account.orgId}`
    return { ...account, email, bearer: account.userId }
  }

  const call: TestServer['call'] = async (method, path, { as, body, headers = {}, query, raw } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : toJson(body))
    const response = await engine.http.inject({
      method: method as 'GET',
      url: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as ? { authorization: `Bearer ${as.bearer}` } : {}),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const json =
      String(response.headers['content-type'] ?? '').match(/^application\/(scim\+)?json\b/) !== null
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.body,
      body: (json ? fromJson(response.body) : {}) as never,
    }
  }

  return {
    app,
    service,
    clock,
    url,
    sql: owner.direct,
    logged,
    person,
    call,
    visitor() {
      const cookies = new Map<string, string>()
      return {
        cookies,
        async call(method, path, ask = {}) {
          const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
          const reply = await call(method, path, {
            ...ask,
            headers: { ...(cookie && { cookie }), ...ask.headers },
          })
          keepCookies(cookies, reply.headers['set-cookie'])
          return reply as never
        },
      }
    },
    listen: () => engine.http.listen({ port: 0, host: '127.0.0.1' }),
    async member(org, role) {
      const newcomer = await person()
      // The development bearer token uses the oldest membership, so the first one is deleted.
      await owner.direct.rows`delete from memberships where user_id = ${newcomer.userId}`
      await owner.direct
        .rows`insert into memberships (org_id, user_id, role, created_at) values (${org}, ${newcomer.userId}, ${role}, ${clock.now()})`
      return { ...newcomer, orgId: org }
    },
    async key(holder, scopes) {
      const { key, prefix, hash } = generateKey()
      const id = newId('key')
      await owner.direct.rows`
        insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at)
        values (${id}, ${holder.orgId}, ${holder.userId}, 'test', ${prefix}, ${hash}, ${[...scopes]}::text[], ${clock.now()})`
      return { bearer: key, id }
    },
    async close() {
      await service.close()
      await owner.close()
      rmSync(dataDir, { recursive: true, force: true })
      if (!options.url) await dropDatabase(url)
    },
  }
}

/** Stores the cookies of a Set-Cookie header. */
function keepCookies(jar: Map<string, string>, given: string | readonly string[] | undefined): void {
  for (const line of given === undefined ? [] : [given].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0\b/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
}

const templateOf = (text: string) => Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray
