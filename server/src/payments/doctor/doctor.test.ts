// The doctor against healthy providers, and against providers that lie.

import type { FakeReply } from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import { type DoctorWorld, type Fetch, startDoctorWorld } from '@cowrie/testkit/payments/doctor-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { EgressError, fetchExternal } from '../../platform/egress/egress.ts'
import type { ProviderName } from '../channels.ts'
import { accountsOf, providers } from '../rails/accounts.ts'
import { NoResponse } from '../rails/http-client.ts'
import type { WebhookEvent, WebhookRequest } from '../rails/rail.ts'
import { diagnose } from './doctor.ts'
import { faultOf, PROBE_MS } from './exchange.ts'
import { probeSignature } from './offline-probes.ts'

let world: DoctorWorld
beforeAll(async () => {
  world = await startDoctorWorld()
})
beforeEach(() => world.syncClock())
afterAll(() => world.close())

const matching = (text: string) => expect.stringContaining(text)

describe('a healthy account', () => {
  test.for(providers.map(({ name }) => name))('of %s has no problem, and nothing is paid', async (name) => {
    const report = await diagnose(world.production.app, name, world.networkWith())
    const remaining = report.accounts.flatMap(({ account, probes }) =>
      probes
        .filter(({ status }) => !['ok', 'not_applicable', 'not_readable'].includes(status))
        .map((each) => ({ account, ...each })),
    )
    expect(remaining).toEqual([])
    expect(report).toMatchObject({ rail: name, status: 'ok' })
    expect(report.accounts.length).toBeGreaterThan(0)
    expect(world.fakes[name].orders).toEqual([])
  })

  test('says where to look for what a provider does not report', async () => {
    const { accounts } = await diagnose(world.production.app, 'paystack', world.networkWith())
    expect(accounts[0]?.probes.find(({ probe }) => probe === 'registration')).toMatchObject({
      status: 'not_readable',
      remedy: matching('Live Webhook URL'),
    })
  })

  test('of a provider that does not sign names the compensation', async () => {
    for (const name of ['daraja', 'momo', 'palmpay'] as const) {
      const { accounts } = await diagnose(world.production.app, name, world.networkWith())
      expect(accounts[0]?.probes.find(({ probe }) => probe === 'signature')).toMatchObject({
        status: 'not_applicable',
        finding: matching('status query whose answer decides'),
      })
    }
  })
})

describe('wrong keys', () => {
  test.for<[ProviderName, string]>([
    ['paystack', 'PAYSTACK_SECRET_KEY'],
    ['flutterwave', 'FLUTTERWAVE_SECRET_KEY'],
    ['daraja', 'DARAJA_CONSUMER_SECRET'],
    ['momo', 'MOMO_SUBSCRIPTION_KEY'],
    ['momo', 'MOMO_API_KEY'],
    ['opay', 'OPAY_SECRET_KEY'],
    ['palmpay', 'PALMPAY_APP_ID'],
    ['ozow', 'OZOW_API_KEY'],
    ['fawry', 'FAWRY_SECURE_KEY'],
  ])('of %s (%s) are the only problem, with their variable', async ([name, variable]) => {
    const app = world.appWith({ [variable]: 'another value' })
    const { accounts } = await diagnose(app, name, world.networkWith())
    const failed = accounts[0]?.probes.filter(({ status }) => status === 'failed') ?? []
    expect(failed.map(({ probe }) => probe)).toEqual(['token'])
    expect(failed[0]?.finding).toMatch(/refused/)
    expect(failed[0]?.remedy).toMatch(new RegExp(`^Copy .*${variable}\\b.* again from `))
    expect(JSON.stringify(accounts)).not.toContain('another value')
    expect(accounts[0]?.probes.find(({ probe }) => probe === 'unknown_reference')?.status).toBe('skipped')
  })

  test('of one country name the variable of that country, and leave the others alone', async () => {
    const app = world.appWith({ PAYSTACK_SECRET_KEY_GH: 'sk_live_other' })
    const { accounts } = await diagnose(app, 'paystack', world.networkWith())
    const status = Object.fromEntries(accounts.map((each) => [each.account, each.status]))
    expect(status).toEqual({ NG: 'ok', GH: 'failed', KE: 'ok', ZA: 'ok', CI: 'ok' })
    expect(await world.problemsOf('paystack', { app, account: 1 })).toEqual({
      token: matching('Copy PAYSTACK_SECRET_KEY_GH again'),
    })
  })

  test('that the provider repeats in its message stay out of the report', async () => {
    const key = 'sk_live_fake'
    const reply = { status: 401, body: { status: false, message: `Invalid key ${key}` } }
    const problems = await world.problemsOf('paystack', {
      network: world.networkWith(undefined, world.throughEdge(reply)),
    })
    expect(problems).toEqual({ token: matching('Invalid key …') })
  })

  test.for([
    [
      'a key that a limit of characters cuts',
      'PAYSTACK_SECRET_KEY',
      `${'x '.repeat(86)}sk_live_0123456789abcdefghij`,
    ],
    [
      'a key that is the beginning of another one',
      'PAYSTACK_SECRET_KEY_PREVIOUS',
      'sk_live_fake_0123456789abcdef',
    ],
    [
      'an access token',
      null,
      `Bearer ${'eyJhbGciOiJIUzI1NiJ9abcdefghijklmnopqrst'}.${'c2lnbmF0dXJl'.repeat(3)}.last`,
    ],
  ] as const)('stay out of the report: %s', async ([, variable, message]) => {
    const key = message.split(' ').at(-1) ?? ''
    const app = variable === null ? world.production.app : world.appWith({ [variable]: key })
    const reply = { status: 401, body: { status: false, message: `Invalid key ${message}` } }
    const network = world.networkWith(undefined, world.throughEdge(reply))
    const { token = '' } = await world.problemsOf('paystack', { app, network })
    expect(token).toContain('Invalid key')
    for (let at = 0; at + 14 <= key.length; at++) expect(token).not.toContain(key.slice(at, at + 14))
  })

  test('differ from an address that the provider does not allow', async () => {
    world.fakes.palmpay.fault('reject')
    const problems = await world.problemsOf('palmpay')
    world.fakes.palmpay.heal()
    expect(problems).toEqual({ token: matching('Add the outgoing address of this service') })
  })

  test('differ from a forbidden address that only the message names', async () => {
    const body = { status: false, message: 'Your IP address is not allowed to make this call' }
    const network = world.networkWith(undefined, world.throughEdge({ status: 401, body }))
    expect(await world.problemsOf('paystack', { network })).toEqual({
      token: matching('Add the outgoing address of this service'),
    })
  })

  test('of a test account in world.production are named', async () => {
    const app = world.appWith({ OZOW_IS_TEST: 'true' })
    expect(await world.problemsOf('ozow', { app })).toEqual({ keys: matching('remove OZOW_IS_TEST') })
  })
})

describe('an account of another country', () => {
  test('at Paystack is named with the country it belongs to', async () => {
    world.fakes.paystack.setCurrencies(['KES'])
    const problems = await world.problemsOf('paystack')
    const inKenya = await world.problemsOf('paystack', { account: 2 })
    world.fakes.paystack.setCurrencies(['NGN', 'USD', 'GHS', 'KES', 'ZAR', 'XOF'])
    expect(problems).toEqual({ account: matching('belong in PAYSTACK_SECRET_KEY_KE') })
    expect(inKenya).toEqual({ account: matching('does not report USD') })
  })

  test('at MTN is named with its target environment', async () => {
    const app = world.appWith({ MOMO_TARGET_ENVIRONMENT: 'mtnghana' })
    expect(await world.problemsOf('momo', { app })).toEqual({
      account: matching('Set MOMO_TARGET_ENVIRONMENT to the country of the API user'),
    })
  })

  test('at Daraja is named by its shortcode and passkey', async () => {
    const app = world.appWith({ DARAJA_PASSKEY: 'another passkey' })
    expect(await world.problemsOf('daraja', { app })).toEqual({
      unknown_reference: matching('Copy DARAJA_SHORTCODE and DARAJA_PASSKEY again'),
    })
  })
})

describe('a provider', () => {
  const answering = (reply: FakeReply, timeoutMs?: number) => ({
    network: world.networkWith(undefined, world.throughEdge(reply, timeoutMs)),
  })
  const html = '<html>Access denied</html>'

  test.for<[string, FakeReply, string]>([
    ['an HTML page', { status: 200, body: html }, 'Correct PAYSTACK_BASE_URL; if it is right, a proxy'],
    ['an HTML refusal', { status: 403, body: html }, 'Correct PAYSTACK_BASE_URL; if it is right, a proxy'],
    ['an outage', { status: 503, body: { message: 'down' } }, 'Look at the status page of Paystack'],
    ['too many requests', { status: 429, body: {} }, 'Wait a minute'],
    [
      'a redirect',
      { status: 302, body: {}, headers: { location: 'https://elsewhere.example/x' } },
      'Set PAYSTACK_BASE_URL to the address of the API itself',
    ],
    ['another shape', { status: 418, body: { tea: true } }, 'Ask the support of Paystack'],
  ])('that answers with %s is named once', async ([, reply, remedy]) => {
    expect(await world.problemsOf('paystack', answering(reply))).toEqual({ token: matching(remedy) })
  })

  test('that never answers is named once', async () => {
    expect(await world.problemsOf('paystack', answering('never', 200))).toEqual({
      token: matching('did not answer in time. Allow outgoing HTTPS'),
    })
  })

  test('that redirects to itself is called once', async () => {
    const before = world.edge.requests.length
    const loop = { status: 301, body: {}, headers: { location: '/' } }
    const { accounts } = await diagnose(world.production.app, 'opay', answering(loop).network)
    expect(accounts[0]?.probes.filter(({ status }) => status === 'failed')).toHaveLength(1)
    expect(world.edge.requests.length - before).toBe(1)
  })

  test.for<[string, string, string]>([
    ['refuses the connection', 'https://127.0.0.1:1', 'refused or broke the connection'],
    ['has no address', 'https://api.paystack.invalid', 'does not resolve'],
  ])('that %s is named once', async ([, PAYSTACK_BASE_URL, finding]) => {
    const app = world.appWith({ PAYSTACK_BASE_URL })
    expect(await world.problemsOf('paystack', { app })).toEqual({ token: matching(finding) })
  })

  test('in a private network is not called', async () => {
    const network = { ...world.networkWith(), rules: { loopbackAllowed: false } }
    expect(await world.problemsOf('fawry', { network })).toEqual({
      token: matching('must name a public host'),
    })
  })

  test('has one deadline for all calls of a probe', async () => {
    const network = { ...world.networkWith(), probeMs: 1 }
    expect(await world.problemsOf('daraja', { network })).toMatchObject({
      token: matching('did not answer in time'),
    })
    // Two rounds of probes fit into the timeout of the route.
    expect(2 * PROBE_MS).toBeLessThan(30_000)
  })

  test.for<[string, ProviderName, FakeReply, string]>([
    [
      'paid',
      'paystack',
      {
        status: 200,
        body: {
          status: true,
          data: { id: 1, status: 'success', reference: 'x', amount: 100, currency: 'NGN' },
        },
      },
      'failed: Paystack reports an unused reference as paid.',
    ],
    [
      'pending',
      'paystack',
      { status: 200, body: { status: true, data: { id: 1, status: 'ongoing', reference: 'x' } } },
      'warning: Paystack reports an unused reference as pending',
    ],
  ])('that reports an unused reference as %s is named', async ([, name, reply, text]) => {
    const lying: Fetch = (address, request, rules) =>
      (address.includes('/verify/') ? world.throughEdge(reply) : fetchExternal)(address, request, rules)
    expect(await world.problemsOf(name, { network: world.networkWith(undefined, lying) })).toEqual({
      unknown_reference: matching(text),
    })
  })
})

describe('the clock', () => {
  test.for<[number, string]>([
    [120, 'warning: Our clock is '],
    [400, 'failed: Our clock is '],
  ])('%i seconds ahead of the provider is the only problem', async ([seconds, text]) => {
    world.production.clock.advance({ seconds })
    expect(await world.problemsOf('fawry')).toEqual({ clock: matching(text) })
    expect((await world.problemsOf('fawry')).clock).toContain('Switch on NTP on the database server')
  })
})

describe('the signature', () => {
  test('without a webhook hash is a warning with the variable', async () => {
    const app = world.appWith({ FLUTTERWAVE_WEBHOOK_HASH: '' })
    expect(await world.problemsOf('flutterwave', { app })).toEqual({
      signature: matching('warning: FLUTTERWAVE_WEBHOOK_HASH is not set'),
    })
  })

  test.for<[string, (reference: string) => WebhookEvent, string]>([
    [
      'accepts everything',
      (reference) => ({ about: { reference }, eventKey: 'x', kind: 'x' }),
      'A changed webhook was accepted.',
    ],
    ['refuses everything', () => 'forged', 'A webhook with a valid signature was not accepted.'],
  ])('of a rail that %s is a failure', ([, parse, finding]) => {
    const { app } = world.production
    const [account] = accountsOf(app, 'fawry')
    const probes = present(account?.probes, 'the rail has probes')
    const careless = {
      ...present(account, 'the fake has keys'),
      parseWebhook: ({ raw }: WebhookRequest) => parse(/tp[0-9a-f]{26}/.exec(raw.toString())?.[0] ?? ''),
    }
    const network = world.networkWith()
    expect(
      probeSignature({ app, name: 'fawry', account: careless, probes, network, exchanges: [] }),
    ).toMatchObject({ status: 'failed', finding })
  })
})

test('a certificate that is not valid is named with its code', () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const failure = new NoResponse(false, 'x', new EgressError('unreachable', 'x', { sent: false, cause }))
  expect(faultOf({ host: 'api.example', failure })).toEqual({
    kind: 'certificate',
    what: 'The certificate of api.example is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).',
  })
})
