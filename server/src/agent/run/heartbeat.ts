// While a process works on a run it says so: in the row, so that the run does not count as dead, and under the key, so that
// a long run does not reach the key's outer bound.
import type { OrgId } from '../../kernel/ids.ts'
import { RENEW_MS } from '../../kernel/lease.ts'
import type { App } from '../../platform/app.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { type AgentRunId, recordHeartbeat } from '../sql.ts'

/** Whoever gets the timer clears it. */
export function startHeartbeat(app: App, orgId: OrgId, id: AgentRunId, once: Once): NodeJS.Timeout {
  return setInterval(() => {
    Promise.all([app.db.tx(orgId, (tx) => recordHeartbeat(tx, orgId, id)), once.renew()]).catch((error) =>
      app.log.warn({ err: error, runId: id }, 'agent.heartbeat.record_failed'),
    )
  }, RENEW_MS).unref()
}
