import { setImmediate } from 'node:timers/promises'
import { type EInvoiceWorld, startEInvoiceWorld } from '@cowrie/testkit/einvoices/einvoice-world.ts'
import { type FakeFirs, startFakeFirs } from '@cowrie/testkit/fakes/einvoices/firs.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueCreditNote } from '../credit-note.ts'
import { einvoiceProblems } from './authorities.ts'
import { SUBMITTERS_PER_REPLICA } from './jobs.ts'
import type { SubmissionId } from './sql.ts'
import { submitDocument } from './submit.ts'

let firs: FakeFirs
let world: EInvoiceWorld
let ada: Person

beforeAll(async () => {
  firs = await startFakeFirs()
  world = await startEInvoiceWorld(firs)
})
afterAll(async () => {
  await world.server.close()
  await firs.server.close()
})
beforeEach(async () => {
  firs.rejects = false
  firs.buyersReachable = true
  ada = await world.buyer()
})

type Listed = { id: string; orgId: string; number: string; state: string }
const list = (query: Record<string, string> = {}, as: Person = world.staff) =>
  world.server.call<{ einvoices: Listed[]; nextCursor: string | null }>('GET', '/admin/einvoices', {
    as,
    query,
  })
const retry = (id: string, as: Person = world.staff, key = `retry-${id}`) =>
  world.server.call('POST', `/admin/einvoices/${id}/retry`, { as, headers: { 'idempotency-key': key } })

async function rejected(): Promise<{ id: string; number: string }> {
  firs.rejects = true
  const { number } = await world.issue(ada)
  await world.run()
  firs.rejects = false
  return world.registered(number)
}

describe('GET /admin/einvoices', () => {
  test('lists a rejected document with its reasons, and others by their state', async () => {
    const { id, number } = await rejected()
    const { body } = await list({ state: 'rejected' })
    expect(body.einvoices.find((each) => each.id === id)).toMatchObject({
      ...{ orgId: ada.orgId, kind: 'invoice', number, authority: 'firs', state: 'rejected', attempts: 1 },
      ...{ currency: 'NGN', totalMinor: 120_000n, authorityId: null, dueAt: null },
      reasons: ['hsn_code is not in the list of services', 'unable to process the invoice'],
    })
    expect((await list({ state: 'accepted' })).body.einvoices.map((each) => each.id)).not.toContain(id)
  })

  test('continues after a page without repeating a document', async () => {
    for (let at = 0; at < 3; at++) await world.issue(ada)
    const first = (await list({ limit: '2' })).body
    const second = (await list({ limit: '2', cursor: first.nextCursor ?? '' })).body
    const ids = [...first.einvoices, ...second.einvoices].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    await world.run()
  })

  test('is for staff', async () => {
    expect((await list({}, ada)).status).toBe(403)
    expect((await list({}, await world.server.person({ staff: 'support' }))).status).toBe(200)
  })
})

describe('POST /admin/einvoices/{id}/retry', () => {
  test('is recorded in the audit log, and repeats its answer under the same key', async () => {
    const { id, number } = await rejected()
    expect((await retry(id)).status).toBe(200)
    expect(await retry(id)).toMatchObject({ status: 200, body: { ok: true, id } })
    await world.run()
    expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
    expect(
      await world.server.sql.rows`
        select action, metadata from audit_entries where org_id = ${ada.orgId} and action = 'admin.invoices.retry_einvoice'`,
    ).toEqual([
      { action: 'admin.invoices.retry_einvoice', metadata: { id, authority: 'firs', from: 'rejected' } },
    ])
  })

  test('is refused for a document that is accepted, unknown, or of the own organisation, and for support', async () => {
    const { id, number } = await rejected()
    expect((await retry(id, await world.server.person({ staff: 'support' }), 'a')).status).toBe(403)
    await world.server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${ada.orgId}, ${world.staff.userId}, 'member', ${world.server.clock.now()})`
    expect((await retry(id, world.staff, 'b')).status).toBe(403)
    await world.server.sql
      .rows`delete from memberships where org_id = ${ada.orgId} and user_id = ${world.staff.userId}`
    await retry(id, world.staff, 'c')
    await world.run()
    expect((await world.registered(number)).state).toBe('accepted')
    expect(await retry(id, world.staff, 'd')).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    expect((await retry(`ein_${'0'.repeat(26)}`, world.staff, 'e')).status).toBe(404)
  })
})

describe('a document is registered only', () => {
  test.for([
    ['test money', { mode: 'mock' }],
    [
      'a payment from the wallet, whose top-up was registered',
      { reference: null, isTaxed: false, method: 'Wallet' },
    ],
    ['another currency, which needs an exchange rate', { currency: 'USD' }],
    ['an open invoice', { status: 'open', reference: null }],
    ['a backdated invoice', { issuedAt: new Date('2026-01-05') }],
  ] as const)('if it is not %s', async ([, more]) => {
    const { id } = await world.issue(ada, more)
    expect(await world.server.sql.rows`select id from einvoice_submissions where invoice_id = ${id}`).toEqual(
      [],
    )
    const receipt = await world.server.call('GET', `/invoices/${id}/receipt`, { as: ada })
    expect(receipt.text).not.toContain('egistered with')
  })

  test('if it has the tax of the seller’s country', async () => {
    const { id } = await world.issue(await world.buyer({ country: 'KE' }))
    expect(await world.server.sql.rows`select id from einvoice_submissions where invoice_id = ${id}`).toEqual(
      [],
    )
  })
})

test('a hundred documents at once are registered once each, a few at a time', async () => {
  const before = firs.documents.length
  const buyers = await Promise.all(Array.from({ length: 5 }, () => world.buyer()))
  await Promise.all(Array.from({ length: 100 }, (_, at) => world.issue(buyers[at % 5] ?? ada)))
  await world.run()
  expect(firs.documents.length - before).toBe(100)
  expect(new Set(firs.documents.map(({ key }) => key)).size).toBe(firs.documents.length)
  expect(firs.server.mostAtOnce()).toBe(SUBMITTERS_PER_REPLICA)
  const { serials, last, left } = await world.server.sql.one<{ serials: bigint; last: bigint; left: bigint }>`
    select count(distinct serial) as serials, max(serial) as last, count(*) filter (where state = 'sent') as left
    from einvoice_submissions`
  expect({ serials, left }).toEqual({ serials: last, left: 0n })
})

test('two workers with the same document send it once', async () => {
  const { number } = await world.issue(ada)
  const { id } = await world.registered(number)
  const before = firs.server.sent().length
  const submit = () => submitDocument(world.server.app, id as SubmissionId, new AbortController().signal)
  await Promise.all([submit(), submit(), submit()])
  expect(await world.registered(number)).toMatchObject({ state: 'accepted', attempts: 1 })
  expect(firs.server.sent().length - before).toBe(1)
})

test('a credit note that is issued while its invoice is accepted is registered once', async () => {
  const { number, reference } = await world.issue(ada)
  const { id } = await world.registered(number)
  let submission: Promise<void> | undefined
  let isSubmitted = false
  const note = await world.server.app.db.tx(ada.orgId, async (tx) => {
    const { orgId } = ada
    const issued = await issueCreditNote(tx, {
      ...{ orgId, reference, amountMinor: 30_000n, reason: 'Refunded', cause: `race ${reference}` },
    })
    submission = submitDocument(world.server.app, id as SubmissionId, new AbortController().signal).then(
      () => {
        isSubmitted = true
      },
    )
    while (!isSubmitted && !(await isAnyoneBlocked())) await setImmediate()
    return issued
  })
  await submission
  await world.run()
  expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
  expect(await world.registered(note?.number ?? '')).toMatchObject({ state: 'accepted', attempts: 1 })
})

const isAnyoneBlocked = async (): Promise<boolean> => {
  const { blocked } = await world.server.sql.one<{ blocked: boolean }>`
    select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                   where not l.granted and a.datname = current_database()) as blocked`
  return blocked
}

describe('Nigeria', () => {
  test('the code holds the reference number and the certificate, for the authority only', async () => {
    const { number } = await world.issue(ada)
    await world.run()
    const { authorityId, qr } = await world.registered(number)
    expect(authorityId).toBe(`${number.replaceAll('-', '')}-94ND90NR-20261115`)
    const { irn, certificate } = firs.readQr(qr ?? '')
    expect(irn).toBe(`${authorityId}.${Math.floor(world.server.clock.now().getTime() / 1000)}`)
    expect(certificate).toBe(firs.variables.FIRS_CERTIFICATE)
  })

  test('a buyer with a tax number is sent the invoice, unless the buyer cannot receive it', async () => {
    const buyer = await world.buyer({ taxId: 'TIN-1' })
    const first = await world.issue(buyer)
    await world.run()
    const reached = await world.registered(first.number)
    expect(firs.transmitted).toEqual([reached.authorityId])
    firs.buyersReachable = false
    const second = await world.issue(buyer)
    await world.run()
    const unreached = await world.registered(second.number)
    expect([reached, unreached].map(({ state, stamp }) => [state, stamp?.transmission])).toEqual([
      ['accepted', 'sent'],
      ['accepted', 'not delivered (status 400)'],
    ])
  })

  test('the receipt as PDF has the reference number', async () => {
    const { id, number } = await world.issue(ada)
    await world.run()
    const { authorityId } = await world.registered(number)
    const origin = await world.server.listen()
    const response = await fetch(`${origin}/invoices/${id}/receipt?format=pdf`, {
      headers: { authorization: `Bearer ${ada.bearer}` },
    })
    const { text } = await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true })
    expect(text.replaceAll(/\s/g, '')).toContain(authorityId)
  })
})

describe('the configuration', () => {
  const problemsOf = (country: string | null, variables: Record<string, string>) =>
    einvoiceProblems({ country, variables })

  test('names missing keys, and keys of another country than the seller’s', () => {
    expect(problemsOf(null, {})).toEqual([])
    expect(problemsOf('NG', {})).toEqual([])
    expect(problemsOf('GH', { EVAT_USER: 'Cowrie' })).toEqual([
      ...['EVAT_BASE_URL is not set.', 'EVAT_TAXPAYER is not set.', 'EVAT_SECURITY_KEY is not set.'],
    ])
    expect(problemsOf('KE', { EVAT_USER: 'Cowrie' })).toEqual([
      'EVAT_USER is set, so SERVICE_SELLER_COUNTRY must be GH.',
    ])
  })

  test('refuses unusable keys by name', () => {
    const bad = { ...firs.variables, FIRS_PUBLIC_KEY: 'x' }
    expect(problemsOf('NG', bad)[0]).toMatch(/^FIRS_PUBLIC_KEY is not the public key/)
    expect(problemsOf('NG', { ...firs.variables, FIRS_SERVICE_ID: 'short' })[0]).toMatch(
      /^FIRS_SERVICE_ID must/,
    )
  })

  test('is shown to staff: registered with whom, or not at all', async () => {
    const staff = await world.server.person({ staff: 'super_admin' })
    const { body } = await world.server.call<{ features: { key: string; live: boolean; detail: string }[] }>(
      'GET',
      '/admin/posture',
      { as: staff },
    )
    expect(body.features.find(({ key }) => key === 'einvoicing')).toMatchObject({
      live: true,
      detail: 'Invoices in NGN with the tax of NG are registered with Nigeria Revenue Service.',
    })
  })
})
