// Cancelling a run: nothing further is begun. The turn that was dispatched is finished and charged, because it was used.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { finishUnstarted } from '../engine/finish-run.ts'
import { lockRun, markCancelled } from '../runs-sql.ts'
import { requireEditableRun, requireVisibleRun, toSummary } from './read-run.ts'
import { waitUntilFinished } from './wait-until-finished.ts'

/** Who asks again while the last turn is finished waits with the others. */
async function isCancelling(tx: Tx, orgId: OrgId, id: string): Promise<boolean> {
  const standing = await lockRun(tx, orgId, id)
  return standing?.status === 'cancelled' && standing.finishedAt === null
}

/** Says how it stands when it has finished, or after a while. */
export async function cancelResearch(app: App, actor: Actor, id: string, request: RequestInfo) {
  const { orgId } = actor
  const run = await app.db.tx(orgId, async (tx) => {
    const own = await requireEditableRun(tx, actor, id)
    if (await markCancelled(tx, orgId, id)) {
      await record(tx, { orgId, actor, ip: request.address, action: 'research.cancel', target: id })
      tx.notify('research', id)
    } else if (!(await isCancelling(tx, orgId, id))) throw new ApiError('research_finished')
    return own
  })
  if (!(await finishUnstarted(app, orgId, id))) await waitUntilFinished(app, run, request.gone)
  return app.db.tx(orgId, async (tx) => toSummary(await requireVisibleRun(tx, actor, id)))
}
