// Sends mail, as the app carries it.
import type { Tx } from '../db/tx.ts'
import type { MailMessage } from './message.ts'
import type { SmtpClient } from './smtp.ts'

export type Mailer = {
  /** Sends the mail once the transaction has committed, and never when it rolls back. */
  send(tx: Tx, message: MailMessage): Promise<void>
  /** How mails leave; null where they are kept in the development outbox instead. */
  readonly smtp: SmtpClient | null
  /** Gives the connections back; a mail that is on its way still leaves. */
  close(): void
}
