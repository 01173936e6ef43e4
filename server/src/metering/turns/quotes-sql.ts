// SQL statements about quotes.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type QuotePlace = { readonly orgId: OrgId; readonly userId: UserId; readonly fingerprint: string }

export async function putQuote(
  tx: Tx,
  { orgId, userId, fingerprint }: QuotePlace,
  maxMinor: bigint,
): Promise<void> {
  await tx.rows`
    insert into quotes (user_id, org_id, fingerprint, max_minor, quoted_at)
    values (${userId}, ${orgId}, ${fingerprint}, ${maxMinor}, ${tx.now})
    on conflict (user_id, org_id, fingerprint) do update set max_minor = excluded.max_minor, quoted_at = excluded.quoted_at`
}

/** The quotes of these places, in their order. */
export async function findQuotes(
  tx: Tx,
  places: readonly QuotePlace[],
  since: Date,
): Promise<(bigint | undefined)[]> {
  const rows = await tx.rows<{ n: bigint; maxMinor: bigint }>`
    select place.n, max_minor as "maxMinor"
    from unnest(${places.map(({ userId }) => userId)}::text[], ${places.map(({ orgId }) => orgId)}::text[],
                ${places.map(({ fingerprint }) => fingerprint)}::text[]) with ordinality place(user_id, org_id, fingerprint, n)
         join quotes using (user_id, org_id, fingerprint)
    where quoted_at > ${since}`
  const found = new Map(rows.map(({ n, maxMinor }) => [Number(n) - 1, maxMinor]))
  return places.map((_, n) => found.get(n))
}

export async function deleteQuotes(tx: Tx, quotedBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from quotes where (user_id, org_id, fingerprint) in (
      select user_id, org_id, fingerprint from quotes where quoted_at <= ${quotedBefore} limit ${most})
    returning fingerprint`
  return rows.length
}
