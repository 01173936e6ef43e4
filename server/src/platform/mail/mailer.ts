// The mail interface of the app.
import type { Tx } from '../db/tx.ts'
import type { MailMessage } from './message.ts'
import type { SmtpClient } from './smtp.ts'

export type Mailer = {
  /** Enqueues the mail. It is sent after the transaction commits, and never when it rolls back. */
  send(tx: Tx, message: MailMessage): Promise<void>
  /** The SMTP client; null when mails are captured in the development outbox. */
  readonly smtp: SmtpClient | null
  /** Closes the connections after the mails in progress. */
  close(): void
}
