// Mails that tell people what has changed about how one gets into their account.
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { plain } from '../platform/mail/mail.ts'

const IF_NOT_YOU = 'If this was not you, change your password and end the sessions you do not know now.'

/** Always to the address of the account, whoever made the change. */
export const sendSecurityMail = (
  app: App,
  tx: Tx,
  to: string,
  subject: string,
  what: string,
  otherwise = IF_NOT_YOU,
): Promise<void> =>
  app.mail.send(tx, {
    to,
    ...plain(subject, [what, otherwise], {
      label: 'See your sessions',
      url: `${app.config.baseUrl}/app/sessions`,
    }),
  })
