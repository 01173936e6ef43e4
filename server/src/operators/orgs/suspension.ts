// Suspension: the organisation may read and not spend. Every request, and every iteration of a loop, reads it from the
// database, so a suspension applies everywhere once it is committed.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { lockOrg, type Org, setSuspension } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { MailContent } from '../../platform/mail/mail.ts'
import { listOrgContacts, requireOutsider } from '../../teams/teams.ts'
import { reinstatedMail, suspendedMail } from './suspension-mails.ts'

const CONTACTS_MAX = 20

export function suspend(app: App, actor: Actor, orgId: OrgId, given: string | undefined, ip: string) {
  const reason = given?.trim() || null
  return app.db.tx('platform', async (tx) => {
    const { name, suspended } = await lockOrgAsOutsider(tx, actor, orgId)
    if (!suspended) {
      await setSuspension(tx, orgId, { by: actor.userId, reason })
      await mailContacts(app, tx, orgId, suspendedMail(app, name, reason))
      await recordSuspension(tx, actor, orgId, ip, 'org.suspend', { reason })
    }
    return { ok: true as const, orgId, suspended: true, changed: !suspended }
  })
}

export function unsuspend(app: App, actor: Actor, orgId: OrgId, ip: string) {
  return app.db.tx('platform', async (tx) => {
    const { name, suspended, suspendedReason } = await lockOrgAsOutsider(tx, actor, orgId)
    if (suspended) {
      await setSuspension(tx, orgId, null)
      await mailContacts(app, tx, orgId, reinstatedMail(app, name))
      await recordSuspension(tx, actor, orgId, ip, 'org.unsuspend', { suspendedFor: suspendedReason })
    }
    return { ok: true as const, orgId, suspended: false, changed: suspended }
  })
}

/** Of two concurrent calls the second waits and sees the change of the first. */
async function lockOrgAsOutsider(tx: Tx, actor: Actor, orgId: OrgId): Promise<Org> {
  const org = await lockOrg(tx, orgId)
  if (!org || org.closed) throw new ApiError('not_found')
  await requireOutsider(tx, actor, orgId)
  return org
}

async function mailContacts(app: App, tx: Tx, orgId: OrgId, content: MailContent): Promise<void> {
  for (const { email: to } of await listOrgContacts(tx, [orgId], CONTACTS_MAX))
    await app.mail.send(tx, { to, ...content })
}

const recordSuspension = (
  tx: Tx,
  actor: Actor,
  orgId: OrgId,
  ip: string,
  action: string,
  metadata: object,
): Promise<void> => record(tx, { orgId, actor, as: 'operator', ip, action, target: orgId, metadata })
