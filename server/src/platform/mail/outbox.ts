// The development outbox: where mails can be read when no mail server is configured.
import type { Db } from '../db/tx.ts'
import type { OutboxMail } from './schema.ts'
import { listMails } from './sql.ts'

/** The newest mails to an address, the newest first. */
export const outbox = (db: Db, to: string): Promise<OutboxMail[]> => listMails(db.direct, to)
