// Mail: all that the rest of the server may do with it.
import type { Config } from '../config.ts'
import type { Tx } from '../db/tx.ts'
import { enqueue } from '../jobs/jobs.ts'
import type { Secrets } from '../secrets.ts'
import { SEND, type SealedMail } from './jobs.ts'
import { checkMessage, type MailMessage } from './message.ts'
import { openSmtp, type SmtpClient, type SmtpTimeouts } from './smtp.ts'

export { mailJobs } from './jobs.ts'
export type { MailContent, MailMessage } from './message.ts'
export { outbox } from './outbox.ts'
export { type MailButton, plainMail } from './template.ts'
export { withoutAutoLinks } from './templates/unlinked.ts'

export type Mail = {
  /** Sends the mail once the transaction has committed, and never when it rolls back. */
  send(tx: Tx, message: MailMessage): Promise<void>
  /** How mails leave; null where they are kept in the development outbox instead. */
  readonly smtp: SmtpClient | null
  /** Gives the connections back; a mail that is on its way still leaves. */
  close(): void
}

/** Without `smtpUrl` no mail leaves: see `smtp`. */
export function createMail(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  secrets: Secrets,
  times?: SmtpTimeouts,
): Mail {
  const smtp = smtpUrl === null ? null : openSmtp(smtpUrl, mailFrom, times)
  return {
    async send(tx, message) {
      const sealed: SealedMail = { sealed: secrets.seal(JSON.stringify(checkMessage(message)), SEND) }
      await enqueue(tx, SEND, sealed)
    },
    smtp,
    close: () => smtp?.close(),
  }
}
