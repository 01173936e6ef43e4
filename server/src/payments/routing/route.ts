// Selects the accounts for a payment and their order, from the setting of staff, the health of the accounts and their results.
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ChannelName } from '../channels.ts'
import { type PaymentNeeds, type SelectedAccount, servingAccounts } from '../rails/accounts.ts'
import { listHealth, type RailHealth } from '../sql/rail-health.ts'
import { orderAccounts, type RankedAccount } from './order.ts'
import { readFees, readResults, routesOf, type StoredRoute } from './ranking-sql.ts'

/** The priority of accounts that staff did not rank: after all ranked ones. */
export const UNRANKED = 101

/** Accounts that refused our keys come last for this long. Then one payment tries them again. */
const KEYS_REFUSED = { minutes: 15 }
const RESULTS_KEPT_MS = 60_000
const RESULTS_WINDOW = { hours: 24 }
const FEES_WINDOW = { days: 30 }
/** Below this number of payments with a fee the fees are not compared. */
const FEES_MIN = 20

export type RankedRoute = SelectedAccount & RankedAccount

/** The accounts for a payment, the first choice first. Throws `payments_not_configured` where no account can collect it. */
export async function routeOf(app: App, needs: PaymentNeeds): Promise<RankedRoute[]> {
  const serving = servingAccounts(app, needs)
  if (serving.length === 0) throw new ApiError('payments_not_configured')
  // Nothing to choose, so nothing is read.
  if (serving.length === 1) return serving.map((each) => ({ ...each, ...UNKNOWN }))
  return rank(app, needs, serving)
}

const UNKNOWN: RankedAccount = {
  ...{ priority: UNRANKED, isDown: false, settled: 0, decided: 0, feeBasisPoints: null },
}

export async function rank(
  app: App,
  { channel, currency }: Pick<PaymentNeeds, 'channel' | 'currency'>,
  serving: readonly SelectedAccount[],
): Promise<RankedRoute[]> {
  const { routes, health, results } = await app.db.tx('platform', async (tx) => ({
    routes: await routesOf(tx, channel, currency),
    health: await listHealth(tx),
    results: await recentResults(app, tx, channel, currency),
  }))
  return orderAccounts(
    serving.map((each) => ({
      ...each,
      ...UNKNOWN,
      ...results.get(keyOf(each)),
      priority: priorityOf(each, routes),
      isDown: isDown(app, each, health),
    })),
  )
}

const keyOf = ({ rail }: SelectedAccount): string => `${rail.name} ${rail.account}`

const priorityOf = ({ rail }: SelectedAccount, routes: readonly StoredRoute[]): number =>
  routes.find((each) => each.rail === rail.name && each.account === rail.account)?.priority ?? UNRANKED

function isDown({ clock }: App, { rail }: SelectedAccount, all: readonly RailHealth[]): boolean {
  const health = all.find((each) => each.rail === rail.name && each.account === rail.account)
  const now = clock.now()
  return (
    (health?.pausedUntil ?? now) > now || (health?.keysRefusedAt ?? new Date(0)) > before(now, KEYS_REFUSED)
  )
}

type Results = ReadonlyMap<string, Pick<RankedAccount, 'settled' | 'decided' | 'feeBasisPoints'>>

const resultsByApp = new WeakMap<App, Map<string, { readonly at: number; readonly results: Results }>>()

/** Read at most once a minute by each replica: counting is slower than starting a payment. */
async function recentResults(app: App, tx: Tx, channel: ChannelName, currency: Currency): Promise<Results> {
  const cache = resultsByApp.get(app) ?? new Map()
  resultsByApp.set(app, cache)
  const key = `${channel} ${currency}`
  const known = cache.get(key)
  if (known && tx.now.getTime() < known.at + RESULTS_KEPT_MS) return known.results
  const [counted, fees] = [
    await readResults(tx, channel, currency, before(tx.now, RESULTS_WINDOW)),
    await readFees(tx, channel, currency, before(tx.now, FEES_WINDOW)),
  ]
  const results: Results = new Map(
    counted.map(({ rail, account, settled, decided }) => {
      const fee = fees.find((each) => each.rail === rail && each.account === account)
      const isKnown = fee !== undefined && fee.payments >= FEES_MIN
      return [
        `${rail} ${account}`,
        { settled, decided, feeBasisPoints: isKnown ? basisPoints(fee.feeMinor, fee.capturedMinor) : null },
      ]
    }),
  )
  cache.set(key, { at: tx.now.getTime(), results })
  return results
}

/** Hundredths of a percent, rounded down. */
export const basisPoints = (feeMinor: bigint, capturedMinor: bigint): number =>
  Number((feeMinor * 10_000n) / capturedMinor)
