// Whether the payment channels of a currency work now, without names of accounts or reasons. Safe to publish.
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { type ChannelName, channelsFor } from './channels.ts'
import { findAccount } from './rails/accounts.ts'
import { listHealth } from './sql/rail-health.ts'

export type ChannelStatus = {
  readonly channel: ChannelName
  readonly label: string
  /** `test` for mock money, `paused` while the provider does not answer. */
  readonly state: 'live' | 'test' | 'paused'
}

/** By currency. Channels without an account are left out. */
export async function channelStatuses(
  app: App,
  currencies: readonly Currency[],
): Promise<ReadonlyMap<Currency, readonly ChannelStatus[]>> {
  const health = await app.db.tx('platform', (tx) => listHealth(tx))
  const now = app.clock.now()
  const paused = new Set(
    health
      .filter(({ pausedUntil }) => pausedUntil !== null && pausedUntil > now)
      .map(({ rail, account }) => `${rail} ${account}`),
  )
  return new Map(
    currencies.map((currency) => [
      currency,
      channelsFor(currency).flatMap(({ name, label }): ChannelStatus[] => {
        const found = findAccount(app, name, currency)
        if (!found) return []
        const isPaused = paused.has(`${found.rail.name} ${found.rail.account}`)
        const working = found.mode === 'mock' ? 'test' : 'live'
        return [{ channel: name, label, state: isPaused ? 'paused' : working }]
      }),
    ]),
  )
}
