// What every change of how one gets into an account ends with.
import { record } from '../audit/audit.ts'
import { rotateSession } from '../identity/identity.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { plain } from '../platform/mail/mail.ts'

export type SecurityChange = {
  action: string
  target: string
  metadata: object
  /** The mail about it: its subject, and what has happened. */
  subject: string
  message: string
}

/** A new cookie for the one who made it, a mail to the owner of the account, and an entry in the record. */
export async function completeSecurityChange(
  app: App,
  tx: Tx,
  actor: Actor,
  request: RequestInfo,
  { action, target, metadata, subject, message: what }: SecurityChange,
): Promise<void> {
  await rotateSession(app, tx, actor, request)
  await sendSecurityMail(app, tx, actor.email, subject, what)
  await record(tx, { orgId: actor.orgId, actor, ip: request.address, action, target, metadata })
}

const IF_NOT_YOU =
  'If this was not you, change your password now, and end the sessions and remove the passkeys you do not know.'

/** Always to the address of the account, whoever made the change. */
export const sendSecurityMail = (
  app: App,
  tx: Tx,
  to: string,
  subject: string,
  message: string,
): Promise<void> =>
  app.mail.send(tx, {
    to,
    ...plain(subject, [message, IF_NOT_YOU], {
      label: 'See your sessions',
      url: `${app.config.baseUrl}/app/sessions`,
    }),
  })
