import { creditFor, issueFor } from '@cowrie/testkit/billing/invoice.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let server: TestServer
let staff: Person
let ada: Person
let origin: string

beforeAll(async () => {
  server = await startTestServer({
    variables: { SERVICE_SELLER_NAME: 'Cowrie & Sons', SERVICE_SELLER_ADDRESS: '1 Marina, Lagos' },
  })
  staff = await server.person({ staff: 'support' })
  origin = await server.listen()
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.person()
})

type Listed = {
  id: string
  number: string
  receiptUrl: string
  creditedMinor: bigint
  creditNotes: { id: string; number: string; receiptUrl: string }[]
}
type Page = { invoices: Listed[]; nextCursor: string | null }
const list = (query: Record<string, string> = {}, as = ada) =>
  server.call<Page>('GET', '/invoices', { as, query })
const paper = (path: string, as: Person = ada, query: Record<string, string> = {}) =>
  server.call('GET', path, { as, query })

describe('GET /invoices', () => {
  test('returns an invoice with all its fields', async () => {
    const { id, number } = await issueFor(server, ada.orgId, {
      reference: 'tp-1',
      cause: 'tp-1',
    })
    const note = await creditFor(server, ada.orgId, 'tp-1', 7_500n)
    const { body } = await list()
    const at = server.clock.now().toISOString()
    expect(body).toEqual({
      invoices: [
        {
          id,
          number,
          status: 'paid',
          currency: 'NGN',
          subtotalMinor: 100_000n,
          taxMinor: 7_500n,
          totalMinor: 107_500n,
          lines: [
            {
              description: 'Wallet top-up',
              quantity: 1,
              amountMinor: 107_500n,
            },
          ],
          issuedAt: at,
          paidAt: at,
          receiptUrl: `http://cowrie.test/invoices/${id}/receipt`,
          subject: 'topup',
          mode: 'live',
          reference: 'tp-1',
          method: 'Card',
          country: 'NG',
          taxes: [{ name: 'VAT', rateBps: 750, amountMinor: 7_500n }],
          creditedMinor: 7_500n,
          creditNotes: [
            {
              id: note?.id,
              number: note?.number,
              totalMinor: 7_500n,
              reason: 'Paid twice',
              issuedAt: at,
              receiptUrl: `http://cowrie.test/credit-notes/${note?.id}/receipt`,
            },
          ],
        },
      ],
      nextCursor: null,
    })
    expect((await server.call('GET', `/invoices/${id}`, { as: ada })).body).toEqual(body.invoices[0])
  })

  test('returns pages, newest first, without duplicates', async () => {
    const issued: string[] = []
    for (let n = 0; n < 5; n++) {
      issued.unshift((await issueFor(server, ada.orgId)).id)
      if (n % 2) server.clock.advance({ minutes: 1 })
    }
    const listedIds: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 5; page++) {
      const { body }: { body: Page } = await list({ limit: '2', ...(cursor ? { cursor } : {}) })
      listedIds.push(...body.invoices.map(({ id }) => id))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    expect([...listedIds].sort()).toEqual([...issued].sort())
    const times = await server.sql.rows<{ id: string }>`
      select id from invoices where org_id = ${ada.orgId} order by issued_at desc, id desc`
    expect(listedIds).toEqual(times.map(({ id }) => id))
    expect((await list({ cursor: 'bm90IG9uZQ' })).status).toBe(400)
    expect((await list({ from: server.clock.now().toISOString() })).body.invoices).toHaveLength(1)
    expect((await list({ to: server.clock.now().toISOString() })).body.invoices).toHaveLength(4)
  })

  test('returns a CSV file on request, without spreadsheet formulas', async () => {
    const { number } = await issueFor(server, ada.orgId, { method: '=cmd()' })
    const reply = await server.call('GET', '/invoices', {
      as: ada,
      headers: { accept: 'text/csv' },
    })
    expect(reply.headers['content-disposition']).toBe('attachment; filename="invoices.csv"')
    const [head, row] = reply.text.split('\r\n')
    expect(head).toMatch(/^issuedAt,number,status,subject,description,currency,subtotalMinor,taxMinor/)
    expect(row).toContain(`,${number},paid,topup,Wallet top-up,NGN,100000,7500,107500,0,NG,VAT 7500,'=cmd(),`)
  })

  test('does not find invoices of another organisation', async () => {
    const { id } = await issueFor(server, ada.orgId, {
      reference: 'tp-2',
      cause: 'tp-2',
    })
    const note = await creditFor(server, ada.orgId, 'tp-2', 1n)
    const eve = await server.person()
    expect((await list({}, eve)).body.invoices).toEqual([])
    for (const path of [`/invoices/${id}`, `/invoices/${id}/receipt`, `/credit-notes/${note?.id}/receipt`]) {
      expect((await paper(path, eve)).status, path).toBe(404)
      expect((await paper(path)).status, path).toBe(200)
      expect((await server.call('GET', path)).status, path).toBe(401)
    }
  })

  test('lists the invoices of an organisation for staff only', async () => {
    const { id } = await issueFor(server, ada.orgId)
    const listAsStaff = (as: Person, orgId: string) =>
      server.call<Page>('GET', '/admin/invoices', { as, query: { orgId } })
    expect((await listAsStaff(staff, ada.orgId)).body.invoices.map((each) => each.id)).toEqual([id])
    expect((await listAsStaff(staff, 'org_none')).body.invoices).toEqual([])
    expect((await listAsStaff(ada, ada.orgId)).status).toBe(403)
  })
})

describe('the receipt', () => {
  test('has all bookkeeping data on a page without scripts', async () => {
    await server.call('PUT', '/billing/details', {
      as: ada,
      body: { legalName: 'Ada Ltd', address: '2 Broad Street\nLagos', taxId: 'TIN 42', country: 'NG' },
    })
    const { id, number } = await issueFor(server, ada.orgId, {
      reference: 'tp-3',
      cause: 'tp-3',
    })
    const note = await creditFor(server, ada.orgId, 'tp-3', 7_500n)
    const { text, headers } = await paper(`/invoices/${id}/receipt`)
    for (const words of [
      ...['<h1>Receipt</h1>', number, 'PAID', 'Cowrie &#38; Sons', '1 Marina, Lagos', 'Ada Ltd', 'Nigeria'],
      ...['2 Broad Street\nLagos', 'Tax ID TIN 42', 'Wallet top-up', '₦1,000.00', 'VAT 7.5%', '₦75.00'],
      ...['Total paid', '₦1,075.00', 'Prices include tax.', 'Card', 'tp-3', ' UTC', ' GMT+1<'],
      ...[`Credit note ${note?.number}`, '-₦75.00', 'Remaining after credit'],
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('TEST MONEY')
    expect(text).not.toMatch(/<script|<link|<img| style=| on\w+=/)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
    )
    expect(headers['content-disposition']).toBeUndefined()
    expect(headers['cache-control']).toBe('no-store')

    const credited = (await paper(`/credit-notes/${note?.id}/receipt`)).text
    for (const words of [
      '<h1>Credit note</h1>',
      String(note?.number),
      number,
      'Paid twice',
      'Total credited',
    ])
      expect(credited).toContain(words)
  })

  type Listed = { lines: { description: string }[]; taxes: { name: string }[] }
  test.for([
    ['fr', 'ltr', ['<h1>Reçu</h1>', 'PAYÉ', 'Recharge du portefeuille', 'TVA 7,5%', 'Total payé']],
    ['sw', 'ltr', ['<h1>Risiti</h1>', 'IMELIPWA', 'Jumla iliyolipwa']],
    ['ar', 'rtl', ['<h1>إيصال</h1>', 'مدفوع', 'إجمالي المدفوع', '<bdi dir="ltr">₦1,075.00</bdi>']],
  ] as const)('is in %s where it is asked for', async ([lang, dir, texts]) => {
    const { id } = await issueFor(server, ada.orgId)
    const listed = await server.call<Listed>('GET', `/invoices/${id}`, {
      as: ada,
      headers: { 'accept-language': lang },
    })
    const asked = await paper(`/invoices/${id}/receipt`, ada, { lang })
    expect(listed.body.lines[0]?.description).not.toBe('Wallet top-up')
    for (const { name } of listed.body.taxes) expect(asked.text).toContain(name)
    expect(asked.text).toContain(`<td>${listed.body.lines[0]?.description}</td>`)
    expect(asked.text).toContain(`<html lang="${lang}" dir="${dir}">`)
    for (const words of texts) expect(asked.text).toContain(words)
    const { text } = await server.call('GET', `/invoices/${id}/receipt`, {
      as: ada,
      headers: { 'accept-language': `xx, ${lang}-ZZ;q=0.9, en;q=0.5` },
    })
    expect(text).toBe(asked.text)
  })

  test.for([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ] as const)('with download=%s is a file: %s', async ([download, isFile]) => {
    const { id, number } = await issueFor(server, ada.orgId)
    const { headers, status } = await paper(`/invoices/${id}/receipt`, ada, {
      download,
    })
    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe(isFile ? `attachment; filename="${number}.html"` : undefined)
  })

  test.for([
    ['en', 'Receipt'],
    ['fr', 'Reçu'],
    ['sw', 'Risiti'],
    ['ar', '₦1,075.00'],
  ] as const)('in %s is a small PDF file with number and total, the same each time', async ([lang, word]) => {
    const { id, number } = await issueFor(server, ada.orgId, {})
    const address = `${origin}/invoices/${id}/receipt?format=pdf&lang=${lang}`
    const read = () => fetch(address, { headers: { authorization: `Bearer ${ada.bearer}` } })
    const [one, other] = [await read(), await read()]
    expect(one.headers.get('content-type')).toBe('application/pdf')
    expect(one.headers.get('content-disposition')).toBe(`attachment; filename="${number}.pdf"`)
    const bytes = new Uint8Array(await one.arrayBuffer())
    expect(Buffer.from(bytes).equals(Buffer.from(await other.arrayBuffer()))).toBe(true)
    expect(bytes.length).toBeLessThan(60_000)
    const { text, totalPages } = await extractText(bytes, { mergePages: true })
    expect(totalPages).toBe(1)
    for (const shown of [number, word]) expect(text).toContain(shown)
    expect(text).toMatch(/1\D?075[.,]00/)
  })

  test('rejects a download that is not a flag, and an unknown language', async () => {
    const { id } = await issueFor(server, ada.orgId)
    expect((await paper(`/invoices/${id}/receipt`, ada, { download: 'perhaps' })).status).toBe(400)
    expect((await paper(`/invoices/${id}/receipt`, ada, { lang: 'tlh' })).status).toBe(400)
  })

  test('escapes hostile names', async () => {
    const hostile = '<script>alert(1)</script>"\'`&'
    await server.call('PUT', '/billing/details', {
      as: ada,
      body: { legalName: hostile, address: hostile, taxId: hostile },
    })
    const { id } = await issueFor(server, ada.orgId, {
      lines: [{ description: hostile, quantity: 1, amountMinor: 1n }],
      method: hostile,
      reference: 'tp-4',
    })
    const note = await creditFor(server, ada.orgId, 'tp-4', 1n, {
      reason: hostile,
    })
    for (const path of [`/invoices/${id}/receipt`, `/credit-notes/${note?.id}/receipt`]) {
      const { text } = await paper(path)
      expect(text).not.toContain('<script')
      expect(text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#96;&#38;')
    }
  })

  test('shows test money, an open status, and the title of a subscription invoice', async () => {
    const play = await issueFor(server, ada.orgId, { mode: 'mock' })
    expect((await paper(`/invoices/${play.id}/receipt`)).text).toMatch(/TEST MONEY.*nothing was charged/s)
    const open = {
      subject: 'renewal',
      status: 'open',
      reference: null,
      method: null,
      currency: 'XOF',
    } as const
    const { id } = await issueFor(server, ada.orgId, open)
    const { text } = await paper(`/invoices/${id}/receipt`)
    for (const words of ['<h1>Invoice</h1>', 'OPEN', 'No tax is included.', 'CFA107,500'])
      expect(text).toContain(words)
  })
})

describe('billing details', () => {
  const put = (body: object, as = ada) => server.call('PUT', '/billing/details', { as, body })
  const get = async (as = ada) => (await server.call('GET', '/billing/details', { as })).body

  test('are empty at first, with the values that an invoice would show', async () => {
    const { invoicedAs, ...details } = await get()
    expect(details).toEqual({ legalName: null, address: null, taxId: null, country: null, updatedAt: null })
    expect(invoicedAs).toMatchObject({ country: 'NG', taxes: [{ name: 'VAT', rateBps: 750 }] })
  })

  test('keep omitted fields and clear null fields', async () => {
    await put({ legalName: ' Ada Ltd ', taxId: 'T-1', country: 'GH' })
    const { body } = await put({ taxId: null, address: 'A\r\nB' })
    expect(body).toMatchObject({ legalName: 'Ada Ltd', taxId: null, country: 'GH', address: 'A\nB' })
    expect(body.invoicedAs).toMatchObject({ name: 'Ada Ltd', country: 'GH' })
    expect(await get()).toEqual(body)
    const trail = await server.sql.rows`
      select action, metadata from audit_entries
      where org_id = ${ada.orgId} and action = 'billing.details.set' order by seq`
    expect(trail).toEqual([
      {
        action: 'billing.details.set',
        metadata: { changed: ['legalName', 'taxId', 'country'] },
      },
      {
        action: 'billing.details.set',
        metadata: { changed: ['address', 'taxId'] },
      },
    ])
  })

  test.for([
    { country: 'ng' },
    { country: 'XX' },
    { country: 'EU' },
    { legalName: '' },
    { legalName: 'a\nb' },
    { address: 'a\u0000b' },
    { address: `${'x\n'.repeat(11)}x` },
    { address: 'x'.repeat(501) },
    { taxId: 'x'.repeat(51) },
  ])('reject %j', async (body) => {
    expect((await put(body)).status).toBe(400)
  })

  test('can be changed by owners only', async () => {
    const team = await server.person({ type: 'team' })
    const admin = await server.member(team.orgId, 'admin')
    expect((await put({ taxId: 'T' }, admin)).status).toBe(403)
    expect((await put({ taxId: 'T' }, team)).status).toBe(200)
    expect((await get(admin)).taxId).toBe('T')
  })
})
