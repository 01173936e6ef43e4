// Compatibility with the reference library of Standard Webhooks: each side accepts the signatures of the other.

import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newSecret, signAll } from '../../server/src/hooks/endpoints/signature.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

const NOW = new Date('2026-11-15T09:00:00Z')
const AT = NOW.getTime() / 1000
const SECRET = newSecret()
const BODY = '{"type":"balance.low","timestamp":"2026-11-15T09:00:00.000Z","data":{"balanceMinor":120}}'

// The library reads the system clock.
beforeAll(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const headersOf = (signature: string, timestamp = AT) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

type Signer = (secrets: readonly string[], timestamp: number, body: string) => string
type Verifier = (secret: string, headers: Record<string, string>, body: string) => Promise<unknown>

const ours = {
  sign: ((secrets, timestamp, body) => signAll(secrets, { id: 'evt_1', timestamp, body })) satisfies Signer,
  verify: ((secret, headers, body) =>
    verifyWebhook({ secret, headers, body }, NOW.getTime())) satisfies Verifier,
  Refusal: WebhookError,
}
const theirs = {
  sign: ((secrets, timestamp, body) =>
    secrets
      .map((secret) => new Webhook(secret).sign('evt_1', new Date(timestamp * 1000), body))
      .join(' ')) satisfies Signer,
  verify: (async (secret, headers, body) => new Webhook(secret).verify(body, headers)) satisfies Verifier,
  Refusal: WebhookVerificationError,
}

test.for([
  ['plain text', BODY],
  ['text beyond ASCII', BODY.replace('balance.low', 'solde bas – رصيد منخفض')],
  ['an empty body', ''],
])('both compute the same signature for %s', ([, body = '']) => {
  expect(ours.sign([SECRET], AT, body)).toBe(theirs.sign([SECRET], AT, body))
})

describe.each([
  ['signed by the service, verified by the library', ours.sign, theirs.verify, theirs.Refusal],
  ['signed by the library, verified by the SDK', theirs.sign, ours.verify, ours.Refusal],
] as const)('%s', (_, sign, verify, Refusal) => {
  test('an event is accepted', async () => {
    const event = await verify(SECRET, headersOf(sign([SECRET], AT, BODY)), BODY)
    expect(event).toMatchObject({ type: 'balance.low' })
  })

  test('one valid signature among several is enough, in any position', async () => {
    for (const secrets of [
      [newSecret(), SECRET],
      [SECRET, newSecret()],
    ])
      expect(await verify(SECRET, headersOf(sign(secrets, AT, BODY)), BODY)).toMatchObject({
        type: 'balance.low',
      })
    const unknownKind = `v2,AAAA v1a,AAAA ${sign([SECRET], AT, BODY)}`
    expect(await verify(SECRET, headersOf(unknownKind), BODY)).toMatchObject({ type: 'balance.low' })
  })

  test.for([
    { it: 'another secret', headers: headersOf(sign([newSecret()], AT, BODY)) },
    {
      it: 'several signatures, all with other secrets',
      headers: headersOf(sign([newSecret(), newSecret()], AT, BODY)),
    },
    { it: 'a changed body', headers: headersOf(sign([SECRET], AT, `${BODY} `)) },
    { it: 'a changed timestamp', headers: headersOf(sign([SECRET], AT, BODY), AT + 1) },
    { it: 'a changed id', headers: { ...headersOf(sign([SECRET], AT, BODY)), 'webhook-id': 'evt_2' } },
    { it: 'an old timestamp', headers: headersOf(sign([SECRET], AT - 301, BODY), AT - 301) },
    { it: 'a timestamp in the future', headers: headersOf(sign([SECRET], AT + 301, BODY), AT + 301) },
  ])('$it is refused', async ({ headers }) => {
    await expect(verify(SECRET, headers, BODY)).rejects.toBeInstanceOf(Refusal)
  })

  test.for([-300, 300])('a timestamp with a difference of %i seconds is still accepted', async (away) => {
    const headers = headersOf(sign([SECRET], AT + away, BODY), AT + away)
    expect(await verify(SECRET, headers, BODY)).toMatchObject({ type: 'balance.low' })
  })
})
