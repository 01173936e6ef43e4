// Public API of push notifications. A message is stored in the transaction of the fact; a job sends it after the commit.
import { present } from '../kernel/assert.ts'
import { newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueue, type JobKind, job } from '../platform/jobs/jobs.ts'
import { type SendPayload, sendMessage, type TitleReader } from './deliver.ts'
import { insertMessage } from './sql.ts'
import type { NoticeData } from './types.ts'

export type { TitleReader } from './deliver.ts'
export type { NoticeData } from './types.ts'

export const SEND_JOB = 'push.send'
// Fewer than workers, so that a slow push service does not block other organisations.
const PER_ORG = 2

export type Notice = {
  readonly orgId: OrgId
  /** The only person who is notified. */
  readonly userId: UserId
  readonly data: NoticeData
}

/** Notifies a person if the transaction commits. Costs one statement where no browser wants it, and locks no existing rows. */
export async function notify(tx: Tx, { orgId, userId, data }: Notice, jobName = SEND_JOB): Promise<void> {
  const id = newId('pmg', tx.now.getTime())
  if (await insertMessage(tx, orgId, { id, userId, data }))
    await enqueue(tx, jobName, { messageId: id } satisfies SendPayload, { org: orgId, key: id })
}

/** A job that sends messages. The module of the fact declares its own where a message has a title that only it can read. */
export const pushJob = (name: string, readTitle: TitleReader | null = null): JobKind<never> =>
  job<SendPayload>(name, {
    perOrg: PER_ORG,
    pool: 'webhooks',
    run: (app, { payload, org, signal }) =>
      sendMessage(
        app,
        present(org, 'a message belongs to an organisation'),
        { messageId: payload.messageId, jobName: name },
        readTitle,
        signal,
      ),
  })
