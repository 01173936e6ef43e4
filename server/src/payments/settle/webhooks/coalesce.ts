// The same message many times at once: while one copy is being kept the others gather, and are kept together. A flood of
// copies then waits in memory for one transaction and not each for its own.
import type { App } from '../../../platform/app.ts'

type PendingBatch = { copies: number; readonly stored: Promise<void> }
type Lane = { running: Promise<void>; pending: PendingBatch | null }

/** Calls `keep` with how many copies it stands for. Ends, or fails, with the call that stood for this one. */
export function coalesce(app: App, key: string, keep: (copies: number) => Promise<void>): Promise<void> {
  const lanes = lanesOf(app)
  const lane = lanes.get(key)
  if (!lane) {
    const running = keep(1)
    lanes.set(key, { running, pending: null })
    closeLaneAfter(lanes, key, running)
    return running
  }
  if (lane.pending) {
    lane.pending.copies++
    return lane.pending.stored
  }
  const gathering: PendingBatch = { copies: 1, stored: lane.running.then(next, next) }
  lane.pending = gathering
  closeLaneAfter(lanes, key, gathering.stored)
  return gathering.stored

  function next(): Promise<void> {
    lanes.set(key, { running: gathering.stored, pending: null })
    return keep(gathering.copies)
  }
}

const lanesByApp = new WeakMap<App, Map<string, Lane>>()

function lanesOf(app: App): Map<string, Lane> {
  const lanes = lanesByApp.get(app) ?? new Map<string, Lane>()
  lanesByApp.set(app, lanes)
  return lanes
}

/** Who comes last closes the lane; a failure is told to those that wait for it. */
function closeLaneAfter(lanes: Map<string, Lane>, key: string, kept: Promise<void>): void {
  const leave = () => {
    const lane = lanes.get(key)
    if (lane?.running === kept && !lane.pending) lanes.delete(key)
  }
  kept.then(leave, leave)
}
