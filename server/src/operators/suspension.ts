// Suspension: an organisation that may read and not spend. The door asks the database at every request and a loop before
// every iteration, so it counts everywhere as soon as it is committed.
import { record } from '../audit/audit.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Content } from '../platform/mail/mail.ts'
import { requireOutsider, toldOf } from '../teams/teams.ts'
import { reinstatedMail, suspendedMail } from './suspension-mails.ts'
import * as sql from './suspension-sql.ts'

const TOLD_MAX = 20

export function suspend(app: App, actor: Actor, orgId: OrgId, given: string | undefined, ip: string) {
  const reason = given?.trim() || null
  return app.db.tx('platform', async (tx) => {
    const { name, isSuspended } = await lockOther(tx, actor, orgId)
    if (!isSuspended) {
      await sql.suspendOrg(tx, orgId, actor.userId, reason)
      await tell(app, tx, orgId, suspendedMail(app, name, reason))
      await note(tx, actor, orgId, ip, 'org.suspend', { reason })
    }
    return { ok: true as const, orgId, suspended: true, changed: !isSuspended }
  })
}

export function unsuspend(app: App, actor: Actor, orgId: OrgId, ip: string) {
  return app.db.tx('platform', async (tx) => {
    const { name, isSuspended, reason } = await lockOther(tx, actor, orgId)
    if (isSuspended) {
      await sql.reinstateOrg(tx, orgId)
      await tell(app, tx, orgId, reinstatedMail(app, name))
      await note(tx, actor, orgId, ip, 'org.unsuspend', { suspendedFor: reason })
    }
    return { ok: true as const, orgId, suspended: false, changed: isSuspended }
  })
}

/** Held until the transaction ends: of two at once the second finds what the first has done. */
async function lockOther(tx: Tx, actor: Actor, orgId: OrgId): Promise<sql.Standing> {
  const standing = await sql.lockStanding(tx, orgId)
  if (!standing) throw new ApiError('not_found')
  await requireOutsider(tx, actor, orgId)
  return standing
}

async function tell(app: App, tx: Tx, orgId: OrgId, content: Content): Promise<void> {
  for (const { email: to } of await toldOf(tx, [orgId], TOLD_MAX)) await app.mail.send(tx, { to, ...content })
}

const note = (
  tx: Tx,
  actor: Actor,
  orgId: OrgId,
  ip: string,
  action: string,
  metadata: object,
): Promise<void> => record(tx, { orgId, actor, as: 'operator', ip, action, target: orgId, metadata })
