// Suspends and reinstates organisations. A suspended organisation can read but not spend. Every request and every loop
// iteration reads the state from the database, so it applies everywhere once committed.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { lockOrg, type Org, setSuspension } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type MailButton, type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { listOrgContacts, requireOutsider } from '../../teams/teams.ts'

const CONTACTS_MAX = 20

export function suspend(app: App, actor: Actor, orgId: OrgId, input: string | undefined, ip: string) {
  const reason = input?.trim() || null
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

/** A concurrent call waits for the lock and sees the change. */
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

const suspendedMail = (app: App, orgName: string, reason: string | null): MailContent =>
  plainMail(
    'Your organisation is suspended',
    [
      `${withoutAutoLinks(orgName)} cannot start paid work for now. Runs, chats, API calls and purchases are refused.`,
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      'You can still sign in, read and export your data. You keep your balance, pending payments are still credited, and no renewal is charged during the suspension.',
      'If you think this is a mistake, contact our support.',
    ],
    toApp(app),
  )

const reinstatedMail = (app: App, orgName: string): MailContent =>
  plainMail(
    'Your organisation is no longer suspended',
    [
      `${withoutAutoLinks(orgName)} can start paid work again with its current balance.`,
      'A plan whose renewal was due during the suspension is renewed now at your existing price. Days without service are not charged.',
    ],
    toApp(app),
  )

const toApp = (app: App): MailButton => ({ label: 'Open Cowrie', url: `${app.config.baseUrl}/app` })
