import { createHmac } from 'node:crypto'
import { type FakeOpay, startFakeOpay } from '@cowrie/testkit/fakes/payments/opay.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenRail, Order, Variables } from '../rail.ts'
import { opay } from './opay.ts'

let provider: FakeOpay
let rail: OpenRail
const http = testHttp()

beforeAll(async () => {
  provider = await startFakeOpay()
  rail = opened(provider.variables)
})
afterAll(() => provider.close())

function opened(variables: Variables): OpenRail {
  const open = opay.open(variables)
  if (!open) throw new Error('OPay should be open')
  return open
}

async function started(): Promise<Order> {
  const placed = testOrder({ channel: 'opay' })
  expect(await rail.start(http, placed)).toMatchObject({ outcome: 'accepted' })
  return placed
}

describe('a webhook of version 2', () => {
  const parse = (headers: Record<string, string | string[] | undefined>, body: string) =>
    rail.parseWebhook({ headers, raw: Buffer.from(body) })

  test('names the payment and has a stable event id', async () => {
    const { reference } = await started()
    provider.pay(reference)
    const { headers, body } = provider.message(reference)
    const first = parse(headers, body)
    expect(first).toEqual({
      about: { reference },
      eventKey: (JSON.parse(body) as { notifyId: string }).notifyId,
      kind: 'MACQUIRING_CALLBACK SUCCESS',
    })
    expect(parse(headers, body)).toEqual(first)
    provider.decline(reference)
    const other = provider.message(reference)
    expect(parse(other.headers, other.body)).not.toMatchObject({
      eventKey: (first as { eventKey: string }).eventKey,
    })
  })

  test('without an id, payment, status and time identify the event', () => {
    const body = '{"reference":"tp_1","status":"FAIL","timestamp":1633411815591}'
    expect(parse(signedHeaders(body), body)).toMatchObject({
      eventKey: 'tp_1:FAIL:1633411815591',
      kind: 'callback FAIL',
    })
  })

  test('the signature is accepted in either header, with or without Bearer', async () => {
    const { reference } = await started()
    const { headers, body } = provider.message(reference)
    const { authorization = '', ...rest } = headers
    const about = { about: { reference } }
    expect(parse({ ...rest, signature: authorization }, body)).toMatchObject(about)
    expect(parse({ ...rest, authorization: `Bearer ${authorization}` }, body)).toMatchObject(about)
    expect(parse({ ...rest, signature: [authorization] }, body)).toMatchObject(about)
  })

  test('any change to the signed content is forged', async () => {
    const { reference } = await started()
    const { headers, body } = provider.message(reference)
    const { authorization = '', requesttimestamp, ...rest } = headers
    const flipped = body.replace('INITIAL', 'INITIAM')
    expect(flipped).not.toBe(body)
    const { type, ...fields } = JSON.parse(body) as { type: string }
    const reordered = JSON.stringify({ type, ...fields })
    const variants: [Record<string, string | string[] | undefined>, string][] = [
      [headers, flipped],
      [headers, reordered],
      [headers, `${body}\n`],
      [headers, ''],
      [{ ...headers, requesttimestamp: '1763197200001' }, body],
      [{ ...headers, authorization: undefined }, body],
      [{ ...headers, authorization: '' }, body],
      [{ ...headers, authorization: authorization.slice(0, -1) }, body],
      [{ ...headers, authorization: `${authorization}0` }, body],
      [{ ...headers, authorization: authorization.toUpperCase() }, body],
      [{ ...headers, authorization: 'é'.repeat(64) }, body],
      [{ ...headers, authorization: [authorization, authorization] }, body],
      [{ ...rest, authorization }, body],
      [{}, body],
    ]
    for (const [given, text] of variants) expect(parse(given, text), text).toBe('forged')
    expect(parse({ ...rest, authorization, requesttimestamp }, body)).toMatchObject({ about: { reference } })
  })

  test.for(['not JSON', '[]', 'null', '{"reference":""}', '{"reference":["tp_1"],"status":"SUCCESS"}'])(
    'a signed %s is irrelevant',
    (body) => {
      expect(parse(signedHeaders(body), body)).toBe('nothing')
    },
  )

  test('during a rotation both secrets are valid, and no others', async () => {
    const { reference } = await started()
    const { headers, body } = provider.message(reference)
    const message = { headers, raw: Buffer.from(body) }
    const old = provider.variables.OPAY_SECRET_KEY
    const rotated = { ...provider.variables, OPAY_SECRET_KEY: 'new' }
    expect(opened(rotated).parseWebhook(message)).toBe('forged')
    expect(opened({ ...rotated, OPAY_SECRET_KEY_PREVIOUS: old }).parseWebhook(message)).toMatchObject({
      about: { reference },
    })
    expect(opened({ ...rotated, OPAY_SECRET_KEY_PREVIOUS: '' }).parseWebhook(message)).toBe('forged')
  })

  test('an empty secret authenticates nothing', () => {
    const body = '{"reference":"tp_1","status":"SUCCESS"}'
    const message = { headers: signedHeaders(body, ''), raw: Buffer.from(body) }
    expect(opened({ ...provider.variables, OPAY_SECRET_KEY_PREVIOUS: '' }).parseWebhook(message)).toBe(
      'forged',
    )
  })

  function signedHeaders(body: string, secret = provider.variables.OPAY_SECRET_KEY ?? '') {
    const signature = createHmac('sha512', secret).update(`1633411815591${body}`).digest('hex')
    return { authorization: signature, requesttimestamp: '1633411815591' }
  }
})

describe('a webhook of version 1', () => {
  const payload = {
    amount: '50000',
    currency: 'NGN',
    reference: 'tp_1',
    refunded: false,
    status: 'SUCCESS',
    timestamp: '2026-01-02T03:04:05Z',
    token: '200',
    transactionId: '200',
  }
  const sha512 =
    'cbaed4c26998717daec2c01857db34710a25c267a4e05d7ca4712f68406c3071c30285be6d081db4fc2673f063c5f44f1a4d4925bb7becf6488f93cbbee2cb69'
  const parse = (body: object | string) =>
    opened({ ...provider.variables, OPAY_SECRET_KEY: 'opay_secret' }).parseWebhook({
      headers: {},
      raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    })

  test('names the payment with the documented signature template', () => {
    expect(parse({ payload, sha512, type: 'transaction-status' })).toEqual({
      about: { reference: 'tp_1' },
      eventKey: 'tp_1:SUCCESS:2026-01-02T03:04:05Z',
      kind: 'transaction-status SUCCESS',
    })
  })

  test('field order, additional fields and numeric strings do not matter', () => {
    const reordered = Object.fromEntries(Object.entries(payload).reverse())
    expect(parse({ sha512, payload: reordered })).toMatchObject({ about: { reference: 'tp_1' } })
    const extended = { ...payload, amount: 50000, fee: '1', instrumentType: 'BankCard' }
    expect(parse({ payload: extended, sha512 })).toMatchObject({ about: { reference: 'tp_1' } })
  })

  test('a changed field or signature is forged', () => {
    for (const name of Object.keys(payload))
      expect(parse({ payload: { ...payload, [name]: name === 'refunded' ? true : '1' }, sha512 }), name).toBe(
        'forged',
      )
    const others = [
      undefined,
      null,
      '',
      sha512.slice(1),
      `${sha512}0`,
      sha512.toUpperCase(),
      `d${sha512.slice(1)}`,
    ]
    for (const other of others) expect(parse({ payload, sha512: other })).toBe('forged')
    expect(parse('not JSON')).toBe('forged')
    expect(parse('')).toBe('forged')
    expect(parse({ sha512 })).toBe('forged')
    expect(parse([])).toBe('forged')
  })

  test('one field cannot imitate two', () => {
    const { currency, reference, ...rest } = payload
    const merged = { ...rest, currency: `${currency}",Reference:"${reference}`, reference: '' }
    const signed =
      '{Amount:"50000",Currency:"NGN",Reference:"tp_1",Reference:"",Refunded:f,Status:"SUCCESS",' +
      'Timestamp:"2026-01-02T03:04:05Z",Token:"200",TransactionID:"200"}'
    const signature = createHmac('sha3-512', 'opay_secret').update(signed).digest('hex')
    expect(parse({ payload: merged, sha512: signature })).toBe('forged')
  })

  test('a refund is a separate event that the status does not report', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    const raw = () => ({ headers: {}, raw: Buffer.from(provider.message(placed.reference, 1).body) })
    const paid = rail.parseWebhook(raw())
    provider.reverse(placed.reference)
    const refunded = rail.parseWebhook(raw())
    expect(paid).toMatchObject({ about: { reference: placed.reference }, kind: 'transaction-status SUCCESS' })
    expect(refunded).toMatchObject({
      about: { reference: placed.reference },
      kind: 'transaction-status SUCCESS refunded',
      eventKey: `${(paid as { eventKey: string }).eventKey}:refunded`,
    })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid' })
  })

  test('a valid webhook without a reference is irrelevant', () => {
    const signed =
      '{Amount:"",Currency:"",Reference:"",Refunded:f,Status:"",Timestamp:"",Token:"",TransactionID:""}'
    const signature = createHmac('sha3-512', 'opay_secret').update(signed).digest('hex')
    expect(parse({ payload: {}, sha512: signature })).toBe('nothing')
  })
})
