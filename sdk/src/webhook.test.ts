import { describe, expect, test } from 'vitest'
import { newSecret, signAll } from '../../server/src/hooks/endpoints/signature.ts'
import { EVENT_TYPES } from '../../server/src/hooks/event-types.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

const AT_MS = Date.parse('2026-11-15T09:00:00Z')
const SECRET = newSecret()
const BODY =
  '{"type":"topup.settled","timestamp":"2026-11-15T09:00:00.000Z","data":{"amountMinor":9007199254740993}}'

/** A webhook call as the service sends it. */
function callOf(body = BODY, { secrets = [SECRET], atMs = AT_MS } = {}) {
  const timestamp = atMs / 1000
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signAll(secrets, { id: 'evt_1', timestamp, body }),
  }
  return { secret: SECRET, headers, body }
}

describe('a webhook call', () => {
  test('returns its event with exact amounts and the event id', async () => {
    expect(await verifyWebhook(callOf(), AT_MS)).toEqual({
      id: 'evt_1',
      type: 'topup.settled',
      timestamp: '2026-11-15T09:00:00.000Z',
      data: { amountMinor: 9007199254740993n },
    })
  })

  test('is accepted with fetch headers and a binary body', async () => {
    const { headers, body, secret } = callOf()
    const call = { secret, headers: new Headers(headers), body: new TextEncoder().encode(body) }
    expect(await verifyWebhook(call, AT_MS)).toMatchObject({ type: 'topup.settled' })
  })

  test('is accepted with the old and the new secret during a rotation', async () => {
    const call = callOf(BODY, { secrets: [newSecret(), SECRET] })
    expect(await verifyWebhook(call, AT_MS)).toMatchObject({ id: 'evt_1' })
  })

  test.for(EVENT_TYPES)('of type $type is accepted', async ({ type, data }) => {
    const call = callOf(JSON.stringify({ type, timestamp: '2026-11-15T09:00:00.000Z', data }))
    const event = await verifyWebhook(call, AT_MS)
    expect(event.type).toBe(type)
    expect(Object.keys(event.data)).toEqual(Object.keys(data))
  })
})

describe('refused:', () => {
  const good = callOf()
  test.for([
    { it: 'a changed body', call: { ...good, body: BODY.replace('993', '994') } },
    { it: 'another secret', call: { ...good, secret: newSecret() } },
    { it: 'a call from yesterday', call: callOf(BODY, { atMs: AT_MS - 86_400_000 }) },
    { it: 'a call from tomorrow', call: callOf(BODY, { atMs: AT_MS + 86_400_000 }) },
    {
      it: 'a changed timestamp',
      call: { ...good, headers: { ...good.headers, 'webhook-timestamp': '1794733201' } },
    },
    {
      it: 'an invalid timestamp',
      call: { ...good, headers: { ...good.headers, 'webhook-timestamp': 'soon' } },
    },
    { it: 'a changed id', call: { ...good, headers: { ...good.headers, 'webhook-id': 'evt_2' } } },
    { it: 'no id', call: { ...good, headers: { ...good.headers, 'webhook-id': undefined } } },
    { it: 'no signature', call: { ...good, headers: { ...good.headers, 'webhook-signature': '' } } },
    {
      it: 'malformed signatures',
      call: { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,?? v1, x' } },
    },
    {
      it: 'a signature of another version',
      call: { ...good, headers: { ...good.headers, 'webhook-signature': 'v1a,AAAA' } },
    },
  ])('$it', async ({ call }) => {
    await expect(verifyWebhook(call, AT_MS)).rejects.toBeInstanceOf(WebhookError)
  })

  test('an invalid secret throws a TypeError', async () => {
    await expect(verifyWebhook({ ...good, secret: 'csk_key' }, AT_MS)).rejects.toBeInstanceOf(TypeError)
  })
})
