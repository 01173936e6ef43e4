// Success rates, durations and fees of provider accounts for staff.
import { before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type AccountPerformance, readPerformance } from '../routing/performance-sql.ts'
import { basisPoints } from '../routing/route.ts'

export const PERFORMANCE_WINDOWS = { day: { hours: 24 }, month: { days: 30 } } as const
const ATTEMPTS_MAX = 100_000

export async function listPerformance(app: App) {
  const rows = await app.db.tx('platform', (tx) =>
    readPerformance(
      tx,
      before(tx.now, PERFORMANCE_WINDOWS.day),
      before(tx.now, PERFORMANCE_WINDOWS.month),
      ATTEMPTS_MAX,
    ),
  )
  const counted = rows.reduce((sum, { attempts, period }) => sum + (period === 'month' ? attempts : 0), 0)
  const months = rows.filter(({ period }) => period === 'month')
  const accounts = months.map((month) => {
    const { rail, account, channel, currency } = month
    const day = rows.find(
      (each) =>
        each.period === 'day' &&
        each.rail === rail &&
        each.account === account &&
        each.channel === channel &&
        each.currency === currency,
    )
    return {
      ...{ rail, account, channel, currency },
      results: { day: describe(day ?? NOTHING), month: describe(month) },
    }
  })
  return { accounts, isComplete: counted < ATTEMPTS_MAX }
}

type Counts = Omit<AccountPerformance, 'rail' | 'account' | 'channel' | 'currency' | 'period'>

const NOTHING: Counts = {
  ...{ attempts: 0, accepted: 0, settled: 0, failed: 0, expired: 0, pending: 0, failovers: 0 },
  ...{ decided: 0, medianSeconds: null, feesMinor: 0n, pricedMinor: 0n },
}

function describe({ attempts, accepted, settled, failed, expired, pending, failovers, ...rest }: Counts) {
  const { decided, medianSeconds, feesMinor, pricedMinor } = rest
  return {
    ...{ attempts, accepted, settled, failed, expired, pending, failovers, medianSeconds, feesMinor },
    successPercent: decided === 0 ? null : Math.round((settled / decided) * 1_000) / 10,
    feeBasisPoints: pricedMinor === 0n ? null : basisPoints(feesMinor, pricedMinor),
  }
}
