// Stops a run or loop that may run on any replica: the request is stored, and the replica that works on it is notified.
import { setTimeout as pause } from 'node:timers/promises'
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasRole } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { readRun } from '../history.ts'
import * as sql from '../sql.ts'
import { STOP_TOPIC } from './lifecycle.ts'

/** Returns the run when it is over, or after the wait limit. */
export async function stopRun(app: App, actor: Actor, id: string, request: RequestInfo) {
  await app.db.tx(actor.orgId, (tx) => requestStop(tx, actor, id, request))
  await waitUntilOver(app, actor, id, request.gone)
  return readRun(app, actor, id)
}

async function requestStop(tx: Tx, actor: Actor, id: string, request: RequestInfo): Promise<void> {
  const { orgId } = actor
  const run = await sql.findStoppableRun(tx, orgId, id)
  if (!run) throw new ApiError('not_found')
  if (run.userId !== actor.userId && !hasRole(actor.role, 'admin')) throw new ApiError('forbidden')
  if (run.isStopRequested) return
  if (!(await sql.requestStop(tx, orgId, id))) throw new ApiError('run_finished')
  await record(tx, { orgId, actor, ip: request.address, action: 'agent.stop', target: id })
  tx.notify(STOP_TOPIC, id)
}

// Shorter than the request timeout. The client can read the run again.
const WAIT_MS = 10_000
const LOOK_MS = 50
const LOOK_MS_MAX = 800

async function waitUntilOver(app: App, { orgId }: Actor, id: string, gone: AbortSignal): Promise<void> {
  const enough = AbortSignal.any([gone, AbortSignal.timeout(WAIT_MS)])
  for (let waitMs = LOOK_MS; !enough.aborted; waitMs = Math.min(waitMs * 2, LOOK_MS_MAX)) {
    const run = await app.db.tx(orgId, (tx) => sql.findStoppableRun(tx, orgId, id))
    if (run?.status !== 'running') return
    await pause(waitMs, undefined, { signal: enough }).catch(() => undefined)
  }
}
