// Every statement about API keys. The gate's own is in sql.ts.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { NewApiKey } from './keys.ts'

export async function insertKey(
  tx: Tx,
  key: NewApiKey & { id: Id<'key'>; prefix: string; hash: Uint8Array },
): Promise<void> {
  await tx.rows`
    insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at, expires_at)
    values (${key.id}, ${key.orgId}, ${key.userId}, ${key.name}, ${key.prefix}, ${key.hash},
            ${[...key.scopes]}::text[], ${tx.now}, ${key.expiresAt})`
}

export async function revokeKeysOf(tx: Tx, user: UserId, org: OrgId): Promise<void> {
  await tx.rows`
    update api_keys set revoked_at = ${tx.now} where user_id = ${user} and org_id = ${org} and revoked_at is null`
}
