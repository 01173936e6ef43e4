// Cancelling a run: nothing further is begun. The turn that was dispatched is finished and charged, because it was used.

import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { deleteStream, follow } from '../../platform/streams/streams.ts'
import { finishUnstarted } from '../engine/finish-run.ts'
import { deleteRun, lockRun, markCancelled, type RunKey } from '../runs-sql.ts'
import { requireEditableRun, requireVisibleRun, toSummary } from './read-run.ts'

/** Who asks again while the last turn is finished waits with the others. */
async function isCancelling(tx: Tx, orgId: OrgId, id: string): Promise<boolean> {
  const locked = await lockRun(tx, orgId, id)
  return locked?.status === 'cancelled' && locked.finishedAt === null
}

/** Says how it stands when it has finished, or after a while. */
export async function cancelResearch(app: App, actor: Actor, id: string, request: RequestInfo) {
  const { orgId } = actor
  const run = await app.db.tx(orgId, async (tx) => {
    const editable = await requireEditableRun(tx, actor, id)
    if (await markCancelled(tx, orgId, id)) {
      await record(tx, { orgId, actor, ip: request.address, action: 'research.cancel', target: id })
      tx.notify('research', id)
    } else if (!(await isCancelling(tx, orgId, id))) throw new ApiError('research_finished')
    return editable
  })
  if (!(await finishUnstarted(app, orgId, id))) await waitUntilFinished(app, run, request.gone)
  return app.db.tx(orgId, async (tx) => toSummary(await requireVisibleRun(tx, actor, id)))
}

// Shorter than a call may take. Who hears that it has not finished yet can look again.
const WAIT_MS = 10_000

/** Its stream closes in the transaction of its end. Gives up when whoever waits has gone or time is over. */
export async function waitUntilFinished(app: App, { id, orgId }: RunKey, gone: AbortSignal): Promise<void> {
  const enough = AbortSignal.any([gone, AbortSignal.timeout(WAIT_MS)])
  for await (const _event of follow(app, orgId, id, Number.MAX_SAFE_INTEGER, enough)) {
    // Nothing is as late as that: only the end is waited for.
  }
}

/** One that was cancelled a moment ago is waited for. */
export async function deleteResearch(app: App, actor: Actor, id: string, request: RequestInfo) {
  const { orgId } = actor
  const run = await app.db.tx(orgId, (tx) => requireEditableRun(tx, actor, id))
  if (run.status === 'cancelled' && run.finishedAt === null) await waitUntilFinished(app, run, request.gone)
  return app.db.tx(orgId, async (tx) => {
    await requireEditableRun(tx, actor, id)
    const locked = await lockRun(tx, orgId, id)
    if (!locked) throw new ApiError('not_found')
    if (locked.finishedAt === null) throw new ApiError('research_running')
    await deleteRun(tx, orgId, id)
    await deleteStream(tx, id)
    await record(tx, { orgId, actor, ip: request.address, action: 'research.delete', target: id })
    return { ok: true as const }
  })
}
