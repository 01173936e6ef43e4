// SQL for staff invitations.
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { StaffTier } from '../../platform/http/actor.ts'

export type NewInvite = {
  id: Id<'oin'>
  email: string
  role: StaffTier
  tokenHash: Uint8Array
  invitedBy: UserId
  expiresAt: Date
}
export type Invite = { id: Id<'oin'>; email: string; role: StaffTier }
export type ListedInvite = Invite & { expiresAt: Date; createdAt: Date; invitedByEmail: string | null }

/** Invitations that can still be accepted, newest first. */
export function listOpenInvites(db: Sql, now: Date): Promise<ListedInvite[]> {
  return db.rows<ListedInvite>`
    select i.id, i.email, i.role, i.expires_at as "expiresAt", i.created_at as "createdAt",
           u.email as "invitedByEmail"
    from staff_invites i left join user_profiles u on u.id = i.invited_by
    where i.used_at is null and i.revoked_at is null and i.expires_at > ${now}
    order by i.created_at desc, i.id desc`
}

export async function insertInvite(tx: Tx, invite: NewInvite): Promise<void> {
  await tx.rows`
    insert into staff_invites (id, email, role, token_hash, invited_by, created_at, expires_at)
    values (${invite.id}, ${invite.email}, ${invite.role}, ${invite.tokenHash}, ${invite.invitedBy},
            ${tx.now}, ${invite.expiresAt})`
}

export function findInvite(db: Sql, tokenHash: Uint8Array, now: Date) {
  return db.maybe<Invite>`
    select id, email, role from staff_invites
    where token_hash = ${tokenHash} and used_at is null and revoked_at is null and expires_at > ${now}`
}

/** Of concurrent calls exactly one succeeds. */
export function consumeInvite(tx: Tx, tokenHash: Uint8Array) {
  return tx.maybe<Invite>`
    update staff_invites set used_at = ${tx.now}
    where token_hash = ${tokenHash} and used_at is null and revoked_at is null and expires_at > ${tx.now}
    returning id, email, role`
}

export function revokeInvite(tx: Tx, id: string) {
  return tx.maybe<Invite>`
    update staff_invites set revoked_at = ${tx.now}
    where id = ${id} and used_at is null and revoked_at is null and expires_at > ${tx.now}
    returning id, email, role`
}

/** Revokes all open invitations to this address, including expired ones. */
export async function revokeInvitesTo(tx: Tx, email: string): Promise<void> {
  await tx.rows`
    update staff_invites set revoked_at = ${tx.now}
    where email = ${email} and used_at is null and revoked_at is null`
}
