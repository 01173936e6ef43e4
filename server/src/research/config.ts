// What somebody needs to know before they start a run: whether they can, how far each depth goes, and what it costs.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { availability } from './availability.ts'
import { budgetCeiling, estimateOf, inFlightMax } from './estimates.ts'
import { laneModeNow } from './lanes.ts'
import { limitsOf } from './limits.ts'
import { countOpen } from './sql.ts'
import { DEPTHS } from './terms.ts'

const MINUTE_MS = 60_000

export async function readConfig(app: App, { org, orgId }: Actor) {
  const { available, missing, enabled } = await availability(app, org)
  const laneMode = laneModeNow(app)
  const budgetMinor = budgetCeiling(app)
  const depths = DEPTHS.map((depth) => {
    const limits = limitsOf(app, depth)
    const { passes, subquestions, pages, wallClockMs } = limits
    const minutesMax = Math.ceil(wallClockMs / MINUTE_MS)
    const costs = estimateOf(app, org, { depth, laneMode, budgetMinor }, limits)
    return { depth, passes, subquestions, pages, minutesMax, ...costs }
  })
  return {
    available,
    missing: [...missing],
    enabled,
    canFetchPages: true,
    laneMode,
    budgetMinor,
    currency: org.currency,
    inFlightMax: inFlightMax(org),
    inFlight: await app.db.tx(orgId, (tx) => countOpen(tx, orgId)),
    depths,
  }
}
