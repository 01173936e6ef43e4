// A server with every fake provider connected.

import { present } from '@cowrie/server/src/kernel/assert.ts'
import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import type { RailName } from '@cowrie/server/src/payments/channels.ts'
import { webhookUrl } from '@cowrie/server/src/payments/settle/webhooks/webhook-url.ts'
import { startFakeDaraja } from '../fakes/payments/daraja.ts'
import type { FakeProvider } from '../fakes/payments/fake-provider.ts'
import { startFakeFawry } from '../fakes/payments/fawry.ts'
import { startFakeFlutterwave } from '../fakes/payments/flutterwave.ts'
import type { FakeRequest } from '../fakes/payments/loopback-server.ts'
import { startFakeMomo } from '../fakes/payments/momo.ts'
import { startFakeOpay } from '../fakes/payments/opay.ts'
import { startFakeOzow } from '../fakes/payments/ozow.ts'
import { startFakePalmpay } from '../fakes/payments/palmpay.ts'
import { startFakePaystack } from '../fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '../harness/harness.ts'
import { PHONES } from './topup-fixture.ts'

export type ProviderName = Exclude<RailName, 'mock'>
export type Provider = { readonly fake: FakeProvider; readonly requests: readonly FakeRequest[] }
export type World = {
  readonly server: TestServer
  readonly providers: Readonly<Record<ProviderName, Provider>>
  heal(): void
  close(): Promise<void>
}

/** An account at MTN or OPay belongs to one country. */
export type Market = { target: string; currency: Currency; opay: 'NG' | 'EG' }
export const DEFAULT_MARKET: Market = { target: 'mtnuganda', currency: 'UGX', opay: 'NG' }

const TOKENS = { daraja: 'the secret of one address', momo: 'the secret of another' }

/** `first` shares its database and clock with this world. */
export async function startWorld(market: Market = DEFAULT_MARKET, first?: World): Promise<World> {
  const [paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry] = await Promise.all([
    startFakePaystack(),
    startFakeFlutterwave(),
    startFakeDaraja(),
    startFakeMomo(market),
    startFakeOpay(market.opay),
    startFakePalmpay(),
    startFakeOzow(),
    startFakeFawry(),
  ])
  const fakes = { paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry }
  const all: readonly FakeProvider[] = Object.values(fakes)
  const server = await startTestServer({
    schedules: ['payments.', 'wallet.', 'invoices.'],
    variables: {
      ...Object.assign({}, ...all.map(({ variables }) => variables)),
      SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
      SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
      SERVICE_WEBHOOK_IPS_MOMO: '127.0.0.1',
      SERVICE_WEBHOOK_TOKEN_MPESA: TOKENS.daraja,
      SERVICE_WEBHOOK_TOKEN_MOMO: TOKENS.momo,
    },
    ...(first && { url: first.server.url, clock: first.server.clock }),
  })
  return {
    server,
    providers: {
      paystack: { fake: paystack, requests: paystack.requests },
      flutterwave: { fake: flutterwave, requests: flutterwave.requests },
      daraja: { fake: daraja, requests: daraja.loopback.requests },
      momo: { fake: momo, requests: momo.loopback.requests },
      opay: { fake: opay, requests: opay.requests },
      palmpay: { fake: palmpay, requests: palmpay.requests },
      ozow: { fake: ozow, requests: ozow.loopback.requests },
      fawry: { fake: fawry, requests: fawry.loopback.requests },
    },
    heal: () => {
      for (const fake of all) fake.heal()
    },
    async close() {
      await server.close()
      await Promise.all(all.map((fake) => fake.close()))
    },
  }
}

/** The webhook paths of a provider. A provider that gets its URL with an order uses that of the last order. */
export function webhookPathsOf({ server, providers }: World, rail: ProviderName): string[] {
  if (rail === 'paystack') return ['/webhooks/card_provider']
  if (rail === 'flutterwave') return [new URL(webhookUrl(server.app, 'flutterwave')).pathname]
  const orderPath = lastWebhookPath(providers[rail])
  if (rail === 'daraja') return [`/webhooks/mpesa?token=${encodeURIComponent(TOKENS.daraja)}`, orderPath]
  return rail === 'momo'
    ? [`/webhooks/momo?token=${encodeURIComponent(TOKENS.momo)}`, orderPath]
    : [orderPath]
}

function lastWebhookPath({ requests }: Provider): string {
  const texts = requests.map(({ raw, headers }) => `${raw} ${headers['x-callback-url']}`)
  const last = texts.findLast((text) => text.includes('/webhooks/rail/'))
  const [path] = /\/webhooks\/rail\/[\w%.-]+/.exec(present(last, 'an order has a webhook URL')) ?? []
  return present(path, 'a URL has a path')
}

export type Message = ReturnType<FakeProvider['message']>

export const postWebhook = (server: TestServer, address: string, { headers, body }: Message) =>
  server.call('POST', address, { headers, raw: body })

let phones = 0

/** A new number each time, because prompts per phone are limited. */
export function newPhone(currency: Currency): string | undefined {
  phones += 1
  return PHONES[currency]?.replace(/\d{4}$/, String(phones).padStart(4, '0'))
}
