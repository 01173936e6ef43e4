// Common end of every security change of an account, and its mail.
import { record } from '../audit/audit.ts'
import { rotateSession } from '../identity/identity.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { plainMail } from '../platform/mail/mail.ts'

export type SecurityChange = {
  action: string
  target: string
  metadata: object
  /** Subject and text of the mail. */
  subject: string
  message: string
}

/** Rotates the session cookie, mails the owner and writes the audit log. */
export async function completeSecurityChange(
  app: App,
  tx: Tx,
  actor: Actor,
  request: RequestInfo,
  { action, target, metadata, subject, message }: SecurityChange,
): Promise<void> {
  await rotateSession(app, tx, actor, request)
  await sendSecurityMail(app, tx, actor.email, subject, message)
  await record(tx, { orgId: actor.orgId, actor, ip: request.address, action, target, metadata })
}

const IF_NOT_YOU =
  'If this was not you, change your password now. Then end the sessions, and remove the passkeys and the GitHub account, that you do not know.'

/** Always sent to the address of the account. */
export const sendSecurityMail = (
  app: App,
  tx: Tx,
  to: string,
  subject: string,
  message: string,
): Promise<void> =>
  app.mail.send(tx, {
    to,
    ...plainMail(subject, [message, IF_NOT_YOU], {
      label: 'See your sessions',
      url: `${app.config.baseUrl}/app/sessions`,
    }),
  })
