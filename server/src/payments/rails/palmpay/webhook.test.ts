import { type FakePalmpay, startFakePalmpay } from '@cowrie/testkit/fakes/payments/palmpay.ts'
import { strangerKeys } from '@cowrie/testkit/harness/rsa-keys.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Variables } from '../rail.ts'
import { palmpay } from './palmpay.ts'

let provider: FakePalmpay
let reference: string

beforeAll(async () => {
  provider = await startFakePalmpay()
  const order = testOrder({ channel: 'palmpay' })
  reference = order.reference
  await palmpay.open(provider.variables)?.start(testHttp(), order)
})
afterAll(() => provider.close())

const parse = (body: string, variables: Variables = provider.variables) =>
  palmpay.open(variables)?.parseWebhook({ headers: {}, raw: Buffer.from(body) })

const fieldsOf = (body: string) => JSON.parse(body) as Record<string, unknown> & { sign: string }

test('a notification names the payment and has a stable event id', () => {
  const orderNo = provider.orders[0]?.providerRef
  provider.pay(reference)
  const { body } = provider.message(reference)
  const paid = { about: { reference }, eventKey: `${orderNo}:2`, kind: 'orderStatus 2' }
  expect(parse(body)).toEqual(paid)
  expect(parse(body)).toEqual(paid)
  provider.decline(reference)
  expect(parse(provider.message(reference).body)).toMatchObject({ eventKey: `${orderNo}:3` })
})

test('field order, spaces, empty fields and an unencoded signature are accepted', () => {
  const { sign, ...fields } = fieldsOf(provider.message(reference).body)
  const genuine = { about: { reference } }
  expect(
    parse(JSON.stringify({ sign, ...Object.fromEntries(Object.entries(fields).reverse()) })),
  ).toMatchObject(genuine)
  expect(parse(JSON.stringify({ ...fields, sign, note: '', more: null }, null, 2))).toMatchObject(genuine)
  expect(parse(JSON.stringify({ ...fields, sign: decodeURIComponent(sign) }))).toMatchObject(genuine)
})

test('a changed field or signature is forged', () => {
  const { body } = provider.message(reference)
  const { sign, ...fields } = fieldsOf(body)
  for (const name of Object.keys(fields).filter((each) => fields[each] !== ''))
    expect(parse(JSON.stringify({ ...fields, [name]: '1', sign })), name).toBe('forged')
  expect(parse(JSON.stringify({ ...fields, extra: '1', sign }))).toBe('forged')
  const plain = decodeURIComponent(sign)
  const flipped = `${plain.startsWith('A') ? 'B' : 'A'}${plain.slice(1)}`
  const others = [
    undefined,
    null,
    '',
    1,
    [sign],
    flipped,
    plain.slice(4),
    plain.slice(1),
    `${plain}AAAA`,
    ` ${plain}`,
  ]
  for (const other of [...others, '%', '%E0%A4%A', 'é'.repeat(344)])
    expect(parse(JSON.stringify({ ...fields, sign: other })), String(other)).toBe('forged')
  for (const text of ['', 'not JSON', '[]', 'null', '"success"', body.slice(0, -1)])
    expect(parse(text), text).toBe('forged')
})

test('a signature by our key or an unknown key is forged', () => {
  const { body } = provider.message(reference)
  const stranger = strangerKeys().publicKey
  const key = stranger.export({ type: 'spki', format: 'pem' }).toString()
  expect(parse(body, { ...provider.variables, PALMPAY_PUBLIC_KEY: key })).toBe('forged')
  const both = { ...provider.variables, PALMPAY_PUBLIC_KEY: key }
  const previous = provider.variables.PALMPAY_PUBLIC_KEY
  expect(parse(body, { ...both, PALMPAY_PUBLIC_KEY_PREVIOUS: previous })).toMatchObject({
    about: { reference },
  })
})

test('a webhook for another merchant is irrelevant', () => {
  const { sign: _, ...fields } = fieldsOf(provider.message(reference).body)
  expect(parse(provider.notification({ ...fields, appId: 'L999' }))).toBe('nothing')
})

test('without our reference the order number names the payment, and without both it is irrelevant', () => {
  const anonymous = provider.notification({ orderNo: '24', orderStatus: '2', amount: 1 })
  expect(parse(anonymous)).toEqual({ about: { providerRef: '24' }, eventKey: '24:2', kind: 'orderStatus 2' })
  expect(parse(provider.notification({ orderId: reference, orderStatus: 2 }))).toBe('nothing')
  expect(parse(provider.notification({ orderNo: '24', orderStatus: '', amount: 1 }))).toBe('nothing')
})
