// What an organisation wrote is removed after it was closed, wherever it is kept.
import { assert } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import { shareOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { job } from '../platform/jobs/jobs.ts'

export const REMOVE_CONTENT = 'governance.removeContent'

/** Calls that were let in a moment before the end may write for as long as a call takes; what they wrote goes then. */
export const LATE_WRITE_DELAY = { days: 1 }

/** Tried for weeks: a place that cannot be reached today may be back by then. After that it stays for inspection. */
export const removeContentJob = job<{ orgId: OrgId }>(REMOVE_CONTENT, {
  attempts: 100,
  backoff: { firstMs: 5_000, maxMs: 6 * 3_600_000 },
  timeoutMs: 10 * 60_000,
  slow: true,
  run: (app, { payload }) => removeOrgContent(app, payload.orgId),
})

async function removeOrgContent(app: App, orgId: OrgId): Promise<void> {
  const { closed } = await app.db.tx('platform', (tx) => shareOrg(tx, orgId))
  assert(closed, 'only the content of a closed organisation is removed')
  await app.content.deleteContent(orgId)
  for (const owned of app.tenantData) await owned.erase?.(app, orgId)
}
