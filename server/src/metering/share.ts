// The share of the frontier lane, and the difficulty from which the platform chooses that lane.
import { before } from '../kernel/clock.ts'
import { inferenceSettings } from '../models/models.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'
import { pricingSettings } from './settings.ts'
import { tokensByLane } from './usage/sql.ts'

/** In percent of the tokens of the last day. */
type Share = { readonly pct: number; readonly at: Date }

const { inference_escalate_threshold_pct } = inferenceSettings.settings
const { frontier_target_pct } = pricingSettings.settings
const FRESH_MINUTES = 60
// Each percent above the planned share raises the threshold by one and a half percent: slow enough not to oscillate.
const GAIN = 1.5

// The last known share of this replica. A value of the last hour is recent enough.
const shares = new WeakMap<Db, Share>()
const asking = new WeakSet<Db>()

/**
 * The difficulty from which a task without a preference gets the frontier lane: the configured threshold, raised while the
 * lane exceeds its planned share and lowered while it is below.
 */
export function frontierThreshold(app: App): number {
  const known = shares.get(app.db)
  if (!known || known.at < before(app.clock.now(), { minutes: FRESH_MINUTES })) learnInBackground(app)
  const base = app.settings.get(inference_escalate_threshold_pct)
  if (!known) return base
  const surplusPct = known.pct - app.settings.get(frontier_target_pct)
  return Math.min(100, Math.max(0, base + GAIN * surplusPct))
}

/** Sums the last day. Without any usage the configured threshold applies. */
export async function learnShare(app: App): Promise<void> {
  const at = app.clock.now()
  const sums = await app.db.tx('platform', (tx) => tokensByLane(tx, before(at, { hours: 24 })))
  const all = sums.reduce((sum, { tokens }) => sum + Number(tokens), 0)
  const frontier = Number(sums.find(({ lane }) => lane === 'frontier')?.tokens ?? 0)
  const pct = all === 0 ? app.settings.get(frontier_target_pct) : (100 * frontier) / all
  shares.set(app.db, { pct, at })
}

function learnInBackground(app: App): void {
  if (asking.has(app.db)) return
  asking.add(app.db)
  learnShare(app)
    .catch((error) => app.log.warn({ err: error }, 'metering.lane_share.read_failed'))
    .finally(() => asking.delete(app.db))
}
