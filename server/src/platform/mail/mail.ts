// The public API of mail.
import type { Config } from '../config.ts'
import { enqueue } from '../jobs/jobs.ts'
import type { Secrets } from '../secrets.ts'
import { SEND, type SealedMail } from './jobs.ts'
import type { Mailer } from './mailer.ts'
import { checkMessage } from './message.ts'
import { openSmtp, type SmtpTimeouts } from './smtp.ts'

export { mailJobs } from './jobs.ts'
export type { MailContent, MailMessage } from './message.ts'
export { listMails } from './sql.ts'
export { type MailButton, plainMail, withoutAutoLinks } from './template.ts'

/** Without `smtpUrl`, mails are captured in the development outbox. */
export function createMail(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  secrets: Secrets,
  times?: SmtpTimeouts,
): Mailer {
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
