// Deleting a run with all that was read for it. The files of its report are kept: they may be in use elsewhere.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { deleteStream } from '../../platform/streams/streams.ts'
import { deleteRun, lockRun } from '../runs-sql.ts'
import { requireEditableRun } from './read-run.ts'
import { waitUntilFinished } from './wait-until-finished.ts'

/** One that was cancelled a moment ago is waited for. */
export async function deleteResearch(app: App, actor: Actor, id: string, request: RequestInfo) {
  const { orgId } = actor
  const run = await app.db.tx(orgId, (tx) => requireEditableRun(tx, actor, id))
  if (run.status === 'cancelled' && run.finishedAt === null) await waitUntilFinished(app, run, request.gone)
  return app.db.tx(orgId, async (tx) => {
    await requireEditableRun(tx, actor, id)
    const standing = await lockRun(tx, orgId, id)
    if (!standing) throw new ApiError('not_found')
    if (standing.finishedAt === null) throw new ApiError('research_running')
    await deleteRun(tx, orgId, id)
    await deleteStream(tx, id)
    await record(tx, { orgId, actor, ip: request.address, action: 'research.delete', target: id })
    return { ok: true as const }
  })
}
