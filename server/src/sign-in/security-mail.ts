// Mails that tell people what has changed about how one gets into their account.
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { plain } from '../platform/mail/mail.ts'

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
