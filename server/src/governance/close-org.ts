// Closes an organisation for its owner: ends all access and deletes its content. The records of its money stay: ledger,
// payments, invoices, usage and audit log.
import { record } from '../audit/audit.ts'
import { assert } from '../kernel/assert.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { markClosed, shareOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { enqueue, job } from '../platform/jobs/jobs.ts'
import { plainMail, withoutAutoLinks } from '../platform/mail/mail.ts'
import { listOrgContacts, withTeamLock } from '../teams/teams.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'

const REMOVE_CONTENT = 'governance.removeContent'

/** Requests that started before the closure may still write. A second run of the job deletes their content. */
const LATE_WRITE_DELAY = { days: 1 }

export type ClosureInput = {
  confirm: string
  forfeitMinor?: bigint | undefined
  forfeitPlan?: string | undefined
}

/** One transaction that holds the lock of the organisation. */
export async function closeOrg(app: App, actor: Actor, orgId: OrgId, input: ClosureInput, ip: string) {
  requireFreshSignIn(app, actor)
  const { forfeitMinor = null, forfeitPlan = null } = input
  const closure: OrgClosure = { orgId, by: actor, forfeitMinor, forfeitPlan }
  return withTeamLock(app, actor, orgId, 'owner', async (tx, { org }) => {
    if (input.confirm !== org.name)
      throw invalidFields({ path: 'confirm', message: 'must be the exact name of the organisation' })
    await requireClosable(app, tx, closure)
    await notifyContacts(app, tx, closure, org.name)
    for (const data of app.tenantData) await data.close?.(app, tx, closure)
    await markClosed(tx, orgId)
    await enqueue(tx, REMOVE_CONTENT, { orgId }, { org: orgId, key: 'now' })
    await enqueue(tx, REMOVE_CONTENT, { orgId }, { org: orgId, key: 'later', after: LATE_WRITE_DELAY })
    const metadata = { name: org.name, forfeitMinor: forfeitMinor ?? 0n, forfeitPlan }
    await record(tx, { orgId, actor, ip, action: 'org.close', target: orgId, metadata })
    return { ok: true as const, closedAt: tx.now }
  })
}

/** Throws `org_not_closable` with all reasons at once. */
async function requireClosable(app: App, tx: Tx, closure: OrgClosure): Promise<void> {
  const reasons: string[] = []
  for (const data of app.tenantData) {
    const reason = await data.mayClose?.(app, tx, closure)
    if (reason) reasons.push(reason)
  }
  if (reasons.length > 0) throw new ApiError('org_not_closable', { reasons })
}

// Owners and admins only.
const RECIPIENTS_MAX = 50

async function notifyContacts(app: App, tx: Tx, { orgId, by }: OrgClosure, name: string): Promise<void> {
  const contacts = await listOrgContacts(tx, [orgId], RECIPIENTS_MAX)
  const content = plainMail(`${withoutAutoLinks(name)} was closed on Cowrie`, [
    `${by.email} has closed the organisation “${withoutAutoLinks(name)}”. It can no longer be used, and its content is being deleted.`,
    'Your account does not change. If this was a mistake, contact support.',
  ])
  for (const { email } of contacts.filter((each) => each.email !== by.email))
    await app.mail.send(tx, { to: email, ...content })
}

/** Retried for weeks, because a database may be unreachable for long. After that the job stays for inspection. */
export const removeContentJob = job<{ orgId: OrgId }>(REMOVE_CONTENT, {
  attempts: 100,
  backoff: { firstMs: 5_000, maxMs: 6 * 3_600_000 },
  timeoutMs: 10 * 60_000,
  slow: true,
  run: (app, { payload }) => removeOrgContent(app, payload.orgId),
})

async function removeOrgContent(app: App, orgId: OrgId): Promise<void> {
  const { closed } = await app.db.tx('platform', (tx) => shareOrg(tx, orgId))
  assert(closed, 'content is deleted only for a closed organisation')
  await app.content.deleteContent(orgId)
  for (const data of app.tenantData) await data.erase?.(app, orgId)
}
