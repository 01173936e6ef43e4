// SQL of SAML tickets and used assertions.
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { ConnectionId } from '../sql.ts'

export type SamlTicket = { tokenHash: Uint8Array; sealed: string; createdAt: Date; expiresAt: Date }

export async function insertTicket(db: Sql, ticket: SamlTicket): Promise<void> {
  await db.rows`
    insert into saml_tickets (token_hash, sealed, created_at, expires_at)
    values (${ticket.tokenHash}, ${ticket.sealed}, ${ticket.createdAt}, ${ticket.expiresAt})`
}

export function findTicket(db: Sql, tokenHash: Uint8Array, now: Date) {
  return db.maybe<{ sealed: string }>`
    select sealed from saml_tickets where token_hash = ${tokenHash} and expires_at > ${now}`
}

/** True for exactly one of concurrent calls. */
export async function useTicket(tx: Tx, tokenHash: Uint8Array): Promise<boolean> {
  const changed = await tx.rows`
    delete from saml_tickets where token_hash = ${tokenHash} and expires_at > ${tx.now} returning token_hash`
  return changed.length === 1
}

/** False when the assertion was used before, on any replica. */
export async function useAssertion(
  tx: Tx,
  connectionId: ConnectionId,
  assertionId: string,
  endsAt: Date,
): Promise<boolean> {
  const changed = await tx.rows`
    insert into saml_assertions (connection_id, assertion_id, ends_at)
    values (${connectionId}, ${assertionId}, ${endsAt}) on conflict do nothing returning assertion_id`
  return changed.length === 1
}

export async function sweepTickets(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from saml_tickets where token_hash in (
      select token_hash from saml_tickets where expires_at < ${expiredBefore} limit ${most}) returning token_hash`
  return deleted.length
}

export async function sweepAssertions(db: Sql, endedBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from saml_assertions where (connection_id, assertion_id) in (
      select connection_id, assertion_id from saml_assertions where ends_at < ${endedBefore} limit ${most})
    returning assertion_id`
  return deleted.length
}
