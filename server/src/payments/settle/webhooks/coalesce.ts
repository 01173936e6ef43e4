// Coalesces concurrent copies of one webhook: copies that arrive while one is being stored share the next transaction, so a
// flood of copies does not need a transaction each.
import type { App } from '../../../platform/app.ts'

type PendingBatch = { copies: number; readonly stored: Promise<void> }
type Lane = { running: Promise<void>; pending: PendingBatch | null }

/** Calls `store` with the number of copies. Resolves or rejects with the call that covers this copy. */
export function coalesce(app: App, key: string, store: (copies: number) => Promise<void>): Promise<void> {
  const lanes = lanesOf(app)
  const lane = lanes.get(key)
  if (!lane) {
    const running = store(1)
    lanes.set(key, { running, pending: null })
    closeLaneAfter(lanes, key, running)
    return running
  }
  if (lane.pending) {
    lane.pending.copies++
    return lane.pending.stored
  }
  const batch: PendingBatch = { copies: 1, stored: lane.running.then(next, next) }
  lane.pending = batch
  closeLaneAfter(lanes, key, batch.stored)
  return batch.stored

  function next(): Promise<void> {
    lanes.set(key, { running: batch.stored, pending: null })
    return store(batch.copies)
  }
}

const lanesByApp = new WeakMap<App, Map<string, Lane>>()

function lanesOf(app: App): Map<string, Lane> {
  const lanes = lanesByApp.get(app) ?? new Map<string, Lane>()
  lanesByApp.set(app, lanes)
  return lanes
}

/** The last copy closes the lane. A failure reaches the callers that wait for it. */
function closeLaneAfter(lanes: Map<string, Lane>, key: string, stored: Promise<void>): void {
  const close = () => {
    const lane = lanes.get(key)
    if (lane?.running === stored && !lane.pending) lanes.delete(key)
  }
  stored.then(close, close)
}
