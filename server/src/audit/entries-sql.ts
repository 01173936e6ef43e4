// SQL for audit entries.
import type { OrgId, UserId } from '../kernel/ids.ts'
import { json, type Tx } from '../platform/db/tx.ts'

export type ActorKind = 'user' | 'key' | 'operator' | 'system'

export type Entry = {
  id: string
  orgId: OrgId | null
  actorUserId: UserId | null
  actorEmail: string | null
  actorKind: ActorKind
  action: string
  target: string | null
  metadata: Record<string, unknown>
  ip: string | null
  createdAt: Date
  seq: bigint
  hash: string
  prevHash: string
}
export type NewEntry = Omit<Entry, 'createdAt' | 'seq' | 'hash' | 'prevHash'>

type Row = {
  id: string
  org_id: OrgId | null
  actor_user_id: UserId | null
  actor_email: string | null
  actor_kind: ActorKind
  action: string
  target: string | null
  metadata: Record<string, unknown>
  ip: string | null
  created_at: Date
  seq: bigint
  hash: string
  prev_hash: string
}

/** A database trigger sets the seq and the hash, and keeps the time of a chain monotonic. */
export async function append(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.rows`
    insert into audit_entries (id, org_id, actor_kind, actor_user_id, actor_email, action, target, metadata, ip, created_at)
    values (${entry.id}, ${entry.orgId}, ${entry.actorKind}, ${entry.actorUserId}, ${entry.actorEmail}, ${entry.action},
            ${entry.target}, ${json(entry.metadata)}, ${entry.ip}, ${tx.now})`
}

export type EntryFilter = {
  action: string | null
  /** A user id, or an email address in lower case. */
  actor: string | null
  from: Date
  /** Exclusive. */
  until: Date
}
/** The last row of the previous page. */
export type AuditCursor = { createdAt: Date; seq: bigint; id: string }

/** The entries of one organisation, newest first. */
export async function listChain(
  tx: Tx,
  orgId: OrgId,
  filter: EntryFilter,
  before: AuditCursor,
  limit: number,
): Promise<Entry[]> {
  const rows = await tx.rows<Row>`
    select id, org_id, actor_user_id, actor_email, actor_kind, action, target, metadata, ip, created_at, seq, hash, prev_hash
    from audit_entries
    where chain = ${orgId}
      and (${filter.action}::text is null or action = ${filter.action} or starts_with(action, ${filter.action} || '.'))
      and (${filter.actor}::text is null or actor_user_id = ${filter.actor} or actor_email = ${filter.actor})
      and created_at >= ${filter.from} and created_at < ${filter.until}
      and (created_at, seq) < (${before.createdAt}, ${before.seq}::bigint)
    order by created_at desc, seq desc limit ${limit}`
  return rows.map(toEntry)
}

/** The entries of all chains, newest first. Needs the platform scope. */
export async function listAll(
  tx: Tx,
  filter: EntryFilter,
  before: AuditCursor,
  limit: number,
): Promise<Entry[]> {
  const rows = await tx.rows<Row>`
    select id, org_id, actor_user_id, actor_email, actor_kind, action, target, metadata, ip, created_at, seq, hash, prev_hash
    from audit_entries
    where (${filter.action}::text is null or action = ${filter.action} or starts_with(action, ${filter.action} || '.'))
      and (${filter.actor}::text is null or actor_user_id = ${filter.actor} or actor_email = ${filter.actor})
      and created_at >= ${filter.from} and created_at < ${filter.until}
      and (created_at, seq, id) < (${before.createdAt}, ${before.seq}::bigint, ${before.id})
    order by created_at desc, seq desc, id desc limit ${limit}`
  return rows.map(toEntry)
}

const toEntry = (row: Row): Entry => ({
  id: row.id,
  orgId: row.org_id,
  actorUserId: row.actor_user_id,
  actorEmail: row.actor_email,
  actorKind: row.actor_kind,
  action: row.action,
  target: row.target,
  metadata: row.metadata,
  ip: row.ip,
  createdAt: row.created_at,
  seq: row.seq,
  hash: row.hash,
  prevHash: row.prev_hash,
})

export type StaffAction = {
  id: string
  action: string
  target: string | null
  actorEmail: string | null
  metadata: Record<string, unknown>
  createdAt: Date
}

/** Staff actions in an organisation, newest first. */
export function listStaffActions(tx: Tx, org: OrgId, most: number): Promise<StaffAction[]> {
  return tx.rows<StaffAction>`
    select id, action, target, actor_email as "actorEmail", metadata, created_at as "createdAt"
    from audit_entries where chain = ${org} and actor_kind = 'operator'
    order by created_at desc, seq desc limit ${most}`
}

export type SignInEntry = { at: Date; ip: string | null; method: string | null }

/** The sign-ins of a user in an organisation, newest first. */
export function signInsOf(
  tx: Tx,
  { orgId, userId, from, until }: { orgId: OrgId; userId: string; from: Date; until: Date },
  most: number,
): Promise<SignInEntry[]> {
  return tx.rows<SignInEntry>`
    select created_at as at, ip, metadata ->> 'method' as method
    from audit_entries
    where chain = ${orgId} and action = 'auth.signIn' and actor_user_id = ${userId}
      and created_at >= ${from} and created_at <= ${until}
    order by created_at desc, seq desc limit ${most}`
}
