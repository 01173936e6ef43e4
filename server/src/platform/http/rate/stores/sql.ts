// SQL statements of the shared rate windows.
import { json, type Sql } from '../../../db/tx.ts'
import type { LeaseRequest } from '../lease-store.ts'

export type LeaseRow = { bucket: string; address: string; granted: number; used: number; resets_at: Date }

/**
 * Takes tokens for many windows in one statement. An ended window restarts at `now`. A window that is longer than the
 * limit (the clock was set back, or the limit shortened) is cut to it.
 *
 * Rows are locked in key order, so that replicas with overlapping batches cannot deadlock. Keys must be distinct.
 */
export function takeLeases(db: Sql, requests: readonly LeaseRequest[], now: Date): Promise<LeaseRow[]> {
  const flat = requests.map(({ bucket, address, want, limit }) => ({ bucket, address, want, ...limit }))
  return db.rows<LeaseRow>`
    insert into rate_windows as held (bucket, address, requests, used, granted, resets_at)
    select bucket, address, requests, least(want, requests), least(want, requests),
           ${now}::timestamptz + make_interval(secs => seconds)
    from jsonb_to_recordset(${json(flat)}) as request (bucket text, address text, want integer, requests integer, seconds integer)
    order by bucket, address
    on conflict (bucket, address) do update set
      requests = excluded.requests,
      used = case when held.resets_at <= ${now} then excluded.used
                  else held.used + greatest(0, least(excluded.granted, excluded.requests - held.used)) end,
      granted = case when held.resets_at <= ${now} then excluded.granted
                     else greatest(0, least(excluded.granted, excluded.requests - held.used)) end,
      resets_at = case when held.resets_at <= ${now} then excluded.resets_at
                       else least(held.resets_at, excluded.resets_at) end
    returning bucket, address, granted, used, resets_at`
}

/** Deletes at most `most` windows that ended before `endedBefore`. Skips windows that are being leased. */
export async function sweepWindows(db: Sql, endedBefore: Date, most: number): Promise<number> {
  const gone = await db.rows`
    delete from rate_windows where (bucket, address) in (
      select bucket, address from rate_windows
      where resets_at < ${endedBefore} order by resets_at limit ${most} for update skip locked)
    returning bucket`
  return gone.length
}
