import { generateKeyPairSync } from 'node:crypto'
import { type FakePalmpay, startFakePalmpay } from '@cowrie/testkit/fakes/payments/palmpay.ts'
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

const heard = (body: string, variables: Variables = provider.variables) =>
  palmpay.open(variables)?.parseWebhook({ headers: {}, raw: Buffer.from(body) })

const fieldsOf = (body: string) => JSON.parse(body) as Record<string, unknown> & { sign: string }

test('a notification names the payment, and repeats itself with the same key', () => {
  const orderNo = provider.orders[0]?.providerRef
  provider.pay(reference)
  const { body } = provider.message(reference)
  const paid = { about: { reference }, eventKey: `${orderNo}:2`, kind: 'orderStatus 2' }
  expect(heard(body)).toEqual(paid)
  expect(heard(body)).toEqual(paid)
  provider.decline(reference)
  expect(heard(provider.message(reference).body)).toMatchObject({ eventKey: `${orderNo}:3` })
})

test('its fields may come in any order, with spaces, empty ones among them, and the signature not URL-encoded', () => {
  const { sign, ...fields } = fieldsOf(provider.message(reference).body)
  const genuine = { about: { reference } }
  expect(
    heard(JSON.stringify({ sign, ...Object.fromEntries(Object.entries(fields).reverse()) })),
  ).toMatchObject(genuine)
  expect(heard(JSON.stringify({ ...fields, sign, note: '', more: null }, null, 2))).toMatchObject(genuine)
  expect(heard(JSON.stringify({ ...fields, sign: decodeURIComponent(sign) }))).toMatchObject(genuine)
})

test('any other field, and any other signature, is forged', () => {
  const { body } = provider.message(reference)
  const { sign, ...fields } = fieldsOf(body)
  for (const name of Object.keys(fields).filter((each) => fields[each] !== ''))
    expect(heard(JSON.stringify({ ...fields, [name]: '1', sign })), name).toBe('forged')
  expect(heard(JSON.stringify({ ...fields, extra: '1', sign }))).toBe('forged')
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
    expect(heard(JSON.stringify({ ...fields, sign: other })), String(other)).toBe('forged')
  for (const text of ['', 'not JSON', '[]', 'null', '"success"', body.slice(0, -1)])
    expect(heard(text), text).toBe('forged')
})

test('a signature of our own or of a stranger is forged', () => {
  const { body } = provider.message(reference)
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const key = stranger.export({ type: 'spki', format: 'pem' }).toString()
  expect(heard(body, { ...provider.variables, PALMPAY_PUBLIC_KEY: key })).toBe('forged')
  const both = { ...provider.variables, PALMPAY_PUBLIC_KEY: key }
  const previous = provider.variables.PALMPAY_PUBLIC_KEY
  expect(heard(body, { ...both, PALMPAY_PUBLIC_KEY_PREVIOUS: previous })).toMatchObject({
    about: { reference },
  })
})

test('what PalmPay signed for another merchant is about nothing', () => {
  const { sign: _, ...fields } = fieldsOf(provider.message(reference).body)
  expect(heard(provider.notification({ ...fields, appId: 'L999' }))).toBe('nothing')
})

test('without our reference it is about the number of the order, and without that about nothing', () => {
  const anonymous = provider.notification({ orderNo: '24', orderStatus: '2', amount: 1 })
  expect(heard(anonymous)).toEqual({ about: { providerRef: '24' }, eventKey: '24:2', kind: 'orderStatus 2' })
  expect(heard(provider.notification({ orderId: reference, orderStatus: 2 }))).toBe('nothing')
  expect(heard(provider.notification({ orderNo: '24', orderStatus: '', amount: 1 }))).toBe('nothing')
})
