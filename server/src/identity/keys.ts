// API keys: made, listed and revoked. Their form is in api-keys.ts; the gate looks them up.
import { type Id, newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Scope } from '../platform/http/actor.ts'
import { makeKey } from './api-keys.ts'
import * as sql from './keys-sql.ts'

export type NewApiKey = {
  orgId: OrgId
  userId: UserId
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
}

/** Stores the hash of a new key. The key itself is in the answer and nowhere else. */
export async function createKey(
  tx: Tx,
  wanted: NewApiKey,
): Promise<{ id: Id<'key'>; key: string; prefix: string }> {
  const { key, prefix, hash } = makeKey()
  const id = newId('key')
  await sql.insertKey(tx, { ...wanted, id, prefix, hash })
  return { id, key, prefix }
}

/** Ends every key of a person in one organisation. */
export const endKeys = (tx: Tx, userId: UserId, orgId: OrgId): Promise<void> =>
  sql.revokeKeysOf(tx, userId, orgId)
