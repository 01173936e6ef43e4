// The probe of the webhook URL of this service, called over the public internet as a provider would.
import type { App } from '../../platform/app.ts'
import { findAddressProblem } from '../../platform/egress/egress.ts'
import type { ProviderName } from '../channels.ts'
import { NoResponse } from '../rails/http-client.ts'
import { unusedReference } from '../rails/probes.ts'
import type { RailProbes } from '../rails/rail.ts'
import { webhookUrlFor } from '../settle/webhooks/webhook-url.ts'
import { type Exchange, type Fault, faultOf, type Network, watchedClient } from './exchange.ts'
import { type Finding, failed, ok, warning } from './result.ts'

/** A GET is harmless: webhooks are POST or PUT, so our answer is 405. */
const EXPECTED = new Set([404, 405])

export async function probeCallback(
  app: App,
  name: ProviderName,
  { forbiddenInUrl }: RailProbes,
  network: Network,
): Promise<Finding> {
  const url = webhookUrlFor(app, name, unusedReference())
  const { host } = new URL(url)
  const [word] = forbiddenInUrl?.exec(url) ?? []
  if (word)
    return failed(
      `The provider rejects webhook URLs that contain "${word}", as ${host} does.`,
      `Choose another host name for SERVICE_BASE_URL, without the word "${word}".`,
    )
  const problem = findAddressProblem(url, { loopbackAllowed: false })
  if (problem)
    return (app.config.environment === 'production' ? failed : warning)(
      `The webhook URL at ${host} ${problem}: no provider can reach it.`,
      'Set SERVICE_BASE_URL to the public https address of this service.',
    )
  const exchanges: Exchange[] = []
  // An address of this network is no public address, also outside production.
  const http = watchedClient(app, { ...network, rules: { loopbackAllowed: false } }, exchanges)
  try {
    await http.call(url, { method: 'GET' })
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
  }
  return read(app, host, exchanges.at(-1))
}

function read(app: App, host: string, exchange: Exchange | undefined): Finding {
  const ours = `${app.config.version}+${app.config.commit}`
  if (exchange && 'status' in exchange && exchange.version !== null) {
    const { status, version } = exchange
    if (version !== ours)
      return warning(
        `${host} is answered by version ${version} of this service; this is ${ours}.`,
        'Finish the rollout and run the check again; if it stays, point the name in SERVICE_BASE_URL to this deployment.',
      )
    if (EXPECTED.has(status)) return ok(`${host} is reachable and answered by this service.`)
    return warning(
      `${host} is answered by this service with status ${status} in place of 405.`,
      'Run the check again, and look at the log of this service if it stays.',
    )
  }
  const fault = faultOf(exchange) ?? { kind: 'other' as const, what: otherAnswer(host, exchange) }
  return failed(`${fault.what} Webhooks do not arrive.`, REMEDIES[fault.kind])
}

const otherAnswer = (host: string, exchange: Exchange | undefined): string =>
  exchange && 'status' in exchange
    ? `${host} is answered by another server, status ${exchange.status}.`
    : `${host} is answered by another server.`

const LET_THROUGH =
  'Point the name in SERVICE_BASE_URL to this service, and let /webhooks/ through the proxy without login, cache or bot check.'

const REMEDIES: Readonly<Record<Fault['kind'] | 'other', string>> = {
  unresolved: 'Create the DNS record of the name in SERVICE_BASE_URL, or correct SERVICE_BASE_URL.',
  not_public: 'Change the DNS record of the name in SERVICE_BASE_URL to the public address of the proxy.',
  timeout:
    'Allow incoming HTTPS from everywhere; if this network cannot reach its own public address, open the URL from outside.',
  broken:
    'Allow incoming HTTPS from everywhere; if this network cannot reach its own public address, open the URL from outside.',
  certificate: 'Install a valid certificate with its chain for the name in SERVICE_BASE_URL.',
  redirect: 'Set SERVICE_BASE_URL to the final address, or remove the redirect: providers do not follow it.',
  busy: LET_THROUGH,
  html: LET_THROUGH,
  error: 'Start the service behind the proxy, and check the health checks of the proxy.',
  other: LET_THROUGH,
}
