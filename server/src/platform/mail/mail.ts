// The public API of mail.
import type { Config } from '../config.ts'
import { enqueue } from '../jobs/jobs.ts'
import type { Secrets } from '../secrets.ts'
import { SEND, type SealedMail } from './jobs.ts'
import type { LanguageOf, Mailer } from './mailer.ts'
import { checkMail } from './message.ts'
import { openSmtp, type SmtpTimeouts } from './smtp.ts'
import { renderMail } from './template.ts'

export { mailFigures, mailJobs } from './jobs.ts'
export type { MailButton, MailContent, MailMessage } from './message.ts'
export { listMails } from './sql.ts'
export { plainMail, withoutAutoLinks } from './template.ts'

/** Without `smtpUrl`, mails are captured in the development outbox. `languageOf` reads the language of a recipient. */
export function createMail(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  secrets: Secrets,
  languageOf: LanguageOf,
  times?: SmtpTimeouts,
): Mailer {
  const smtp = smtpUrl === null ? null : openSmtp(smtpUrl, mailFrom, times)
  return {
    async send(tx, message) {
      checkMail({ to: message.to, ...renderMail(message) })
      const { to, subject, paragraphs, button, other } = message
      const json = JSON.stringify({ to, subject, paragraphs, button, other })
      const sealed: SealedMail = { sealed: secrets.seal(json, SEND) }
      await enqueue(tx, SEND, sealed)
    },
    languageOf,
    smtp,
    close: () => smtp?.close(),
  }
}
