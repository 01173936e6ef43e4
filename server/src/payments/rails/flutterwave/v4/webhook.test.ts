import {
  type FakeFlutterwaveV4,
  startFakeFlutterwaveV4,
} from '@cowrie/testkit/fakes/payments/flutterwave-v4.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../../kernel/assert.ts'
import type { OpenRail, WebhookEvent } from '../../rail.ts'
import { flutterwave } from '../flutterwave.ts'
import { signV4Webhook } from './webhook.ts'

let provider: FakeFlutterwaveV4
beforeAll(async () => {
  provider = await startFakeFlutterwaveV4()
})
afterAll(() => provider.close())

const rail = (changes: Record<string, string> = {}): OpenRail =>
  present(flutterwave.open({ ...provider.variables, ...changes }), 'the rail is configured')

describe('parsing a webhook', () => {
  const parse = (raw: string, signature: string | string[] | undefined, by = rail()): WebhookEvent =>
    by.parseWebhook({ raw: Buffer.from(raw), headers: { 'flutterwave-signature': signature } })
  const BODY = '{"id":"wbk_1","type":"charge.completed"}'
  const data = { id: 'chg_1', reference: 'tp_1', status: 'succeeded' }

  test('the signature is an HMAC-SHA256 in base64', () => {
    expect(signV4Webhook(Buffer.from(BODY), 'flw_hash')).toBe('HJ6AWv3zwE++AYyqIgtMOC7UGmmH9DMci3Cn35amlxU=')
  })

  test('names the payment, also with the previous secret', () => {
    const { headers, body } = provider.sign({ id: 'wbk_7', type: 'charge.completed', data })
    const about = { about: { reference: 'tp_1' }, eventKey: 'wbk_7', kind: 'charge.completed' }
    expect(parse(body, headers['flutterwave-signature'])).toEqual(about)
    const rotated = rail({
      FLUTTERWAVE_WEBHOOK_HASH: 'new',
      FLUTTERWAVE_WEBHOOK_HASH_PREVIOUS: provider.variables.FLUTTERWAVE_WEBHOOK_HASH ?? '',
    })
    expect(parse(body, headers['flutterwave-signature'], rotated)).toEqual(about)
    const secret = { FLUTTERWAVE_WEBHOOK_HASH: 'new' }
    expect(parse(body, headers['flutterwave-signature'], rail(secret))).toBe('forged')
  })

  test.for<[string, (signature: string) => string | string[] | undefined]>([
    ['no signature', () => undefined],
    ['an empty signature', () => ''],
    ['a shorter signature', (signature) => signature.slice(1)],
    ['the secret itself', () => provider.variables.FLUTTERWAVE_WEBHOOK_HASH],
    ['the signature twice', (signature) => [signature, signature]],
  ])('%s is forged', ([, change]) => {
    const { headers, body } = provider.sign({ id: 'wbk_7', type: 'charge.completed', data })
    expect(parse(body, change(headers['flutterwave-signature'] ?? ''))).toBe('forged')
  })

  test('a changed or reordered body is forged, and so is any body without a secret', () => {
    const { headers, body } = provider.sign({ id: 'wbk_7', type: 'charge.completed', data })
    const signature = headers['flutterwave-signature']
    expect(parse(body.replace('tp_1', 'tp_2'), signature)).toBe('forged')
    expect(parse(JSON.stringify({ type: 'charge.completed', id: 'wbk_7', data }), signature)).toBe('forged')
    expect(parse(body, signature, rail({ FLUTTERWAVE_WEBHOOK_HASH: '' }))).toBe('forged')
  })

  test.for<[object, WebhookEvent]>([
    [{ id: 'wbk_1', type: 'transfer.disburse', data }, 'nothing'],
    [{ id: 'wbk_1', type: 'charge.completed', data: { id: 'chg_1', status: 'x' } }, 'nothing'],
    [{ id: 'wbk_1', type: 'charge.completed' }, 'nothing'],
    [{ id: 'wbk_1', type: 'refund.completed', data: { id: 'rfd_1', status: 'succeeded' } }, 'nothing'],
    [
      { type: 'refund.completed', data: { id: 'rfd_1', status: 'succeeded', charge_id: 'chg_1' } },
      {
        about: { transactionId: 'chg_1' },
        eventKey: 'refund.completed:rfd_1:succeeded',
        kind: 'refund.completed',
      },
    ],
  ])('%j is %j', ([body, event]) => {
    const signed = provider.sign(body)
    expect(parse(signed.body, signed.headers['flutterwave-signature'])).toEqual(event)
  })
})
