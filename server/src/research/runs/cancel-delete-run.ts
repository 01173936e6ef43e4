// Cancels and deletes runs. A cancelled run starts no further work; the dispatched turn is finished and charged.

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

/** A repeated cancel waits for the running turn like the first. */
async function isCancelling(tx: Tx, orgId: OrgId, id: string): Promise<boolean> {
  const locked = await lockRun(tx, orgId, id)
  return locked?.status === 'cancelled' && locked.finishedAt === null
}

/** Returns the run when it is finished, or after the wait limit. */
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

// Shorter than the request timeout. The client can read the run again.
const WAIT_MS = 10_000

/**
 * The stream closes in the transaction that finishes the run. Returns early if the client disconnects or the wait
 * limit is over.
 */
export async function waitUntilFinished(app: App, { id, orgId }: RunKey, gone: AbortSignal): Promise<void> {
  const enough = AbortSignal.any([gone, AbortSignal.timeout(WAIT_MS)])
  for await (const _event of follow(app, orgId, id, Number.MAX_SAFE_INTEGER, enough)) {
    // No event has this number; the loop ends when the stream closes.
  }
}

/**
 * Deletes a finished run with its pages and events; the files of the report stay. Waits for a run that was just
 * cancelled.
 */
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
