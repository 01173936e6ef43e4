// Reads availability, limits and prices for the start form.
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { budgetCeiling, estimateRun, inFlightMax } from '../pricing/estimates.ts'
import { limitsFor } from '../pricing/run-limits.ts'
import { currentLaneMode } from '../pricing/turn-lanes-sizes.ts'
import { countUnfinished } from '../runs-sql.ts'
import { DEPTHS } from '../types.ts'
import { checkAvailability } from './availability.ts'

const MINUTE_MS = 60_000

export async function readResearchConfig(app: App, { org, orgId }: Actor) {
  const { available, missing, enabled } = await checkAvailability(app, org)
  const laneMode = currentLaneMode(app)
  const budgetMinor = budgetCeiling(app)
  const depths = DEPTHS.map((depth) => {
    const limits = limitsFor(app, depth)
    const { passes, subquestions, pages, wallClockMs } = limits
    const minutesMax = Math.ceil(wallClockMs / MINUTE_MS)
    const costs = estimateRun(app, org, { depth, laneMode, budgetMinor }, limits)
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
    inFlight: await app.db.tx(orgId, (tx) => countUnfinished(tx, orgId)),
    depths,
  }
}
