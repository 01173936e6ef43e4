import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anchorChains } from '../../audit/anchors/anchor-job.ts'
import { anchorSeal } from '../../audit/anchors/anchor-store.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { resealAll } from './reseal-job.ts'

const OLD = 'the secret before the rotation, long enough'
const NEW = 'the secret after the rotation, long enough'
const onlyNew = createSecrets(NEW)

/** Each sealed column, with the key of its table and the context of the row `row`. */
const COLUMNS: Readonly<Record<string, readonly [key: string, context: string]>> = {
  'platform_settings.sealed': ['key', 'setting|row'],
  'push_subscriptions.auth_sealed': ['id', 'push subscription row auth'],
  'push_keys.private_sealed': ['singleton', 'push vapid key'],
  'hook_endpoints.secret_sealed': ['id', 'hooks endpoint row secret'],
  'hook_endpoints.previous_sealed': ['id', 'hooks endpoint row secret'],
  'totp_secrets.sealed_secret': ['user_id', 'totp secret of row'],
  'providers.api_key_sealed': ['id', 'provider|row'],
  'cards.authorization_sealed': ['id', 'the authorization of row'],
  'payments.phone_sealed': ['reference', 'phone of payment row'],
  'sso_connections.client_secret': ['id', 'sso client secret row'],
  'vcs_installations.token_sealed': ['id', 'vcs token row'],
  'vcs_installations.webhook_sealed': ['id', 'vcs webhook row'],
}
/** Sealed for the minutes of a sign-in. */
const SHORT_LIVED = ['saml_tickets.sealed']

type State = {
  hasPrevious: boolean
  begunAt: Date | null
  checkedAt: Date | null
  resealed: number
  lastResealed: number
  unreadable: { name: string; count: number; ids: string[] }[]
  removable: boolean
}

let before: TestServer
let server: TestServer
let operator: Person
let tables: string[]

beforeAll(async () => {
  before = await startTestServer({ variables: { SERVICE_SECRET: OLD } })
  server = await startTestServer({
    url: before.url,
    clock: before.clock,
    variables: {
      SERVICE_SECRET: NEW,
      SERVICE_SECRET_PREVIOUS: OLD,
      SERVICE_DATA_DIR: before.app.config.dataDir,
    },
  })
  operator = await server.person({ staff: 'super_admin' })
  tables = [...new Set(Object.keys(COLUMNS).map((name) => name.split('.')[0] ?? ''))]
  await relaxTables()
})
afterAll(async () => {
  await server.close()
  await before.close()
})

const statement = (text: string) => Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray
const run = <T extends object = object>(text: string) => server.sql.rows<T>(statement(text))
const readState = async () => (await server.call<State>('GET', '/admin/secrets', { as: operator })).body
const pass = (on = server) => resealAll(on.app, new AbortController().signal)

/** Rows with nothing but a key and a sealed text may be planted. */
async function relaxTables(): Promise<void> {
  const named = tables.map((table) => `'${table}'::regclass`).join(', ')
  await run(`do $$ declare c record; begin
    for c in select conrelid::regclass as t, conname from pg_constraint
             where contype in ('c', 'f') and conrelid in (${named}) loop
      execute format('alter table %s drop constraint %I', c.t, c.conname);
    end loop;
    for c in select a.attrelid::regclass as t, attname from pg_attribute a
             where attrelid in (${named}) and attnum > 0 and attnotnull and not attisdropped
               and not exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey)) loop
      execute format('alter table %s alter %I drop not null', c.t, c.attname);
    end loop;
  end $$`)
}

async function plant(texts: Readonly<Record<string, string>>, row = 'row'): Promise<void> {
  for (const table of tables) {
    const columns = Object.entries(texts).filter(([name]) => name.startsWith(`${table}.`))
    const [first] = columns
    if (!first) continue
    const key = COLUMNS[first[0]]?.[0]
    const named = [key, ...columns.map(([name]) => name.split('.')[1])]
    const values = [key === 'singleton' ? 'true' : row, ...columns.map(([, text]) => text)]
    await run(
      `insert into ${table} (${named.join(', ')}) values (${values.map((text) => `'${text}'`).join(', ')})`,
    )
  }
}

async function stored(name: string): Promise<string> {
  const [table, column] = name.split('.')
  const key = COLUMNS[name]?.[0]
  const rows = await run<{ sealed: string }>(
    `select ${column} as sealed from ${table} where ${key} = '${key === 'singleton' ? 'true' : 'row'}'`,
  )
  return rows[0]?.sealed ?? ''
}

test('every column with sealed texts is sealed again after a rotation', async () => {
  const columns = await run<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'text' and (column_name ~ 'seal' or column_name = 'client_secret')`,
  )
  const known = [...Object.keys(COLUMNS), ...SHORT_LIVED]
  expect(columns.map(({ name }) => name).sort()).toEqual(known.sort())
  const covered = server.app.sealed.map(({ name }) => name).filter((name) => name.includes('.'))
  expect(covered.sort()).toEqual(Object.keys(COLUMNS).sort())
})

test('after a pass, everything opens without the previous secret', async () => {
  const texts = Object.entries(COLUMNS).map(([name, [, context]]) => [
    name,
    before.app.secrets.seal(`content of ${name}`, context),
  ])
  await plant(Object.fromEntries(texts))
  await pass()
  for (const [name, [, context]] of Object.entries(COLUMNS))
    expect(onlyNew.open(await stored(name), context)).toBe(`content of ${name}`)
  const count = texts.length
  expect(await readState()).toMatchObject({
    hasPrevious: true,
    resealed: count,
    lastResealed: count,
    unreadable: [],
  })
})

test('texts of a replica that still runs with the other secret are found by the next pass, and the rest is not touched', async () => {
  const untouched = await stored('cards.authorization_sealed')
  await run(
    `update platform_settings set sealed = '${before.app.secrets.seal('later', 'setting|row')}' where key = 'row'`,
  )
  await pass()
  expect(onlyNew.open(await stored('platform_settings.sealed'), 'setting|row')).toBe('later')
  expect(await stored('cards.authorization_sealed')).toBe(untouched)
  expect(await readState()).toMatchObject({ lastResealed: 1 })
})

test('the previous secret may be removed after a pass without work, seven days after the rotation', async () => {
  await pass()
  expect(await readState()).toMatchObject({ lastResealed: 0, removable: false })
  server.clock.advance({ days: 7 })
  await pass()
  expect(await readState()).toMatchObject({ removable: true })
})

test('a rotation that is rolled back and repeated begins again, and keeps the previous secret needed', async () => {
  expect(await readState()).toMatchObject({ removable: true })
  server.clock.advance({ minutes: 1 })
  const back = await startTestServer({
    url: before.url,
    clock: before.clock,
    variables: {
      SERVICE_SECRET: OLD,
      SERVICE_SECRET_PREVIOUS: NEW,
      SERVICE_DATA_DIR: before.app.config.dataDir,
    },
  })
  await pass(back)
  expect(await stored('cards.authorization_sealed')).toMatch(new RegExp(`^${back.app.secrets.keyId}[.]`))
  await back.close()
  server.clock.advance({ minutes: 1 })
  expect(await readState()).toMatchObject({ begunAt: null, removable: false })
  await pass()
  await pass()
  expect(await readState()).toMatchObject({ lastResealed: 0, removable: false })
  server.clock.advance({ days: 7 })
  await pass()
  expect(await readState()).toMatchObject({ removable: true })
})

test('a text that no secret opens is named, kept, and keeps the previous secret needed', async () => {
  const foreign = createSecrets('a secret that is lost, and long enough').seal('lost', 'provider|lost')
  await plant({ 'providers.api_key_sealed': foreign }, 'lost')
  await pass()
  expect(await readState()).toMatchObject({
    removable: false,
    unreadable: [{ name: 'providers.api_key_sealed', count: 1, ids: ['lost'] }],
  })
  expect(server.logged.join()).toContain('secrets.unreadable')
  expect(await run(`select from providers where id = 'lost' and api_key_sealed = '${foreign}'`)).toHaveLength(
    1,
  )
  await run(`delete from providers where id = 'lost'`)
})

test('a pass that was interrupted continues with what is left', async () => {
  const texts = Array.from({ length: 450 }, (_, n) => {
    const id = `interrupted_${String(n).padStart(3, '0')}`
    return `('${id}', '${before.app.secrets.seal('x', `push subscription ${id} auth`)}')`
  })
  await run(`insert into push_subscriptions (id, auth_sealed) values ${texts.join(', ')}`)
  const earlier = (await readState()).resealed
  const stopping = new AbortController()
  const sealed = server.app.sealed.map((data) => ({
    ...data,
    resealPage: async (...of: Parameters<typeof data.resealPage>) => {
      const page = await data.resealPage(...of)
      if (page.resealed > 0) stopping.abort(new Error('the process ends'))
      return page
    },
  }))
  await expect(resealAll({ ...server.app, sealed }, stopping.signal)).rejects.toThrow('the process ends')
  expect((await readState()).resealed).toBe(earlier + 200)
  await pass()
  expect(await readState()).toMatchObject({ resealed: earlier + 450, lastResealed: 250 })
})

test('without a previous secret, a rotation that lost texts is reported once they are looked for', async () => {
  const alone = await startTestServer({
    url: before.url,
    clock: before.clock,
    variables: { SERVICE_SECRET: 'a third secret without the earlier ones' },
  })
  try {
    await pass(alone)
    const { body } = await alone.call<State>('GET', '/admin/secrets', { as: operator })
    expect(body).toMatchObject({ hasPrevious: false, removable: false, resealed: 0 })
    expect(body.unreadable.map(({ name }) => name)).toContain('cards.authorization_sealed')
  } finally {
    await alone.close()
  }
})

test('anchors of audit chains are sealed again by the job that verifies them', async () => {
  const signal = new AbortController().signal
  const change = { as: operator, body: { value: 45 } }
  expect((await before.call('PUT', '/admin/settings/runs_lease_seconds', change)).status).toBe(200)
  await anchorChains(before.app, signal)
  const chains = await run<{ chain: string }>('select chain from audit_anchors')
  expect(chains.length).toBeGreaterThan(0)
  const seals = (on: TestServer) => Promise.all(chains.map(({ chain }) => anchorSeal(on.app, chain)))
  expect(new Set(await seals(server))).toEqual(new Set(['older']))
  await pass()
  await anchorChains(server.app, signal)
  expect(new Set(await seals(server))).toEqual(new Set(['current']))
  expect(server.logged.join()).not.toContain('audit.anchor.lost')
  expect(server.logged.join()).not.toContain('audit.chain.tampered')
})

test('the cookie of a session in use is sealed again, and the session stays open', async () => {
  const visitor = before.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email: 'stays@example.com' } })
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const me = (headers: Record<string, string>) => server.call('GET', '/me', { headers })
  const renewed = await me({ cookie })
  expect(renewed.status).toBe(200)
  const [fresh = ''] = [renewed.headers['set-cookie'] ?? ''].flat()
  expect(fresh).toMatch(new RegExp(`^service_session=${onlyNew.keyId}[.]`))
  const again = await me({ cookie: fresh.split(';')[0] ?? '' })
  expect(again.status).toBe(200)
  expect(again.headers['set-cookie']).toBeUndefined()
})

test('customers see nothing of it, and only super admins start a pass', async () => {
  const support = await server.person({ staff: 'support' })
  expect((await server.call('GET', '/admin/secrets', { as: support })).status).toBe(200)
  expect((await server.call('POST', '/admin/secrets/reseal', { as: support })).status).toBe(403)
  expect((await server.call('GET', '/admin/secrets', { as: await server.person() })).status).toBe(403)
  const started = await server.call('POST', '/admin/secrets/reseal', { as: operator })
  expect(started.status).toBe(202)
  const rows = await run(`select from jobs where name = 'operators.reseal' and key = 'requested'`)
  expect(rows).toHaveLength(1)
})
