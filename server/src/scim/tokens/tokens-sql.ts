// SQL of SCIM tokens.
import type { OrgId, ScimTokenId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type TokenRow = {
  id: ScimTokenId
  name: string
  prefix: string
  createdBy: UserId
  createdAt: Date
  lastUsedAt: Date | null
}

/** Not of a closed organisation. */
export function findByHash(db: Sql, hash: Uint8Array) {
  return db.maybe<{ id: ScimTokenId; orgId: OrgId; name: string; lastUsedAt: Date | null }>`
    select t.id, t.org_id as "orgId", t.name, t.last_used_at as "lastUsedAt"
    from scim_tokens t join org_profiles o on o.id = t.org_id
    where t.hash = ${hash} and o.closed_at is null`
}

export async function touch(db: Sql, id: ScimTokenId, now: Date): Promise<void> {
  await db.rows`update scim_tokens set last_used_at = ${now} where id = ${id}`
}

export function listTokens(db: Sql, org: OrgId): Promise<TokenRow[]> {
  return db.rows<TokenRow>`
    select id, name, prefix, created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt"
    from scim_tokens where org_id = ${org} order by created_at, id`
}

export async function countTokens(tx: Tx, org: OrgId): Promise<number> {
  return (await tx.one<{ n: number }>`select count(*)::int as n from scim_tokens where org_id = ${org}`).n
}

export async function insertToken(tx: Tx, org: OrgId, row: TokenRow, hash: Uint8Array): Promise<void> {
  await tx.rows`
    insert into scim_tokens (id, org_id, name, prefix, hash, created_by, created_at)
    values (${row.id}, ${org}, ${row.name}, ${row.prefix}, ${hash}, ${row.createdBy}, ${row.createdAt})`
}

export function deleteToken(tx: Tx, org: OrgId, id: string) {
  return tx.maybe<{ name: string }>`
    delete from scim_tokens where id = ${id} and org_id = ${org} returning name`
}
