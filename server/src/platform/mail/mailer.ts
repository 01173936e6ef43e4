// The mail interface of the app.
import type { Sql, Tx } from '../db/tx.ts'
import type { Language } from '../texts/language.ts'
import type { MailMessage } from './message.ts'
import type { SmtpClient } from './smtp.ts'

/** The language of the account with this address; null if there is none, or none was chosen. */
export type LanguageOf = (sql: Sql, email: string) => Promise<Language | null>

export type Mailer = {
  /** Enqueues the mail. It is sent after the transaction commits, and never when it rolls back. */
  send(tx: Tx, message: MailMessage): Promise<void>
  readonly languageOf: LanguageOf
  /** The SMTP client; null when mails are captured in the development outbox. */
  readonly smtp: SmtpClient | null
  /** Closes the connections after the mails in progress. */
  close(): void
}
