// The probe of the webhook URL against proxies and servers that lie.

import type { FakeReply } from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import { startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import { type DoctorWorld, type Fetch, startDoctorWorld } from '@cowrie/testkit/payments/doctor-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchExternal } from '../../platform/egress/egress.ts'
import type { ProviderName } from '../channels.ts'

let world: DoctorWorld
beforeAll(async () => {
  world = await startDoctorWorld()
})
beforeEach(() => world.syncClock())
afterAll(() => world.close())

const matching = (text: string) => expect.stringContaining(text)

describe('the webhook URL', () => {
  const behind = (front: Fetch) => ({ network: world.networkWith(front) })

  test.for<[string, FakeReply, string]>([
    [
      'a bot check',
      { status: 403, body: '<html>Checking your browser</html>' },
      'let /webhooks/ through the proxy',
    ],
    [
      'a page of the proxy',
      { status: 502, body: '<html>Bad gateway</html>' },
      'Start the service behind the proxy',
    ],
    ['a proxy without backend', { status: 503, body: {} }, 'Start the service behind the proxy'],
    [
      'another service',
      { status: 405, body: { error: 'not ours' } },
      'is answered by another server, status 405',
    ],
    [
      'a redirect',
      { status: 301, body: {}, headers: { location: 'https://www.cowrie.test/' } },
      'redirects to www.cowrie.test',
    ],
    [
      'another deployment',
      { status: 405, body: {}, headers: { 'x-service-version': '0.3.9+older' } },
      'warning: cowrie.test is answered by version 0.3.9+older',
    ],
    [
      'our own failure',
      { status: 503, body: {}, headers: { 'x-service-version': '0.4.0+unknown' } },
      'with status 503 in place of 405',
    ],
  ])('that is answered by %s is the only problem', async ([, reply, text]) => {
    expect(await world.problemsOf('fawry', behind(world.throughEdge(reply)))).toEqual({
      callback: matching(text),
    })
  })

  test('that is blocked is the only problem', async () => {
    const problems = await world.problemsOf('fawry', behind(world.throughEdge('never', 200)))
    expect(problems).toEqual({ callback: matching('Allow incoming HTTPS from everywhere') })
  })

  test('that resolves to a private address is the only problem', async () => {
    const front: Fetch = (_, request, rules) => fetchExternal('https://127.0.0.1/', request, rules)
    expect(await world.problemsOf('fawry', behind(front))).toEqual({
      callback: matching('Change the DNS record of the name in SERVICE_BASE_URL'),
    })
  })

  test.for<[string, ProviderName, string]>([
    ['https://10.0.0.7', 'fawry', 'failed: The webhook URL at 10.0.0.7 must be an address on the public'],
    ['https://pay.internal', 'fawry', 'must be an address on the public internet: no provider can reach it'],
    ['http://cowrie.example', 'fawry', 'must be an https address'],
    ['https://mpesa.example', 'daraja', 'without the word "mpesa"'],
  ])('at %s is refused without a call', async ([baseUrl, name, text]) => {
    const { app } = world.production
    const moved = { ...app, config: { ...app.config, baseUrl } }
    const never: Fetch = (address, ...rest) => {
      expect(address).not.toContain('/webhooks/')
      return fetchExternal(address, ...rest)
    }
    expect(await world.problemsOf(name, { app: moved, network: world.networkWith(never, never) })).toEqual({
      callback: matching(text),
    })
  })

  test('that the MTN sandbox has registered for another host is named', async () => {
    const sandbox = await startFakeMomo({ target: 'sandbox', currency: 'EUR', callbackHost: 'old.example' })
    const app = world.appWith(sandbox.variables)
    const staging = { ...app, config: { ...app.config, environment: 'development' as const } }
    const problems = await world.problemsOf('momo', { app: staging })
    await sandbox.close()
    expect(problems).toEqual({ registration: matching('providerCallbackHost cowrie.test') })
  })
})
