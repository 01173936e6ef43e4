// The OpenAI-compatible API with a fake upstream, and customers with known balances.

import { fromJson } from '@cowrie/server/src/kernel/json.ts'
import { readBalances } from '@cowrie/server/src/wallet/wallet.ts'
import { expect } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../fakes/models/fake-upstream.ts'
import { type Person, type Reply, startTestServer, type TestServer } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'

/** Our key for the upstream. It must never reach a customer. */
export const CANARY = 'canary-7b1f60ad-never-to-be-seen'

export type Customer = Person & { readonly key: string }
export type Money = { readonly balanceMinor: bigint; readonly heldMinor: bigint }
export type OpenAiApi = {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  /** The listening address, for clients that need a socket. */
  readonly address: string
  customer(balanceMinor?: bigint): Promise<Customer>
  money(of: { orgId: Customer['orgId'] }): Promise<Money>
  /** Calls with the key of a customer, without a socket. */
  post(as: { key: string }, path: string, body: object): Promise<Reply>
  /** Calls over a socket, so that it can be closed. */
  stream(as: { key: string }, path: string, body: object, signal?: AbortSignal): Promise<Response>
  close(): Promise<void>
}

const INITIAL_MINOR = 1_000_000n

/** A token costs one kobo on the open lane and ten on the frontier lane, so that costs equal token counts. */
export const PRICES = {
  SERVICE_PRICE_OPEN_KOBO_PER_1M: '1000000',
  SERVICE_PRICE_FRONTIER_KOBO_PER_1M: '10000000',
}

export async function startOpenAiApi(variables: Record<string, string> = {}): Promise<OpenAiApi> {
  const upstream = await startFakeUpstream()
  const server = await startTestServer({
    schedules: ['gateway.', 'wallet.', 'metering.'],
    variables: {
      ...PRICES,
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_API_KEY: CANARY,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      ...variables,
    },
  })
  const address = await server.listen()
  return {
    server,
    upstream,
    address,
    async customer(balanceMinor = INITIAL_MINOR) {
      const person = await server.person()
      if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
      const { bearer } = await server.key(person, ['agent:run'])
      return { ...person, key: bearer }
    },
    async money({ orgId }) {
      const { balanceMinor, heldMinor } = await readBalances(server.app.db.direct, orgId)
      return { balanceMinor, heldMinor }
    },
    post: (as, path, body) => server.call('POST', path, { as: { bearer: as.key }, body }),
    stream: (as, path, body, signal) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async close() {
      await Promise.all([server.close(), upstream.close()])
    },
  }
}

/** The data of the events of a stream, parsed where they are JSON. */
export const eventsIn = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data = '']) => data)
    .filter((data) => data !== '[DONE]')
    .map((data) => fromJson(data) as Record<string, unknown>)

type Chunk = { choices?: { delta?: { content?: string } }[] }
export const textIn = (events: readonly object[]): string =>
  events.map((event) => (event as Chunk).choices?.[0]?.delta?.content ?? '').join('')

/** The amount spent of the initial balance, once nothing is held. */
export async function spentBy(
  api: OpenAiApi,
  customer: Customer,
  initialMinor = INITIAL_MINOR,
): Promise<bigint> {
  await expect.poll(async () => (await api.money(customer)).heldMinor).toBe(0n)
  return initialMinor - (await api.money(customer)).balanceMinor
}
