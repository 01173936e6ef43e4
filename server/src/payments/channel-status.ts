// Whether the payment channels of a currency work now, without names of accounts or reasons. Safe to publish.
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { type ChannelName, channelsFor } from './channels.ts'
import { servingAccounts } from './rails/accounts.ts'
import { listHealth } from './sql/rail-health.ts'

export type ChannelStatus = {
  readonly channel: ChannelName
  readonly label: string
  /** `test` for mock money, `paused` while no provider of the channel answers. */
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
        const serving = servingAccounts(app, { channel: name, currency })
        if (serving.length === 0) return []
        const isPaused = serving.every(({ rail }) => paused.has(`${rail.name} ${rail.account}`))
        const working = serving.some(({ mode }) => mode === 'mock') ? 'test' : 'live'
        return [{ channel: name, label, state: isPaused ? 'paused' : working }]
      }),
    ]),
  )
}
