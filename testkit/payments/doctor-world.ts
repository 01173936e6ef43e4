// A production service with every fake provider, and a server that lies in place of a provider or of a proxy.

import { diagnose } from '@cowrie/server/src/payments/doctor/doctor.ts'
import type { Network } from '@cowrie/server/src/payments/doctor/exchange.ts'
import type { ProbeName } from '@cowrie/server/src/payments/doctor/result.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import { fetchExternal } from '@cowrie/server/src/platform/egress/egress.ts'
import { startFakeDaraja } from '../fakes/payments/daraja.ts'
import { startFakeFawry } from '../fakes/payments/fawry.ts'
import { startFakeFlutterwave } from '../fakes/payments/flutterwave.ts'
import { type FakeReply, startLoopbackServer } from '../fakes/payments/loopback-server.ts'
import { startFakeMomo } from '../fakes/payments/momo.ts'
import { startFakeOpay } from '../fakes/payments/opay.ts'
import { startFakeOzow } from '../fakes/payments/ozow.ts'
import { startFakePalmpay } from '../fakes/payments/palmpay.ts'
import { startFakePaystack } from '../fakes/payments/paystack.ts'
import { startTestServer } from '../harness/harness.ts'
import type { ProviderName } from './rails-world.ts'

const HOST = 'https://cowrie.test'

export type Fetch = Network['fetch']
export type DoctorWorld = Awaited<ReturnType<typeof startDoctorWorld>>
type Options = { app?: App; network?: Network; account?: number }

export async function startDoctorWorld() {
  const [paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry] = await Promise.all([
    startFakePaystack(),
    startFakeFlutterwave(),
    startFakeDaraja(),
    startFakeMomo(),
    startFakeOpay(),
    startFakePalmpay(),
    startFakeOzow(),
    startFakeFawry(),
  ])
  const fakes = { paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry }
  let edgeReply: FakeReply = 'never'
  const edge = await startLoopbackServer(() => edgeReply)
  const production = await startTestServer({
    variables: {
      ...Object.assign({}, ...Object.values(fakes).map(({ variables }) => variables)),
      SERVICE_ENV: 'production',
      SERVICE_BASE_URL: HOST,
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
      SERVICE_MAIL_FROM: 'a@cowrie.test',
    },
  })
  const { app } = production

  /** The public name of the service leads to it. */
  const throughFront: Fetch = async (address, { method }) => {
    const { status, headers } = await production.call(method, new URL(address).pathname)
    return new Response(null, { status, headers })
  }

  const world = {
    production,
    fakes,
    edge,
    throughFront,
    /** The public name of the service, or the address of a provider, leads to a server that sends this reply. */
    throughEdge:
      (reply: FakeReply, timeoutMs = 30_000): Fetch =>
      (_, request) => {
        edgeReply = reply
        return fetchExternal(`${edge.url}/`, request, { loopbackAllowed: true, timeoutMs })
      },
    networkWith: (front: Fetch = throughFront, provider: Fetch = fetchExternal): Network => ({
      fetch: (address, request, rules) =>
        (address.startsWith(HOST) ? front : provider)(address, request, rules),
      rules: { loopbackAllowed: true },
      probeMs: 30_000,
    }),
    appWith: (variables: Record<string, string>): App => ({
      ...app,
      config: { ...app.config, rails: { ...app.config.rails, ...variables } },
    }),
    /** The fakes send the time of this machine. */
    syncClock: () => production.clock.advance({ ms: Date.now() - production.clock.now().getTime() }),
    /** The probes of one account that need attention, with their remedies. */
    async problemsOf(name: ProviderName, { app: other = app, network, account = 0 }: Options = {}) {
      const { accounts } = await diagnose(other, name, network ?? world.networkWith())
      const probes = accounts[account]?.probes ?? []
      const problems = probes.filter(({ status }) => status === 'failed' || status === 'warning')
      return Object.fromEntries(
        problems.map(({ probe, status, finding, remedy }) => [probe, `${status}: ${finding} ${remedy}`]),
      ) as Partial<Record<ProbeName, string>>
    },
    async close() {
      await production.close()
      await Promise.all([edge, ...Object.values(fakes)].map((each) => each.close()))
    },
  }
  return world
}
