// SQL for webhook deliveries, pull requests and their reviewed heads.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { InstallationId } from '../installations/installations-sql.ts'
import type { RunId } from '../runs/runs-sql.ts'

export type PullKey = {
  readonly installationId: InstallationId
  readonly orgId: OrgId
  readonly repoId: number
  readonly number: number
}
export type PullEvent = PullKey & { readonly headSha: string; readonly eventAt: Date }

export async function isDeliveryKnown(tx: Tx, delivery: string): Promise<boolean> {
  return (await tx.maybe`select id from vcs_deliveries where id = ${delivery}`) !== undefined
}

/** False when this delivery was handled before. */
export async function recordDelivery(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.rows`
    insert into vcs_deliveries (id, received_at) values (${id}, ${tx.now}) on conflict (id) do nothing returning id`
  return rows.length === 1
}

/** The time of the last known change of a pull request, by GitHub's clock. */
export async function findLastEventAt(
  tx: Tx,
  { installationId, repoId, number }: PullKey,
): Promise<Date | undefined> {
  const row = await tx.maybe<{ eventAt: Date }>`
    select event_at as "eventAt" from vcs_pulls
    where installation_id = ${installationId} and repo_id = ${repoId} and number = ${number}`
  return row?.eventAt
}

export type ReviewedHead = { runId: RunId; eventAt: Date }

export function findReviewedHead(
  tx: Tx,
  { installationId, repoId, number, headSha }: PullEvent,
): Promise<ReviewedHead | undefined> {
  return tx.maybe<ReviewedHead>`
    select run_id as "runId", event_at as "eventAt" from vcs_heads
    where installation_id = ${installationId} and repo_id = ${repoId} and number = ${number} and head_sha = ${headSha}`
}

export async function saveReviewedHead(tx: Tx, event: PullEvent, runId: RunId): Promise<void> {
  await tx.rows`
    insert into vcs_heads (installation_id, repo_id, number, head_sha, org_id, run_id, event_at)
    values (${event.installationId}, ${event.repoId}, ${event.number}, ${event.headSha}, ${event.orgId}, ${runId},
            ${event.eventAt})
    on conflict (installation_id, repo_id, number, head_sha) do update
    set run_id = excluded.run_id, event_at = excluded.event_at`
}

/** False when a newer state is already stored. */
export async function savePullState(tx: Tx, event: PullEvent, isOpen: boolean): Promise<boolean> {
  const rows = await tx.rows`
    insert into vcs_pulls (installation_id, repo_id, number, org_id, head_sha, is_open, event_at)
    values (${event.installationId}, ${event.repoId}, ${event.number}, ${event.orgId}, ${event.headSha}, ${isOpen},
            ${event.eventAt})
    on conflict (installation_id, repo_id, number) do update
    set head_sha = excluded.head_sha, is_open = excluded.is_open, event_at = excluded.event_at
    where vcs_pulls.event_at <= excluded.event_at
    returning number`
  return rows.length === 1
}

export async function deleteDeliveries(tx: Tx, receivedBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from vcs_deliveries
    where id in (select id from vcs_deliveries where received_at < ${receivedBefore} order by received_at limit ${most})
    returning id`
  return rows.length
}

export async function deletePulls(tx: Tx, eventBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from vcs_pulls
    where (installation_id, repo_id, number) in (
      select installation_id, repo_id, number from vcs_pulls where event_at < ${eventBefore} order by event_at limit ${most})
    returning number`
  return rows.length
}
