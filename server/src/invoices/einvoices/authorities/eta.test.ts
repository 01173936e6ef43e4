import { createHash, createPrivateKey, verify, X509Certificate } from 'node:crypto'
import { type EInvoiceWorld, startEInvoiceWorld } from '@cowrie/testkit/einvoices/einvoice-world.ts'
import { type FakeEta, startFakeEta } from '@cowrie/testkit/fakes/einvoices/eta.ts'
import { SEAL_CERTIFICATE, SEAL_KEY } from '@cowrie/testkit/fakes/einvoices/eta-seal.fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DecimalText } from '../../../kernel/json.ts'
import { signCades } from './cades.ts'
import { canonicalText } from './eta.ts'

let eta: FakeEta
let world: EInvoiceWorld

beforeAll(async () => {
  eta = await startFakeEta()
  world = await startEInvoiceWorld(eta)
})
afterAll(async () => {
  await world.server.close()
  await eta.server.close()
})
beforeEach(() => {
  eta.server.fault(null)
})

describe('a document that the authority validates later', () => {
  test('is sent once, asked about, and accepted with its public address', async () => {
    const { number } = await world.issue(await world.buyer())
    const sentBefore = eta.server.sent().length
    await world.run()
    expect(await world.registered(number)).toMatchObject({ state: 'sent', failure: null })
    for (let time = 0; time < 3; time++) await world.runLater()
    expect(await world.registered(number)).toMatchObject({ state: 'sent', attempts: 4 })
    eta.decide('valid')
    await world.runLater()
    const { state, authorityId, qr } = await world.registered(number)
    expect(state).toBe('accepted')
    expect(qr).toBe(`https://invoicing.eta.gov.eg/documents/${authorityId}/share/LONG${authorityId}`)
    expect(eta.server.sent().length - sentBefore).toBe(1)
  })

  test('and finds invalid is rejected with its reasons; the retry is a new document of the same number', async () => {
    const { number } = await world.issue(await world.buyer())
    await world.run()
    eta.decide('invalid')
    await world.runLater()
    const { id, state, reasons, key } = await world.registered(number)
    expect(state).toBe('rejected')
    expect(reasons).toEqual([
      'The document is invalid at the authority.',
      'Item code is not active',
      'EG-1 was deactivated',
    ])
    await world.server.call('POST', `/admin/einvoices/${id}/retry`, {
      as: world.staff,
      headers: { 'idempotency-key': 'retry-invalid' },
    })
    await world.run()
    eta.decide('valid')
    await world.runLater()
    expect(await world.registered(number)).toMatchObject({ state: 'accepted', key })
    expect(eta.documents.filter((document) => document.key === key)).toHaveLength(2)
  })

  test('is unclear after sixty attempts, and staff are alerted once', async () => {
    const { number } = await world.issue(await world.buyer())
    await world.run()
    await world.server.sql.rows`update einvoice_submissions set attempts = 59 where state = 'sent'`
    await world.runLater()
    expect(await world.registered(number)).toMatchObject({
      state: 'unclear',
      failure: 'The authority has not decided.',
    })
    await world.runLater()
    expect(await world.mails(number)).toHaveLength(1)
  })
})

test('an expired token is renewed during the call, and concurrent documents share one', async () => {
  const ada = await world.buyer()
  const issuedBefore = eta.tokensIssued()
  eta.expireTokens()
  await world.issue(ada)
  await world.issue(ada)
  const { number } = await world.issue(ada)
  await world.run()
  eta.decide('valid')
  await world.runLater()
  await world.runLater()
  expect(await world.registered(number)).toMatchObject({ state: 'accepted' })
  expect(eta.tokensIssued() - issuedBefore).toBeLessThanOrEqual(2)
  world.server.clock.advance({ hours: 2 })
  await world.issue(ada)
  await world.run()
  expect(eta.tokensIssued() - issuedBefore).toBeLessThanOrEqual(3)
})

describe('the signature', () => {
  const signer = { key: createPrivateKey(SEAL_KEY), certificate: new X509Certificate(SEAL_CERTIFICATE) }

  test('is over the names in capitals and the values with their digits', () => {
    const document = {
      issuer: { id: '1' },
      lines: [{ total: new DecimalText('1.50') }, { total: 2 }],
      none: [],
    }
    expect(canonicalText(document)).toBe('"ISSUER""ID""1""LINES""LINES""TOTAL""1.50""LINES""TOTAL""2""NONE"')
  })

  test('covers the text, the certificate and the time', () => {
    const text = '"ISSUER""ID""1"'
    const der = Buffer.from(signCades(text, signer, new Date('2026-11-15T09:00:00Z')), 'base64')
    const signature = der.subarray(-256)
    // The attributes follow the last name of SHA-256, as [0]; they are signed as a SET.
    const sha256 = Buffer.from('300d06096086480165030402010500', 'hex')
    const start = der.lastIndexOf(sha256) + sha256.length
    const rsa = Buffer.from('300d06092a864886f70d0101010500', 'hex')
    const attributes = Buffer.from(der.subarray(start, der.lastIndexOf(rsa)))
    expect(attributes[0]).toBe(0xa0)
    attributes[0] = 0x31
    expect(verify('sha256', attributes, signer.certificate.publicKey, signature)).toBe(true)
    const digestOf = (data: string | Buffer) => createHash('sha256').update(data).digest()
    expect(attributes.includes(digestOf(text))).toBe(true)
    expect(attributes.includes(digestOf(signer.certificate.raw))).toBe(true)
    expect(attributes.includes('261115090000Z')).toBe(true)
  })
})
