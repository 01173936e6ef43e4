// SQL statements about quotes.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

type Place = { readonly orgId: OrgId; readonly userId: UserId; readonly fingerprint: string }

export async function putQuote(
  tx: Tx,
  { orgId, userId, fingerprint }: Place,
  maxMinor: bigint,
): Promise<void> {
  await tx.rows`
    insert into quotes (user_id, org_id, fingerprint, max_minor, quoted_at)
    values (${userId}, ${orgId}, ${fingerprint}, ${maxMinor}, ${tx.now})
    on conflict (user_id, org_id, fingerprint) do update set max_minor = excluded.max_minor, quoted_at = excluded.quoted_at`
}

export async function findQuote(
  tx: Tx,
  { orgId, userId, fingerprint }: Place,
  since: Date,
): Promise<bigint | undefined> {
  const row = await tx.maybe<{ maxMinor: bigint }>`
    select max_minor as "maxMinor" from quotes
    where user_id = ${userId} and org_id = ${orgId} and fingerprint = ${fingerprint} and quoted_at > ${since}`
  return row?.maxMinor
}

export async function deleteQuotes(tx: Tx, quotedBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from quotes where (user_id, org_id, fingerprint) in (
      select user_id, org_id, fingerprint from quotes where quoted_at <= ${quotedBefore} limit ${most})
    returning fingerprint`
  return rows.length
}
