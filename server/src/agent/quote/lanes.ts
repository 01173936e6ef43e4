// Which lanes may serve a task. A quote goes by all of them: where the choice is ours, it can fall otherwise when the task
// itself comes.
import {
  type Lane,
  type LanePreference,
  lanesFor,
  type ModelRoute,
  routeFor,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'

// As difficult as a task can look: it gets the frontier lane wherever any task does.
const MOST_DIFFICULT = 100

/** `route` is the one that serves it now. */
export function listPossibleLanes(
  app: App,
  org: Actor['org'],
  { frontier }: LanePreference,
  route: ModelRoute,
): Lane[] {
  const isOurs =
    frontier === undefined && routeFor(app, org, { difficulty: MOST_DIFFICULT }).lane === 'frontier'
  return isOurs ? lanesFor(app, org).map(({ lane }) => lane) : [route.lane]
}
