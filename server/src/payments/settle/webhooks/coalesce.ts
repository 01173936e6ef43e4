// The same message many times at once: while one copy is being kept the others gather, and are kept together. A flood of
// copies then waits in memory for one transaction and not each for its own.
import type { App } from '../../../platform/app.ts'

type Gathering = { copies: number; readonly kept: Promise<void> }
type Lane = { running: Promise<void>; gathering: Gathering | null }

/** Calls `keep` with how many copies it stands for. Ends, or fails, with the call that stood for this one. */
export function together(app: App, key: string, keep: (copies: number) => Promise<void>): Promise<void> {
  const lanes = lanesOf(app)
  const lane = lanes.get(key)
  if (!lane) {
    const running = keep(1)
    lanes.set(key, { running, gathering: null })
    leaveAfter(lanes, key, running)
    return running
  }
  if (lane.gathering) {
    lane.gathering.copies++
    return lane.gathering.kept
  }
  const gathering: Gathering = { copies: 1, kept: lane.running.then(next, next) }
  lane.gathering = gathering
  leaveAfter(lanes, key, gathering.kept)
  return gathering.kept

  function next(): Promise<void> {
    lanes.set(key, { running: gathering.kept, gathering: null })
    return keep(gathering.copies)
  }
}

const apps = new WeakMap<App, Map<string, Lane>>()

function lanesOf(app: App): Map<string, Lane> {
  const lanes = apps.get(app) ?? new Map<string, Lane>()
  apps.set(app, lanes)
  return lanes
}

/** Who comes last closes the lane; a failure is told to those that wait for it. */
function leaveAfter(lanes: Map<string, Lane>, key: string, kept: Promise<void>): void {
  const leave = () => {
    const lane = lanes.get(key)
    if (lane?.running === kept && !lane.gathering) lanes.delete(key)
  }
  kept.then(leave, leave)
}
