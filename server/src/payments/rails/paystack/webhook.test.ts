import { describe, expect, test } from 'vitest'
import type { WebhookEvent } from '../rail.ts'
import { paystack } from './paystack.ts'
import { paystackSignature } from './webhook.ts'

const KEY = 'sk_test_example'
const BODY =
  '{"event":"charge.success","data":{"id":1001,"reference":"tp_1","amount":50000,"currency":"NGN","status":"success"}}'
const SIGNATURE =
  '049e3dec5934458157923141b39ebe3cdb5098a14d7e1bf44eeb6f468e3c75d8e01ee4339ba833043ea9dfd2c6df7678d27ca2672216e027d77fe7c7e1318635'

function parse(
  raw: Buffer | string,
  signature: string | string[] | undefined,
  variables = {},
): WebhookEvent | undefined {
  const rail = paystack.open({ PAYSTACK_SECRET_KEY: KEY, ...variables })
  return rail?.parseWebhook({ raw: Buffer.from(raw), headers: { 'x-paystack-signature': signature } })
}
const genuine = (body: unknown) => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return parse(raw, paystackSignature(raw, KEY))
}

describe('a signature', () => {
  test('is valid for the received bytes', () => {
    expect(paystackSignature(BODY, KEY)).toBe(SIGNATURE)
    const about = { about: { reference: 'tp_1' }, eventKey: 'charge.success:1001', kind: 'charge.success' }
    expect(parse(BODY, SIGNATURE)).toEqual(about)
    expect(parse(BODY, [SIGNATURE])).toEqual(about)
  })

  test('is valid with the configured previous key and with no other key', () => {
    const key = { PAYSTACK_SECRET_KEY: 'sk_test_new' }
    expect(parse(BODY, SIGNATURE, key)).toBe('forged')
    expect(parse(BODY, SIGNATURE, { ...key, PAYSTACK_SECRET_KEY_PREVIOUS: KEY })).toMatchObject({
      kind: 'charge.success',
    })
    expect(parse(BODY, SIGNATURE, { ...key, PAYSTACK_SECRET_KEY_PREVIOUS: 'sk_test_old' })).toBe('forged')
  })

  test.for<[string, string | string[] | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['truncated', SIGNATURE.slice(0, -1)],
    ['too long', `${SIGNATURE}0`],
    ['uppercase', SIGNATURE.toUpperCase()],
    ['not hexadecimal', 'ß'.repeat(128)],
    ['one of several', [SIGNATURE, SIGNATURE]],
    ['an empty list', []],
    ['of another provider', 'HJ6AWv3zwE++AYyqIgtMOC7UGmmH9DMci3Cn35amlxU='],
    ['made with an empty key', paystackSignature(BODY, '')],
    ['of another webhook', paystackSignature(`${BODY} `, KEY)],
  ])('that is %s is forged', ([, signature]) => {
    expect(parse(BODY, signature)).toBe('forged')
  })

  test('is invalid for a changed byte, another field order or other escapes', () => {
    const bytes = Buffer.from(BODY)
    for (const at of [0, 40, bytes.length - 1]) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
      expect(parse(flipped, SIGNATURE)).toBe('forged')
    }
    const { event, data } = JSON.parse(BODY) as { event: string; data: object }
    expect(parse(JSON.stringify({ data, event }), SIGNATURE)).toBe('forged')
    expect(parse(BODY.replace('tp_1', 'tp\\u005f1'), SIGNATURE)).toBe('forged')
    expect(parse(BODY.replaceAll(',', ', '), SIGNATURE)).toBe('forged')
  })
})

describe('a valid webhook', () => {
  test('about a refund or a dispute names the payment', () => {
    const refund = { status: 'processed', transaction_reference: 'tp_1', amount: '10000' }
    expect(genuine({ event: 'refund.processed', data: refund })).toMatchObject({
      about: { reference: 'tp_1' },
    })
    const dispute = { id: 7, transaction: { id: 1, reference: 'tp_1' } }
    expect(genuine({ event: 'charge.dispute.create', data: dispute })).toEqual({
      about: { reference: 'tp_1' },
      eventKey: 'charge.dispute.create:7',
      kind: 'charge.dispute.create',
    })
  })

  test('without an id is identified by its bytes', () => {
    const keyOf = (amount: string) => {
      const event = genuine({ event: 'refund.pending', data: { transaction_reference: 'tp_1', amount } })
      return typeof event === 'object' ? event.eventKey : event
    }
    expect(keyOf('100')).toBe(keyOf('100'))
    expect(keyOf('100')).not.toBe(keyOf('200'))
  })

  test('keeps all digits of its id', () => {
    const body = BODY.replace('1001', '18446744073709551615')
    expect(genuine(body)).toMatchObject({ eventKey: 'charge.success:18446744073709551615' })
  })

  test.for<[string, unknown]>([
    ['a transfer', { event: 'transfer.success', data: { id: 1, reference: 'tp_1' } }],
    ['a subscription', { event: 'subscription.create', data: { id: 1 } }],
    ['no reference', { event: 'charge.success', data: { id: 1 } }],
    ['an invalid reference', { event: 'charge.success', data: { id: 1, reference: { toString: 'tp_1' } } }],
    ['a very long reference', { event: 'charge.success', data: { id: 1, reference: 'x'.repeat(101) } }],
    ['no data', { event: 'charge.success', data: null }],
    ['a list', []],
    ['nothing', ''],
    ['no JSON', '{"event":'],
  ])('with %s is irrelevant', ([, body]) => {
    expect(genuine(body)).toBe('nothing')
  })

  test('with binary content is handled without an error', () => {
    const raw = Buffer.from([0xff, 0xfe, 0x00, 0x7b])
    const rail = paystack.open({ PAYSTACK_SECRET_KEY: KEY })
    const headers = { 'x-paystack-signature': paystackSignature(raw, KEY) }
    expect(rail?.parseWebhook({ raw, headers })).toBe('nothing')
  })
})
