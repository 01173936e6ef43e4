// All statements on the tables of streams.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../db/tx.ts'

export type StreamEvent = { seq: number; at: Date; event: object }
export type StreamPage = { events: StreamEvent[]; lastSeq: number; isClosed: boolean }
export type StreamHead = { id: string; lastSeq: number; isClosed: boolean }

const PAGE_EVENTS_MAX = 200
const PAGE_BYTES_MAX = 1024 * 1024

export async function insertStream(tx: Tx, org: OrgId, id: string): Promise<void> {
  await tx.content
    .rows`insert into streams (id, org_id, opened_at) values (${id}, ${org}, ${tx.now}) on conflict (id) do nothing`
}

/** Numbers and inserts the events. The row of the stream stays locked until the commit, so that higher numbers commit later. */
export async function insertEvents(tx: Tx, id: string, texts: readonly string[]): Promise<number[]> {
  const rows = await tx.content.rows<{ seq: bigint }>`
    with stream as (
      update streams set last_seq = last_seq + ${texts.length}::int where id = ${id} and closed_at is null
      returning id, org_id, last_seq - ${texts.length}::int as seq_before)
    insert into stream_events (stream_id, seq, org_id, at, size_bytes, event)
    select stream.id, stream.seq_before + added.nr, stream.org_id, ${tx.now}::timestamptz, octet_length(added.text), added.text::json
    from stream cross join unnest(${texts}::text[]) with ordinality as added (text, nr)
    returning seq`
  return rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b)
}

export async function closeStream(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.content.maybe`
    update streams set closed_at = coalesce(closed_at, ${tx.now}) where id = ${id} returning id`
  return row !== undefined
}

export async function deleteStream(tx: Tx, id: string): Promise<void> {
  await tx.content.rows`delete from streams where id = ${id}`
}

/**
 * The next events after a number and the last number of the stream, in one snapshot. A page has at most 200 events and ends with
 * the event that brings it to 1 MiB. Undefined when the scope has no such stream.
 */
export async function readPage(tx: Tx, id: string, after: number): Promise<StreamPage | undefined> {
  type Row = { last_seq: bigint; closed: boolean; seq: bigint | null; at: Date; event: object }
  const rows = await tx.content.rows<Row>`
    select s.last_seq, s.closed_at is not null as closed, e.seq, e.at, e.event
    from streams s
    left join lateral (
      select seq, at, event, sum(size_bytes) over (order by seq) - size_bytes as bytes_before
      from (select seq, at, event, size_bytes from stream_events
            where stream_id = s.id and seq > ${after} order by seq limit ${PAGE_EVENTS_MAX}) page
    ) e on e.bytes_before < ${PAGE_BYTES_MAX}
    where s.id = ${id} order by e.seq`
  const [first] = rows
  if (!first) return undefined
  const events = rows.flatMap(({ seq, at, event }) => (seq === null ? [] : [{ seq: Number(seq), at, event }]))
  return { events, lastSeq: Number(first.last_seq), isClosed: first.closed }
}

export async function readHeads(tx: Tx, ids: readonly string[]): Promise<StreamHead[]> {
  const rows = await tx.content.rows<{ id: string; last_seq: bigint; closed: boolean }>`
    select id, last_seq, closed_at is not null as closed from streams where id = any(${ids}::text[])`
  return rows.map(({ id, last_seq, closed }) => ({ id, lastSeq: Number(last_seq), isClosed: closed }))
}
