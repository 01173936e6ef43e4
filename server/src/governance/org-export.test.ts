import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { CONTENT_CANARY, makeTenant, type TenantWorld } from '@cowrie/testkit/harness/tenants/tenant-world.ts'
import { giveManyCredits } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { fromJson } from '../kernel/json.ts'
import { modules } from '../modules.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import type { Module } from '../platform/module.ts'
import { ExportDocument } from './org-export-schema.ts'

type Row = Record<string, unknown>
type Document = Record<string, Row & Row[]> & { format: number }

/** An endless list and a list that fails after its first page, for chosen organisations. */
const endless = new Set<string>()
const failing = new Set<string>()
let pages = 0
const odd: Module = {
  name: 'odd',
  tenantData: {
    exports: {
      odd: async (_tx, org, after) => {
        pages++
        if (failing.has(org) && after !== null) throw new Error('the second page is broken')
        const rows = endless.has(org) || failing.has(org) ? [{ filler: 'x'.repeat(100_000) }] : []
        return { rows, next: rows.length > 0 ? 'on' : null }
      },
    },
  },
}

let server: TestServer
let base: URL
let tenant: TenantWorld
beforeAll(async () => {
  server = await startTestServer({ modules: [odd] })
  base = new URL(await server.listen())
  tenant = await makeTenant(server)
})
afterAll(() => server.close())

const exported = (as: Person, orgId = as.orgId) => server.call('GET', `/orgs/${orgId}/export`, { as })
const documentFor = async (as: Person) => fromJson((await exported(as)).text) as Document

describe('an export', () => {
  let text: string
  let document: Document
  beforeAll(async () => {
    const reply = await exported(tenant.owner)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-disposition']).toMatch(
      /^attachment; filename="cowrie-org_\w+-\d{4}-\d\d-\d\d\.json"$/,
    )
    text = reply.text
    document = fromJson(text) as Document
  })

  test('contains every kind of data of the organisation', () => {
    const { ids } = tenant
    const idsIn = (name: string) => document[name]?.map((row) => row.id ?? row.reference ?? row.userId)
    const typed = { ...document, exportedAt: new Date(String(document.exportedAt)) }
    expect(ExportDocument.safeParse(typed).error).toBeUndefined()
    expect(document).toMatchObject({ format: 1, orgId: ids.org, exportedAt: expect.stringMatching(/Z$/) })
    expect(document.org).toMatchObject({ id: ids.org, type: 'team', dataIsolation: 'shared', planCode: null })
    expect(idsIn('members')).toEqual([tenant.owner.userId, ids.member])
    expect(idsIn('apiKeys')).toEqual([ids.key])
    expect(idsIn('topups')).toEqual([ids.payment, ids.undecidedPayment])
    expect(idsIn('invoices')).toEqual([ids.invoice])
    expect(idsIn('creditNotes')).toEqual([ids.creditNote])
    expect(idsIn('cards')).toEqual([ids.card])
    expect(idsIn('threads')).toEqual([ids.thread])
    expect(idsIn('agentRuns')).toEqual([ids.run])
    expect(idsIn('storedResponses')).toEqual([ids.response])
    expect(document.storedResponses?.[0]).toMatchObject({
      input: [{ role: 'user' }],
      response: { id: ids.response },
    })
    expect(idsIn('projects')).toEqual([ids.project])
    expect(idsIn('projectMembers')).toEqual([tenant.owner.userId])
    expect(idsIn('attachments')).toEqual([ids.attachment])
    expect(idsIn('researchRuns')).toEqual([ids.research])
    for (const name of ['researchSources', 'researchFindings', 'researchPages'])
      expect(document[name], name).toMatchObject([{ runId: ids.research }])
    expect(idsIn('tasks')).toEqual([ids.task])
    expect(document.taskTurns).toMatchObject([{ id: ids.turn, taskId: ids.task, prompt: CONTENT_CANARY }])
    expect(document.taskSteps).toMatchObject([{ turnId: ids.turn, outcome: { output: CONTENT_CANARY } }])
    expect(document.taskChanges).toMatchObject([{ taskId: ids.task, content: CONTENT_CANARY }])
    expect(document.taskBaseFiles).toMatchObject([
      { taskId: ids.task, path: ids.taskFile, content: Buffer.from(CONTENT_CANARY).toString('base64') },
    ])
    expect(document.taskClients).toMatchObject([{ taskId: ids.task, conventions: { path: 'AGENTS.md' } }])
    expect(document.taskPullRequests).toMatchObject([{ taskId: ids.task, number: 1 }])
    expect(idsIn('webhookEndpoints')).toEqual([ids.endpoint])
    expect(document.ledger?.[0]).toMatchObject({ id: ids.entry, type: 'credit', amountMinor: 5_000_000n })
    expect(document.messages?.map(({ role, threadId }) => [role, threadId])).toEqual([
      ['user', ids.thread],
      ['assistant', ids.thread],
    ])
    expect(document.messages?.[0]?.content).toBe(CONTENT_CANARY)
    expect(document.usage).toHaveLength(3)
    expect(document.sso).toMatchObject({ connection: { clientId: 'cowrie', hasClientSecret: true } })
    expect(document.kyc).toMatchObject({ businessName: 'Acme' })
    expect(document.wallet?.balanceMinor).toBe(document.ledger?.at(-1)?.balanceAfterMinor)
    expect(document.audit?.map(({ action }) => action)).toContain('wallet.refund')
  })

  test('is audited before its first byte, so its audit list includes it', () => {
    expect(document.audit?.at(-1)).toMatchObject({
      action: 'org.export',
      target: tenant.ids.org,
      actorUserId: tenant.owner.userId,
    })
  })

  test('contains no secret', async () => {
    const secrets = await secretsOf(tenant)
    for (const [name, values] of Object.entries(secrets)) {
      expect(values, name).not.toEqual([])
      for (const value of values) expect(text.includes(value), name).toBe(false)
    }
    expect(text).not.toMatch(/canary|sealed|"hash":"[^0-9a-f"]/)
  })
})

/** All secrets of an organisation and its members, in every encoding. */
async function secretsOf({
  owner: { userId },
  ids: { org },
}: TenantWorld): Promise<Record<string, string[]>> {
  const columns = await server.sql.one<Record<string, string | Uint8Array>>`
    select u.password_hash, k.hash as key_hash, s.token_hash, t.sealed_secret, c.authorization_sealed, c.fingerprint,
           h.secret_sealed, o.client_secret, d.token, p.hash as scim_hash
    from users u join sessions s on s.user_id = u.id join totp_secrets t on t.user_id = u.id,
         api_keys k, cards c, hook_endpoints h, sso_connections o, sso_domains d, scim_tokens p
    where u.id = ${userId} and k.org_id = ${org} and c.org_id = ${org} and h.org_id = ${org} and o.org_id = ${org}
      and d.org_id = ${org} and p.org_id = ${org}`
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? [value]
        : (['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(value).toString(form)),
    ]),
  )
}

describe('access to the export', () => {
  test('is limited to owners', async () => {
    const { org } = tenant.ids
    const [admin, stranger] = [await server.member(org as never, 'admin'), await server.person()]
    expect(await exported(admin)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const refused = await exported(stranger, org as never)
    const unknown = await exported(stranger, newId('org'))
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...refused.body, requestId: '' })
  })

  test('needs a recent sign-in', async () => {
    const { email, orgId } = await server.person()
    const browser = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email } })
    expect((await browser.call('GET', `/orgs/${orgId}/export`)).status).toBe(200)
    server.clock.advance({ minutes: 16 })
    const reply = await browser.call('GET', `/orgs/${orgId}/export`)
    expect(reply).toMatchObject({ status: 403, body: { code: 'reauth_required' } })
  })

  test('is limited to ten per hour', async () => {
    const ada = await server.person()
    expect((await exported(ada)).status).toBe(200)
    await server.sql.rows`update attempts set count = 9 where name = 'org.exports'`
    expect((await exported(ada)).status).toBe(200)
    expect(await exported(ada)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    server.clock.advance({ minutes: 61 })
    expect((await exported(ada)).status).toBe(200)
  })
})

describe('a long export', () => {
  test('has every row once, for every page size', async () => {
    const ada = await server.person()
    await giveManyCredits(server, ada.orgId, 450)
    const { ledger = [], movements = [] } = await documentFor(ada)
    expect(ledger.map(({ seq }) => seq)).toEqual(Array.from({ length: 450 }, (_, i) => i + 1))
    expect(movements).toHaveLength(450)
  })

  test('has every long message once', async () => {
    const [ada, thread] = [await server.person(), newId('thr')]
    await server.sql.rows`
      insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
      values (${thread}, ${ada.orgId}, ${ada.userId}, 'general', ${server.clock.now()}, ${server.clock.now()})`
    await server.sql.rows`
      insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
      select ${thread} || lpad(i::text, 3, '0'), ${ada.orgId}, ${thread}, 'user', repeat('x', 300000), 'complete',
             ${server.clock.now()}, ${server.clock.now()} from generate_series(1, 9) i`
    const { messages = [] } = await documentFor(ada)
    expect(messages.map(({ id }) => String(id).slice(-3))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `00${i}`),
    )
  })

  test('is incomplete after a failed page, and the connection is aborted', async () => {
    const ada = await server.person()
    failing.add(ada.orgId)
    const { text, isWhole } = await rest(await open(ada))
    expect(text).toContain('"odd":[')
    expect(isWhole).toBe(false)
    await expect.poll(() => server.logged.join('\n')).toContain('http.download_failed')
    failing.delete(ada.orgId)
    expect((await exported(ada)).status).toBe(200)
  })

  test('applies backpressure, runs one at a time and stops when the client disconnects', async () => {
    const ada = await server.person()
    endless.add(ada.orgId)
    const slow = await open(ada)
    let seen = 0
    const isStill = () => {
      const before = seen
      seen = pages
      return before === seen
    }
    await expect.poll(isStill, { interval: 100 }).toBe(true)
    expect(await exported(ada)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    slow.destroy()
    endless.delete(ada.orgId)
    await expect.poll(async () => (await exported(ada)).status).toBe(200)
  })

  test('ends when the exporter loses ownership', async () => {
    const ada = await server.person()
    endless.add(ada.orgId)
    const response = await open(ada)
    await server.sql.rows`update memberships set role = 'member' where user_id = ${ada.userId}`
    expect((await rest(response)).isWhole).toBe(false)
  })
})

/** A reply whose body is still streaming. */
function open({ bearer, orgId }: Person): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = base
    const headers = { authorization: `Bearer ${bearer}` }
    const request = httpRequest({ host, port, path: `/orgs/${orgId}/export`, headers }, (response) =>
      response.once('readable', () => resolve(response)),
    )
    request.once('error', reject)
    request.end()
  })
}

const KEPT_CHARACTERS = 100_000

/** The rest of the body, as far as it arrives. */
function rest(response: IncomingMessage): Promise<{ text: string; isWhole: boolean }> {
  return new Promise((resolve) => {
    let text = ''
    response.on('data', (piece: Buffer) => {
      text = (text + piece.toString()).slice(0, KEPT_CHARACTERS)
    })
    response.on('error', () => undefined)
    response.on('close', () => resolve({ text, isWhole: response.complete }))
  })
}

describe('completeness', () => {
  /** Tables with an organisation id that belong to no module. */
  const OF_THE_PLATFORM: Record<string, string> = {
    jobs: 'work that is about to be done',
    streams: 'what is being written right now; what came of it is in messages and runs',
    stream_events: 'the same, piece by piece',
    kept_replies:
      'what was answered under an Idempotency-Key, for a week; what it repeats is in messages and runs',
    content_changes: 'keys of rows while an organisation moves',
  }
  const owned: TenantData<App>[] = modules.flatMap((module) => module.tenantData ?? [])

  test('the document matches its schema', () => {
    const names = owned.flatMap(({ facts = {}, exports = {} }) => [facts, exports].flatMap(Object.keys))
    const described = Object.keys(ExportDocument.shape)
    expect([...names, 'format', 'exportedAt', 'orgId'].sort()).toEqual(described.sort())
  })

  test('every table with an organisation id is exported or has a reason not to be', async () => {
    const found = await server.sql.rows<{ name: string }>`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped order by 1`
    const known = [
      ...owned.flatMap(({ tables = [], withheld = {} }) => [...tables, ...Object.keys(withheld)]),
      ...Object.keys(OF_THE_PLATFORM),
    ]
    expect(known.toSorted()).toEqual(found.map(({ name }) => name))
  })

  test('every exported name is unique', () => {
    const names = owned.flatMap(({ facts = {}, exports = {} }) => [
      ...Object.keys(facts),
      ...Object.keys(exports),
    ])
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    expect(names).not.toContain('format')
  })
})
