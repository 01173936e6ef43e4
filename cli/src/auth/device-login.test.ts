// Polling during a device login while the service slows down, is unreachable, or its answer is lost.
import { createClient } from '@cowrie/sdk'
import {
  breakOff,
  type FakeService,
  json,
  type ReplyWriter,
  startFakeService,
} from '@cowrie/testkit/fakes/service.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { thisMachine } from '../system/machine.ts'
import { collectKey } from './device-login.ts'

const GRANTED = { key: 'csk_1', id: 'key_1', userId: 'usr_1', orgId: 'org_1', scopes: [] }
const refuse = (code: string, detail: object = {}, headers: Record<string, string> = {}): ReplyWriter =>
  json(code === 'rate_limited' ? 429 : 400, { error: 'No.', code, ...detail }, headers)

let fakeService: FakeService
afterEach(() => fakeService.close())

async function wait(answers: ReplyWriter[], expiresIn = 600) {
  fakeService = await startFakeService(...answers)
  const pauses: number[] = []
  const troubles: string[] = []
  let nowMs = 0
  const machine = {
    ...thisMachine,
    nowMs: () => nowMs,
    async sleep(ms: number) {
      nowMs += ms
      pauses.push(ms / 1000)
    },
  }
  const outcome = await collectKey(
    createClient({ baseUrl: fakeService.url }),
    {
      deviceCode: 'secret',
      userCode: 'BCDF-GHJK',
      verificationUrl: '',
      verificationUrlComplete: '',
      interval: 5,
      expiresIn,
      expiresAt: '',
    },
    { machine, signal: undefined, onTrouble: ({ code }) => troubles.push(code) },
  ).catch((error: unknown) => error)
  return { outcome, pauses, troubles }
}

describe('polling waits', () => {
  test('for the interval of the service', async () => {
    const { outcome, pauses } = await wait([
      refuse('authorization_pending', { interval: 5 }),
      refuse('slow_down', { interval: 20 }),
      refuse('authorization_pending', { interval: 20 }),
      refuse('slow_down'),
      json(200, GRANTED),
    ])
    expect(outcome).toEqual(GRANTED)
    expect(pauses).toEqual([5, 5, 20, 20, 25])
    expect(fakeService.requests.map(({ body }) => JSON.parse(body))).toEqual(
      Array(5).fill({ deviceCode: 'secret' }),
    )
  })

  test('for Retry-After once', async () => {
    const { outcome, pauses } = await wait([
      refuse('rate_limited', {}, { 'retry-after': '40' }),
      refuse('authorization_pending'),
      json(200, GRANTED),
    ])
    expect(outcome).toEqual(GRANTED)
    expect(pauses).toEqual([5, 40, 5])
  })

  test('for an unreachable service, with one message', async () => {
    const { outcome, troubles } = await wait([
      breakOff('application/json', '{"key"'),
      json(503, { error: 'Busy.', code: 'busy' }),
      refuse('authorization_pending'),
      json(200, GRANTED),
    ])
    expect(outcome).toEqual(GRANTED)
    expect(troubles).toEqual(['network_error'])
  })
})

describe('polling ends', () => {
  test.for(['access_denied', 'expired', 'limit_reached', 'invalid_fields'])(
    'immediately with %s',
    async (code) => {
      const { outcome, pauses } = await wait([refuse('authorization_pending'), refuse(code)])
      expect(outcome).toMatchObject({ code, message: 'No.' })
      expect(pauses).toEqual([5, 5])
    },
  )

  test('before a poll after the expiry', async () => {
    const { outcome, pauses } = await wait([refuse('authorization_pending'), refuse('slow_down')], 19)
    expect(outcome).toMatchObject({ code: 'expired', message: 'The request was not approved in time.' })
    expect(pauses).toEqual([5, 5])
  })

  test('with the network error if the service stayed unreachable', async () => {
    const { outcome } = await wait([breakOff('application/json', '{')], 9)
    expect(outcome).toMatchObject({ code: 'network_error' })
  })

  test('with a hint about a key that may have been lost with its answer', async () => {
    const { outcome } = await wait([breakOff('application/json', '{"key":"cs'), refuse('expired')])
    expect(outcome).toMatchObject({
      code: 'expired',
      message: expect.stringContaining('while the key was sent'),
    })
  })
})
