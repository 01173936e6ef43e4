// How much of the work is on the frontier lane, and how difficult a task must therefore look before we choose it.
import type { App } from '../platform/app.ts'
import { inferenceSettings } from './settings.ts'

/** The difficulty from which a task that left the choice to us gets the frontier lane. */
export function frontierThreshold(app: App): number {
  return app.settings.get(inferenceSettings.settings.inference_escalate_threshold_pct)
}
