// The doctor against healthy providers, and against providers and proxies that lie.
import { startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import { startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import { startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import {
  type FakeReply,
  type LoopbackServer,
  startLoopbackServer,
} from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import { startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import { startFakeOpay } from '@cowrie/testkit/fakes/payments/opay.ts'
import { startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { startFakePalmpay } from '@cowrie/testkit/fakes/payments/palmpay.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../platform/app.ts'
import { fetchExternal } from '../../platform/egress/egress.ts'
import type { ProviderName } from '../channels.ts'
import { providers } from '../rails/accounts.ts'
import { diagnose } from './doctor.ts'
import { type Network, PROBE_MS } from './exchange.ts'
import type { ProbeName } from './result.ts'

const HOST = 'https://cowrie.test'

const start = async () => ({
  paystack: await startFakePaystack(),
  flutterwave: await startFakeFlutterwave(),
  daraja: await startFakeDaraja(),
  momo: await startFakeMomo(),
  opay: await startFakeOpay(),
  palmpay: await startFakePalmpay(),
  ozow: await startFakeOzow(),
  fawry: await startFakeFawry(),
})

let fakes: Awaited<ReturnType<typeof start>>
let production: TestServer
/** A server in front of ours, or in place of a provider. */
let edge: LoopbackServer
let edgeReply: FakeReply

beforeAll(async () => {
  fakes = await start()
  edge = await startLoopbackServer(() => edgeReply)
  production = await startTestServer({
    variables: {
      ...Object.assign({}, ...Object.values(fakes).map(({ variables }) => variables)),
      SERVICE_ENV: 'production',
      SERVICE_BASE_URL: HOST,
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
      SERVICE_MAIL_FROM: 'a@cowrie.test',
    },
  })
})
// The fakes send the time of this machine.
beforeEach(() => production.clock.advance({ ms: Date.now() - production.clock.now().getTime() }))
afterAll(async () => {
  await production.close()
  await edge.close()
  await Promise.all(Object.values(fakes).map((fake) => fake.close()))
})

type Fetch = Network['fetch']

/** The public name of the service leads to it. */
const throughFront: Fetch = async (address, { method }) => {
  const { status, headers } = await production.call(method, new URL(address).pathname)
  return new Response(null, { status, headers })
}

/** The public name of the service, or the address of a provider, leads to `edge`. */
const throughEdge =
  (reply: FakeReply, timeoutMs = 30_000): Fetch =>
  (_, request) => {
    edgeReply = reply
    return fetchExternal(`${edge.url}/`, request, { loopbackAllowed: true, timeoutMs })
  }

const networkWith = (front: Fetch, provider: Fetch = fetchExternal): Network => ({
  fetch: (address, request, rules) => (address.startsWith(HOST) ? front : provider)(address, request, rules),
  rules: { loopbackAllowed: true },
  probeMs: 30_000,
})

const appWith = (variables: Record<string, string>): App => {
  const { app } = production
  return { ...app, config: { ...app.config, rails: { ...app.config.rails, ...variables } } }
}

type Options = { app?: App; network?: Network; account?: number }

/** The probes of one account that need attention, with their remedies. */
async function problemsOf(
  name: ProviderName,
  { app = production.app, network = networkWith(throughFront), account = 0 }: Options = {},
) {
  const { accounts } = await diagnose(app, name, network)
  const probes = accounts[account]?.probes ?? []
  const problems = probes.filter(({ status }) => status === 'failed' || status === 'warning')
  return Object.fromEntries(
    problems.map(({ probe, status, finding, remedy }) => [probe, `${status}: ${finding} ${remedy}`]),
  ) as Partial<Record<ProbeName, string>>
}

const matching = (text: string) => expect.stringContaining(text)

describe('a healthy account', () => {
  test.for(providers.map(({ name }) => name))('of %s has no problem, and nothing is paid', async (name) => {
    const report = await diagnose(production.app, name, networkWith(throughFront))
    const remaining = report.accounts.flatMap(({ account, probes }) =>
      probes
        .filter(({ status }) => !['ok', 'not_applicable', 'not_readable'].includes(status))
        .map((each) => ({ account, ...each })),
    )
    expect(remaining).toEqual([])
    expect(report).toMatchObject({ rail: name, status: 'ok' })
    expect(report.accounts.length).toBeGreaterThan(0)
    expect(fakes[name].orders).toEqual([])
  })

  test('says where to look for what a provider does not report', async () => {
    const { accounts } = await diagnose(production.app, 'paystack', networkWith(throughFront))
    expect(accounts[0]?.probes.find(({ probe }) => probe === 'registration')).toMatchObject({
      status: 'not_readable',
      remedy: matching('Live Webhook URL'),
    })
  })

  test('of a provider that does not sign names the compensation', async () => {
    for (const name of ['daraja', 'momo', 'palmpay'] as const) {
      const { accounts } = await diagnose(production.app, name, networkWith(throughFront))
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
    const app = appWith({ [variable]: 'another value' })
    const { accounts } = await diagnose(app, name, networkWith(throughFront))
    const failed = accounts[0]?.probes.filter(({ status }) => status === 'failed') ?? []
    expect(failed.map(({ probe }) => probe)).toEqual(['token'])
    expect(failed[0]?.finding).toMatch(/refused/)
    expect(failed[0]?.remedy).toMatch(new RegExp(`^Copy .*${variable}\\b.* again from `))
    expect(JSON.stringify(accounts)).not.toContain('another value')
    expect(accounts[0]?.probes.find(({ probe }) => probe === 'unknown_reference')?.status).toBe('skipped')
  })

  test('of one country name the variable of that country, and leave the others alone', async () => {
    const app = appWith({ PAYSTACK_SECRET_KEY_GH: 'sk_live_other' })
    const { accounts } = await diagnose(app, 'paystack', networkWith(throughFront))
    const status = Object.fromEntries(accounts.map((each) => [each.account, each.status]))
    expect(status).toEqual({ NG: 'ok', GH: 'failed', KE: 'ok', ZA: 'ok', CI: 'ok' })
    expect(await problemsOf('paystack', { app, account: 1 })).toEqual({
      token: matching('Copy PAYSTACK_SECRET_KEY_GH again'),
    })
  })

  test('that the provider repeats in its message stay out of the report', async () => {
    const key = 'sk_live_fake'
    const reply = { status: 401, body: { status: false, message: `Invalid key ${key}` } }
    const problems = await problemsOf('paystack', { network: networkWith(throughFront, throughEdge(reply)) })
    expect(problems).toEqual({ token: matching('Invalid key …') })
  })

  test('differ from an address that the provider does not allow', async () => {
    fakes.palmpay.fault('reject')
    const problems = await problemsOf('palmpay')
    fakes.palmpay.heal()
    expect(problems).toEqual({ token: matching('Add the outgoing address of this service') })
  })

  test('differ from a forbidden address that only the message names', async () => {
    const body = { status: false, message: 'Your IP address is not allowed to make this call' }
    const network = networkWith(throughFront, throughEdge({ status: 401, body }))
    expect(await problemsOf('paystack', { network })).toEqual({
      token: matching('Add the outgoing address of this service'),
    })
  })

  test('of a test account in production are named', async () => {
    const app = appWith({ OZOW_IS_TEST: 'true' })
    expect(await problemsOf('ozow', { app })).toEqual({ keys: matching('remove OZOW_IS_TEST') })
  })
})

describe('an account of another country', () => {
  test('at Paystack is named with the country it belongs to', async () => {
    fakes.paystack.setCurrencies(['KES'])
    const problems = await problemsOf('paystack')
    const inKenya = await problemsOf('paystack', { account: 2 })
    fakes.paystack.setCurrencies(['NGN', 'USD', 'GHS', 'KES', 'ZAR', 'XOF'])
    expect(problems).toEqual({ account: matching('belong in PAYSTACK_SECRET_KEY_KE') })
    expect(inKenya).toEqual({ account: matching('does not report USD') })
  })

  test('at MTN is named with its target environment', async () => {
    const app = appWith({ MOMO_TARGET_ENVIRONMENT: 'mtnghana' })
    expect(await problemsOf('momo', { app })).toEqual({
      account: matching('Set MOMO_TARGET_ENVIRONMENT to the country of the API user'),
    })
  })

  test('at Daraja is named by its shortcode and passkey', async () => {
    const app = appWith({ DARAJA_PASSKEY: 'another passkey' })
    expect(await problemsOf('daraja', { app })).toEqual({
      unknown_reference: matching('Copy DARAJA_SHORTCODE and DARAJA_PASSKEY again'),
    })
  })
})

describe('a provider', () => {
  const answering = (reply: FakeReply, timeoutMs?: number) => ({
    network: networkWith(throughFront, throughEdge(reply, timeoutMs)),
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
    expect(await problemsOf('paystack', answering(reply))).toEqual({ token: matching(remedy) })
  })

  test('that never answers is named once', async () => {
    expect(await problemsOf('paystack', answering('never', 200))).toEqual({
      token: matching('did not answer in time. Allow outgoing HTTPS'),
    })
  })

  test('that redirects to itself is called once', async () => {
    const before = edge.requests.length
    const loop = { status: 301, body: {}, headers: { location: '/' } }
    const { accounts } = await diagnose(production.app, 'opay', answering(loop).network)
    expect(accounts[0]?.probes.filter(({ status }) => status === 'failed')).toHaveLength(1)
    expect(edge.requests.length - before).toBe(1)
  })

  test.for<[string, string, string]>([
    ['refuses the connection', 'https://127.0.0.1:1', 'refused or broke the connection'],
    ['has no address', 'https://api.paystack.invalid', 'does not resolve'],
  ])('that %s is named once', async ([, PAYSTACK_BASE_URL, finding]) => {
    const app = appWith({ PAYSTACK_BASE_URL })
    expect(await problemsOf('paystack', { app })).toEqual({ token: matching(finding) })
  })

  test('in a private network is not called', async () => {
    const network = { ...networkWith(throughFront), rules: { loopbackAllowed: false } }
    expect(await problemsOf('fawry', { network })).toEqual({ token: matching('must name a public host') })
  })

  test('has one deadline for all calls of a probe', async () => {
    const network = { ...networkWith(throughFront), probeMs: 1 }
    expect(await problemsOf('daraja', { network })).toMatchObject({
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
      (address.includes('/verify/') ? throughEdge(reply) : fetchExternal)(address, request, rules)
    expect(await problemsOf(name, { network: networkWith(throughFront, lying) })).toEqual({
      unknown_reference: matching(text),
    })
  })
})

describe('the clock', () => {
  test.for<[number, string]>([
    [120, 'warning: Our clock is '],
    [400, 'failed: Our clock is '],
  ])('%i seconds ahead of the provider is the only problem', async ([seconds, text]) => {
    production.clock.advance({ seconds })
    expect(await problemsOf('fawry')).toEqual({ clock: matching(text) })
    expect((await problemsOf('fawry')).clock).toContain('Switch on NTP on the database server')
  })
})

describe('the webhook URL', () => {
  const behind = (front: Fetch) => ({ network: networkWith(front) })

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
    expect(await problemsOf('fawry', behind(throughEdge(reply)))).toEqual({ callback: matching(text) })
  })

  test('that is blocked is the only problem', async () => {
    const problems = await problemsOf('fawry', behind(throughEdge('never', 200)))
    expect(problems).toEqual({ callback: matching('Allow incoming HTTPS from everywhere') })
  })

  test('that resolves to a private address is the only problem', async () => {
    const front: Fetch = (_, request, rules) => fetchExternal('https://127.0.0.1/', request, rules)
    expect(await problemsOf('fawry', behind(front))).toEqual({
      callback: matching('Change the DNS record of the name in SERVICE_BASE_URL'),
    })
  })

  test.for<[string, ProviderName, string]>([
    ['https://10.0.0.7', 'fawry', 'failed: The webhook URL at 10.0.0.7 must be an address on the public'],
    ['https://pay.internal', 'fawry', 'must be an address on the public internet: no provider can reach it'],
    ['http://cowrie.example', 'fawry', 'must be an https address'],
    ['https://mpesa.example', 'daraja', 'without the word "mpesa"'],
  ])('at %s is refused without a call', async ([baseUrl, name, text]) => {
    const { app } = production
    const moved = { ...app, config: { ...app.config, baseUrl } }
    const never: Fetch = (address, ...rest) => {
      expect(address).not.toContain('/webhooks/')
      return fetchExternal(address, ...rest)
    }
    expect(await problemsOf(name, { app: moved, network: networkWith(never, never) })).toEqual({
      callback: matching(text),
    })
  })

  test('that the MTN sandbox has registered for another host is named', async () => {
    const sandbox = await startFakeMomo({ target: 'sandbox', currency: 'EUR', callbackHost: 'old.example' })
    const app = appWith(sandbox.variables)
    const staging = { ...app, config: { ...app.config, environment: 'development' as const } }
    const problems = await problemsOf('momo', { app: staging })
    await sandbox.close()
    expect(problems).toEqual({ registration: matching('providerCallbackHost cowrie.test') })
  })
})

describe('the signature', () => {
  test('without a webhook hash is a warning with the variable', async () => {
    const app = appWith({ FLUTTERWAVE_WEBHOOK_HASH: '' })
    expect(await problemsOf('flutterwave', { app })).toEqual({
      signature: matching('warning: FLUTTERWAVE_WEBHOOK_HASH is not set'),
    })
  })
})
