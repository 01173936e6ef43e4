import { type EInvoiceWorld, startEInvoiceWorld } from '@cowrie/testkit/einvoices/einvoice-world.ts'
import { startFakeEta } from '@cowrie/testkit/fakes/einvoices/eta.ts'
import { startFakeEtims } from '@cowrie/testkit/fakes/einvoices/etims.ts'
import { startFakeEvat } from '@cowrie/testkit/fakes/einvoices/evat.ts'
import type { FakeAuthority } from '@cowrie/testkit/fakes/einvoices/fake-authority.ts'
import { startFakeFirs } from '@cowrie/testkit/fakes/einvoices/firs.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SENT_BODIES } from './sent-bodies.fixture.ts'

const AUTHORITIES: readonly [FakeAuthority['name'], () => Promise<FakeAuthority>][] = [
  ['firs', startFakeFirs],
  ['etims', startFakeEtims],
  ['evat', startFakeEvat],
  ['eta', startFakeEta],
]

describe.each(AUTHORITIES)('%s', (name, startFake) => {
  let authority: FakeAuthority
  let world: EInvoiceWorld
  let ada: Person

  beforeAll(async () => {
    authority = await startFake()
    world = await startEInvoiceWorld(authority)
  })
  afterAll(async () => {
    await world.server.close()
    await authority.server.close()
  })
  beforeEach(async () => {
    authority.rejects = false
    authority.keysWork = true
    authority.server.fault(null)
    ada = await world.buyer()
  })

  /** Runs the first attempt, and the later decision of an authority that takes its time. */
  async function runUntilDecided(): Promise<void> {
    await world.run()
    authority.decide('valid')
    await world.runLater()
  }
  const countOf = (number: string) =>
    authority.documents.filter(({ key }) => key.includes(plain(number, key))).length
  // Nigeria's reference numbers have no hyphens.
  const plain = (number: string, key: string) => (key.includes('-') ? number : number.replaceAll('-', ''))

  test('sends exactly these bytes', async () => {
    const buyer = await world.buyer({
      taxId: { firs: 'TIN-77', etims: 'P009876543Z', evat: 'C0098765432', eta: '569684145' }[name],
    })
    const { number } = await world.issue(buyer, {
      lines: [
        { description: 'Pro, monthly', quantity: 3, amountMinor: 100_001n },
        { description: 'Extra seat', quantity: 2, amountMinor: 20_000n },
      ],
    })
    await world.run()
    const serial = (await world.registered(number)).serial
    const mark = number.split('-')[1] ?? ''
    const sent = authority.server.sent().at(-1)
    const body = sent?.raw.replaceAll(mark, 'MARK00').replace(`"invcNo":${serial},`, '"invcNo":"SERIAL",')
    expect(body?.replace(/"value":"[A-Za-z0-9+/=]+"/, '"value":"SIGNATURE"')).toBe(SENT_BODIES[name])
  })

  test('registers a paid invoice once, and its receipt shows the number and the code', async () => {
    const { id, number } = await world.issue(ada)
    const before = await world.server.call('GET', `/invoices/${id}/receipt`, { as: ada })
    expect(before.text).toContain('Being registered with ')
    await runUntilDecided()
    const registered = await world.registered(number)
    expect(registered).toMatchObject({ state: 'accepted', failure: null, reasons: [] })
    expect(registered.qr).toMatch(/^\S+$/)
    const after = await world.server.call('GET', `/invoices/${id}/receipt`, { as: ada })
    expect(after.text).toContain(registered.authorityId)
    expect(after.text).toMatch(
      /Registered with [^<]+<\/h2><p><bdi dir="ltr">[^<]+<\/bdi><\/p><\/div>\s*<svg /,
    )
    expect(after.text).not.toContain('Being registered')
    await world.runLater()
    expect(countOf(number)).toBe(1)
  })

  test('a credit note waits for its invoice, and refers to it', async () => {
    authority.server.fault('down')
    const { number, reference } = await world.issue(ada)
    const note = await world.credit(ada, reference, 30_000n)
    await world.run()
    expect(await world.registered(note.number)).toMatchObject({ state: 'waiting', attempts: 0 })
    authority.server.fault(null)
    await world.runLater()
    await runUntilDecided()
    await runUntilDecided()
    const registered = await world.registered(note.number)
    expect(registered.state).toBe('accepted')
    const invoice = await world.registered(number)
    const body = JSON.stringify(authority.documents.at(-1)?.body)
    const refersTo = {
      firs: `"billing_reference":[{"irn":"${invoice.authorityId}"`,
      etims: `"orgInvcNo":${invoice.serial},`,
      evat: `"flag":"PARTIAL_REFUND"`,
      eta: `"references":["${invoice.authorityId}"]`,
    }[name]
    expect(body).toContain(refersTo)
    if (name === 'evat') expect(body).toContain(`"reference":"${number}"`)
  })

  test('after an outage a document is registered once', async () => {
    authority.server.fault('down')
    const { number } = await world.issue(ada)
    await world.run()
    expect(await world.registered(number)).toMatchObject({
      attempts: 1,
      failure: expect.stringContaining('status 503'),
    })
    authority.server.fault(null)
    await world.runLater()
    await runUntilDecided()
    expect(await world.registered(number)).toMatchObject({ state: 'accepted', failure: null })
    expect(countOf(number)).toBe(1)
  })

  test.for(['silent', 'garbage'] as const)(
    'a lost answer (%s) is looked up and not sent again',
    async (fault) => {
      authority.server.fault(fault)
      const { number } = await world.issue(ada)
      const sentBefore = authority.server.sent().length
      await world.run()
      expect(await world.registered(number)).toMatchObject({ state: 'sent', authorityId: null })
      authority.server.fault(null)
      authority.decide('valid')
      await world.runLater()
      await runUntilDecided()
      expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
      expect(authority.server.sent().length - sentBefore).toBe(1)
      expect(countOf(number)).toBe(1)
    },
  )

  test('a process that is killed between the answer and its record registers nothing twice', async () => {
    const { number } = await world.issue(ada)
    await runUntilDecided()
    const { id } = await world.registered(number)
    const sentBefore = authority.server.sent().length
    // Such a process leaves a started attempt, without an outcome and without a job.
    const now = world.server.clock.now()
    await world.server.sql.rows`
      update einvoice_submissions set state = 'sent', authority_id = null, qr = null, stamp = null, decided_at = null,
        pending_id = null, due_at = ${now}, busy_until = ${new Date(now.getTime() + 120_000)} where id = ${id}`
    world.server.clock.advance({ seconds: 60 })
    await world.run()
    expect(await world.registered(number)).toMatchObject({ state: 'sent' })
    world.server.clock.advance({ minutes: 10 })
    await world.run()
    await runUntilDecided()
    expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
    expect(authority.server.sent()).toHaveLength(sentBefore)
    expect(countOf(number)).toBe(1)
  })

  test('a rejected document alerts staff once, and a retry keeps its numbers', async () => {
    authority.rejects = true
    const { number } = await world.issue(ada)
    await world.run()
    const rejected = await world.registered(number)
    expect(rejected).toMatchObject({ state: 'rejected', attempts: 1, authorityId: null })
    expect(rejected.reasons.join(' ')).toMatch(/hsn_code|itemClsCd|TAX CATEGORY|Item code/)
    await world.runLater()
    const [mail, ...more] = await world.mails(number)
    expect(mail?.text).toContain(rejected.reasons[0])
    expect(more).toEqual([])
    authority.rejects = false
    const retried = await world.server.call('POST', `/admin/einvoices/${rejected.id}/retry`, {
      as: world.staff,
      headers: { 'idempotency-key': `retry-${rejected.id}` },
    })
    expect(retried).toMatchObject({ status: 200, body: { ok: true, id: rejected.id } })
    await runUntilDecided()
    const { serial, key } = rejected
    expect(await world.registered(number)).toMatchObject({ state: 'accepted', serial, key, reasons: [] })
  })

  test('refused keys are no fault of the document', async () => {
    authority.keysWork = false
    // The token of an earlier test may still be cached.
    const { number } = await world.issue(ada)
    await world.run()
    expect(await world.registered(number)).toMatchObject({ state: 'waiting', sent: false, reasons: [] })
    expect((await world.registered(number)).failure).toMatch(/refuses our keys|901/)
    authority.keysWork = true
    await world.runLater()
    await runUntilDecided()
    expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
    expect(countOf(number)).toBe(1)
  })

  test('a number that another system has used is unclear, until staff decide', async () => {
    const { number } = await world.issue(ada)
    const { next } = await world.server.sql.one<{ next: bigint }>`
      select coalesce(max(serial), 0) + 1 as next from einvoice_submissions`
    authority.occupy({ key: number, serial: next, day: world.server.clock.now().toISOString().slice(0, 10) })
    await world.run()
    const unclear = await world.registered(number)
    expect(unclear).toMatchObject({ state: 'unclear', authorityId: null })
    expect(unclear.failure).toContain('did not send')
    expect(await world.mails(number)).toHaveLength(1)
  })

  test('two organisations with the same number have different names at the authority', async () => {
    const first = await world.issue(ada)
    await world.run()
    const { key } = await world.registered(first.number)
    const other = await world.issue(await world.buyer())
    // As if the ends of both ids were equal.
    await world.server.sql.rows`alter table invoices disable trigger stays`
    await world.server.sql.rows`update invoices set number = ${first.number} where id = ${other.id}`
    await world.server.sql.rows`alter table invoices enable trigger stays`
    await world.run()
    const { rows } = {
      rows: await world.server.sql.rows<{ key: string; serial: bigint; state: string }>`
      select document_key as key, serial, state from einvoice_submissions where invoice_id = ${other.id}`,
    }
    expect(rows[0]?.key).toBe(`${key}-${rows[0]?.serial}`)
    expect(rows[0]?.state).toMatch(/accepted|sent/)
  })
})
