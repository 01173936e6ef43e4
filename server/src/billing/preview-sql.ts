// Every statement about previews.
import type { OrgId } from '../kernel/ids.ts'
import type { Json, Tx } from '../platform/db/tx.ts'
import type { SubscriptionId } from './sql.ts'

type About = { readonly subscriptionId: SubscriptionId; readonly target: string; readonly version: number }

export async function putPreview(
  tx: Tx,
  preview: About & { orgId: OrgId; quote: Json; expiresAt: Date },
): Promise<void> {
  const { subscriptionId, orgId, target, version, quote, expiresAt } = preview
  await tx.rows`
    insert into previews (subscription_id, org_id, target, version, quote, created_at, expires_at)
    values (${subscriptionId}, ${orgId}, ${target}, ${version}, ${quote}, ${tx.now}, ${expiresAt})
    on conflict (subscription_id, target) do update set
      version = excluded.version, quote = excluded.quote, created_at = excluded.created_at,
      expires_at = excluded.expires_at`
}

/** Keeps this one and so many others of its subscription, the newest. */
export async function trimPreviews(
  tx: Tx,
  { subscriptionId, target }: Omit<About, 'version'>,
  others: number,
): Promise<void> {
  await tx.rows`
    delete from previews where subscription_id = ${subscriptionId} and target in (
      select target from previews where subscription_id = ${subscriptionId} and target <> ${target}
      order by created_at desc, target offset ${others})`
}

export function findPreview(tx: Tx, { subscriptionId, target, version }: About) {
  return tx.maybe<{ quote: unknown }>`
    select quote from previews
    where subscription_id = ${subscriptionId} and target = ${target} and version = ${version}
      and expires_at > ${tx.now}`
}

/** What was told of an earlier version, and would still be good. */
export function findOutdated(
  tx: Tx,
  { id, version }: { id: SubscriptionId; version: number },
  target: string,
) {
  return tx.maybe<{ quote: unknown }>`
    select quote from previews
    where subscription_id = ${id} and target = ${target} and version <> ${version} and expires_at > ${tx.now}`
}

export async function deletePreviews(tx: Tx, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from previews where (subscription_id, target) in (
      select subscription_id, target from previews where expires_at <= ${tx.now} order by expires_at limit ${most})
    returning target`
  return rows.length
}
