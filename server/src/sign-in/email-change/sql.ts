// SQL of changes of an address.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type EmailChange = {
  userId: UserId
  oldEmail: string
  newEmail: string
  requestedAt: Date
}

export async function insertChange(
  tx: Tx,
  change: Omit<EmailChange, 'requestedAt'> & {
    id: Id<'emc'>
    confirmHash: Uint8Array
    cancelHash: Uint8Array
    expiresAt: Date
    revertUntil: Date
  },
): Promise<void> {
  await tx.rows`
    insert into email_changes (id, user_id, old_email, new_email, confirm_hash, cancel_hash, state,
                               requested_at, expires_at, revert_until)
    values (${change.id}, ${change.userId}, ${change.oldEmail}, ${change.newEmail},
            ${change.confirmHash}, ${change.cancelHash}, 'pending', ${tx.now}, ${change.expiresAt}, ${change.revertUntil})`
}

/** Whether a change was pending. */
export async function endPending(tx: Tx, user: UserId, state: 'replaced' | 'closed'): Promise<boolean> {
  const rows = await tx.rows<{ isOpen: boolean }>`
    update email_changes set state = ${state} where user_id = ${user} and state = 'pending'
    returning expires_at > ${tx.now} as "isOpen"`
  return rows.some(({ isOpen }) => isOpen)
}

/**
 * After an undo no link of the same mailbox or of a later change works. The mailboxes before keep theirs: otherwise a thief could
 * close them with a second change.
 */
export async function closeSince(
  tx: Tx,
  { userId, oldEmail, requestedAt }: Pick<EmailChange, 'userId' | 'oldEmail' | 'requestedAt'>,
): Promise<void> {
  await tx.rows`
    update email_changes set state = 'closed'
    where user_id = ${userId} and state <> 'closed' and (requested_at >= ${requestedAt} or old_email = ${oldEmail})`
}

export function findByConfirmation(tx: Tx, hash: Uint8Array) {
  return tx.maybe<EmailChange>`
    select user_id as "userId", old_email as "oldEmail", new_email as "newEmail", requested_at as "requestedAt"
    from email_changes where confirm_hash = ${hash} and state = 'pending' and expires_at > ${tx.now}`
}

/** False when another call has decided the change. */
export async function markDone(
  tx: Tx,
  confirmHash: Uint8Array,
  undoHash: Uint8Array,
  revertUntil: Date,
): Promise<boolean> {
  const rows = await tx.rows`
    update email_changes set state = 'done', undo_hash = ${undoHash}, revert_until = ${revertUntil}
    where confirm_hash = ${confirmHash} and state = 'pending' and expires_at > ${tx.now} returning id`
  return rows.length === 1
}

/** By a link of the old mailbox. */
export function findByRevert(tx: Tx, hash: Uint8Array) {
  return tx.maybe<EmailChange>`
    select user_id as "userId", old_email as "oldEmail", new_email as "newEmail", requested_at as "requestedAt"
    from email_changes
    where (cancel_hash = ${hash} or undo_hash = ${hash}) and state <> 'closed' and revert_until > ${tx.now}`
}

export async function sweepEmailChanges(db: Sql, endedBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from email_changes where id in (
      select id from email_changes where revert_until < ${endedBefore} limit ${most}) returning id`
  return deleted.length
}

/** Not those that only invited the person. In one order. */
export async function joinedOrgs(tx: Tx, user: UserId): Promise<OrgId[]> {
  const rows = await tx.rows<{ orgId: OrgId }>`
    select org_id as "orgId" from org_members where user_id = ${user} and invited_at is null order by org_id`
  return rows.map(({ orgId }) => orgId)
}
