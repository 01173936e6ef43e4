// Whether work that was let in may go on: it can be older than what was decided about its organisation since.
import type { OrgId } from '../../kernel/ids.ts'
import type { ModelRoute } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { StopReason } from './schema.ts'
import * as sql from './sql.ts'

/** Why no further turn of a model may begin; null while one may. */
export async function closedFor(
  app: App,
  org: OrgId,
  route: ModelRoute,
): Promise<Extract<StopReason, 'suspended' | 'policy'> | null> {
  const standing = await sql.standingOf(app.db.direct, org)
  if (!standing || standing.isSuspended) return 'suspended'
  return isAllowed(route, standing) ? null : 'policy'
}

/** Another model half-way would have another price than was told, so a route that is not allowed any more ends the work. */
function isAllowed({ lane, isBound }: ModelRoute, { allowedLanes, residencyRegion }: sql.Standing): boolean {
  if (residencyRegion !== null) return isBound
  return lane === 'open' || allowedLanes.includes(lane)
}
