// SQL that writes and deletes rows of the request log.
import type { OrgId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { RequestRow } from './request-row.ts'

/** Rows of many organisations, which needs the platform scope. A row that is already stored is skipped. */
export async function insertRequests(tx: Tx, rows: readonly RequestRow[]): Promise<void> {
  const flat = rows.map(({ tokens, ...row }) => ({ ...row, ...tokens, at: row.at.toISOString() }))
  await tx.rows`
    insert into request_log (org_id, at, id, key_id, user_id, route, model, provider, input_tokens, cached_input_tokens,
      cache_write_tokens, output_tokens, cost_minor, ttft_ms, duration_ms, status, code, request_id, ledger_id, exact_cost)
    select "orgId", at, id, "keyId", "userId", route, model, provider, input, "cachedInput", "cacheWrite", output, "costMinor",
      "ttftMs", "durationMs", status, code, "requestId", "ledgerId", "exactCost"
    from jsonb_to_recordset(${json(flat)}) as r("orgId" text, at timestamptz, id text, "keyId" text, "userId" text, route text,
      model text, provider text, input bigint, "cachedInput" bigint, "cacheWrite" bigint, output bigint, "costMinor" bigint,
      "ttftMs" integer, "durationMs" integer, status smallint, code text, "requestId" text, "ledgerId" text, "exactCost" numeric)
    on conflict (org_id, at, id) do nothing`
}

export async function oldestRequest(tx: Tx): Promise<Date | null> {
  return (await tx.one<{ at: Date | null }>`select min(at) as at from request_log`).at
}

/** Deletes the oldest rows before an instant, at most `most`. */
export async function deleteRequestsBefore(tx: Tx, instant: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    with old as (select org_id, at, id from request_log where at < ${instant} order by at, id limit ${most})
    delete from request_log r using old where r.org_id = old.org_id and r.at = old.at and r.id = old.id
      and r.at < ${instant}
    returning r.id`
  return rows.length
}

export async function deleteRequestsOf(tx: Tx, org: OrgId, most: number): Promise<number> {
  const rows = await tx.rows`
    with old as (select at, id from request_log where org_id = ${org} order by at, id limit ${most})
    delete from request_log r using old where r.org_id = ${org} and r.at = old.at and r.id = old.id
    returning r.id`
  return rows.length
}

export type ExportedRequest = { id: string; at: Date }

export function requestsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedRequest>`
    select id, at, key_id as "keyId", user_id as "userId", route, model, provider, input_tokens as "inputTokens",
           cached_input_tokens as "cachedInputTokens", cache_write_tokens as "cacheWriteTokens",
           output_tokens as "outputTokens", cost_minor as "costMinor", ttft_ms as "ttftMs", duration_ms as "durationMs",
           status, code, request_id as "requestId", ledger_id as "ledgerId", exact_cost::text as "exactCost"
    from request_log where org_id = ${org} and (at, id) > (${after.at}, ${after.id})
    order by at, id limit ${limit}`
}
