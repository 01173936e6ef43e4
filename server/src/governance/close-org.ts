// The end of an organisation, asked for by its owner: nobody comes in any more and what it wrote is removed. What its money
// did stays on the books: ledger, payments, invoices, usage and the record of who did what.
import { record } from '../audit/audit.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { markClosed } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { plainMail, withoutAutoLinks } from '../platform/mail/mail.ts'
import { listOrgContacts, withTeamLock } from '../teams/teams.ts'
import { LATE_WRITE_DELAY, REMOVE_CONTENT } from './close-jobs.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'

export type ClosureInput = {
  confirm: string
  forfeitMinor?: bigint | undefined
  forfeitPlan?: string | undefined
}

/** All or nothing, in one transaction under the lock of the organisation. */
export async function closeOrg(app: App, actor: Actor, orgId: OrgId, wanted: ClosureInput, ip: string) {
  requireFreshSignIn(app, actor)
  const { forfeitMinor = null, forfeitPlan = null } = wanted
  const closing: OrgClosure = { orgId, by: actor, forfeitMinor, forfeitPlan }
  return withTeamLock(app, actor, orgId, 'owner', async (tx, { org }) => {
    if (wanted.confirm !== org.name)
      throw invalidFields({ path: 'confirm', message: 'must be the exact name of the organisation' })
    await requireClosable(app, tx, closing)
    await notifyContacts(app, tx, closing, org.name)
    for (const owned of app.tenantData) await owned.close?.(app, tx, closing)
    await markClosed(tx, orgId)
    await enqueue(tx, REMOVE_CONTENT, { orgId }, { org: orgId, key: 'now' })
    await enqueue(tx, REMOVE_CONTENT, { orgId }, { org: orgId, key: 'later', after: LATE_WRITE_DELAY })
    const metadata = { name: org.name, forfeitMinor: forfeitMinor ?? 0n, forfeitPlan }
    await record(tx, { orgId, actor, ip, action: 'org.close', target: orgId, metadata })
    return { ok: true as const, closedAt: tx.now }
  })
}

/** All reasons at once: whoever has to do several things first learns of them together. */
async function requireClosable(app: App, tx: Tx, closing: OrgClosure): Promise<void> {
  const reasons: string[] = []
  for (const owned of app.tenantData) {
    const reason = await owned.mayClose?.(app, tx, closing)
    if (reason) reasons.push(reason)
  }
  if (reasons.length > 0) throw new ApiError('org_not_closable', { reasons })
}

// Owners and admins; the others notice when they come.
const RECIPIENTS_MAX = 50

async function notifyContacts(app: App, tx: Tx, { orgId, by }: OrgClosure, name: string): Promise<void> {
  const told = await listOrgContacts(tx, [orgId], RECIPIENTS_MAX)
  const content = plainMail(`${withoutAutoLinks(name)} was closed on Cowrie`, [
    `${by.email} has closed the organisation “${withoutAutoLinks(name)}”. Nobody can use it any more, and its content is being removed.`,
    'Your account stays as it is. If this should not have happened, write to support.',
  ])
  for (const { email } of told.filter((each) => each.email !== by.email))
    await app.mail.send(tx, { to: email, ...content })
}
