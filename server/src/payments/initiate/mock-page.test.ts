// The page of mock payments, and the list of top-ups.
import { createHash } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { balanceOf, customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const startTopup = async (person: Person, amountMinor = 150_050n): Promise<string> =>
  (await topUp(server, person, { amountMinor })).body.reference
const show = (reference: string) => server.call('GET', `/pay/mock/${reference}`)
const decide = (reference: string, form: string) =>
  server.call('POST', `/pay/mock/${reference}`, {
    raw: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('the mock page', () => {
  test('shows the payment, asks for a decision and has no script', async () => {
    const reference = await startTopup(await customer(server))
    const { status, headers, text } = await show(reference)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('₦1,500.50')
    expect(text).toContain('with Card')
    expect(text).toContain(`action="/pay/mock/${reference}"`)
    expect(text).not.toMatch(/<script|javascript:|style=/i)
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`)
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(headers['cache-control']).toBe('no-store')
  })

  test.for([
    ['fr', 'ltr', 'avec Carte', 'Approuver'],
    ['sw', 'ltr', 'kwa Kadi', 'Idhinisha'],
    ['ar', 'rtl', 'بطاقة', 'موافقة'],
  ] as const)('is in the language of the payer: %s', async ([language, direction, channel, approve]) => {
    const reference = await startTopup(await customer(server))
    const { text, headers } = await server.call('GET', `/pay/mock/${reference}`, {
      headers: { 'accept-language': language },
    })
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(text).toContain(channel)
    expect(text).toContain(`>${approve}</button>`)
    expect(text).not.toContain('Test bank')
    expect(text).toContain('<link rel="icon" href="data:,">')
    expect(headers.vary).toContain('accept-language')
  })

  test('credits an approved payment and redirects to the wallet', async () => {
    const person = await customer(server)
    const reference = await startTopup(person)
    const reply = await decide(reference, 'decision=approved')
    expect(reply.status).toBe(302)
    expect(reply.headers.location).toBe(`/app/wallet?reference=${reference}`)
    expect(await balanceOf(server, person)).toBe(150_050n)
    expect((await show(reference)).text).toContain('This payment is settled.')
    expect((await verify(server, person, reference)).body).toMatchObject({ creditedMinor: 0n })
  })

  test('keeps the first decision', async () => {
    const person = await customer(server)
    const reference = await startTopup(person)
    await decide(reference, 'decision=declined')
    expect((await decide(reference, 'decision=approved')).status).toBe(302)
    expect(await balanceOf(server, person)).toBe(0n)
    expect((await show(reference)).text).toContain('This payment is failed.')
  })

  test('keeps a decision that was not processed yet', async () => {
    const person = await customer(server)
    const reference = await startTopup(person)
    await server.sql.rows`update payments set mock_decision = 'declined' where reference = ${reference}`
    expect((await show(reference)).text).toContain('This payment is declined.')
    expect((await verify(server, person, reference)).body).toMatchObject({ status: 'failed' })
    expect(await balanceOf(server, person)).toBe(0n)
  })

  test.for(['', 'decision=', 'decision=maybe', 'decision=approved&decision=declined'])(
    'rejects another decision (%s)',
    async (form) => {
      const person = await customer(server)
      const reference = await startTopup(person)
      expect((await decide(reference, form)).status).toBe(400)
      expect(await balanceOf(server, person)).toBe(0n)
    },
  )

  test.for(['tp00000000000000000000000000', 'nothing', 'x', 'TP00000000000000000000000000'])(
    'is not found for %s',
    async (reference) => {
      expect((await show(reference)).status).toBe(404)
      expect((await decide(reference, 'decision=approved')).status).toBe(404)
    },
  )
})

describe('the list of top-ups', () => {
  type Page = { topups: { reference: string; status: string }[]; nextCursor: string | null }
  const list = async (person: Person, query: Record<string, string> = {}) =>
    (await server.call<Page>('GET', '/wallet/topups', { as: person, query })).body

  test('has all top-ups of the organisation and no others, newest first, in pages', async () => {
    const [person, other] = [await customer(server), await customer(server)]
    await startTopup(other)
    const references: string[] = []
    for (let i = 0; i < 5; i++) {
      references.unshift(await startTopup(person, 5000n + BigInt(i)))
      server.clock.advance({ seconds: 1 })
    }
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 3; page++) {
      const body: Page = await list(person, { limit: '2', ...(cursor !== null && { cursor }) })
      seen.push(...body.topups.map(({ reference }) => reference))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(references)
    expect(cursor).toBeNull()
  })

  test('can be filtered by status, and shows time and reason', async () => {
    const person = await customer(server)
    const [paid, declined, open] = [
      await startTopup(person),
      await startTopup(person),
      await startTopup(person),
    ]
    await decide(paid, 'decision=approved')
    await decide(declined, 'decision=declined')
    const now = server.clock.now().toISOString()
    expect((await list(person, { status: 'settled' })).topups).toEqual([
      expect.objectContaining({
        reference: paid,
        channel: 'card',
        mode: 'mock',
        settledAt: now,
        reason: null,
      }),
    ])
    expect((await list(person, { status: 'failed' })).topups).toEqual([
      expect.objectContaining({ reference: declined, amountMinor: 150_050n, settledAt: null }),
    ])
    expect((await list(person, { status: 'pending' })).topups.map(({ reference }) => reference)).toEqual([
      open,
    ])
    expect((await list(person, { status: 'review' })).topups).toEqual([])
  })

  test.for([{ status: 'paid' }, { limit: '0' }, { limit: '201' }, { cursor: 'nonsense' }])(
    'rejects %o',
    async (query) => {
      const person = await customer(server)
      const reply = await server.call('GET', '/wallet/topups', { as: person, query })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    },
  )
})
