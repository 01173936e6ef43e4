// Durable event logs: written in transactions, replayed and followed from any replica.
import { assert, present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../db/tx.ts'
import * as sql from './sql.ts'

export { follow } from './follow.ts'
export type { StreamEvent } from './sql.ts'

const EVENT_BYTES_MAX = 256 * 1024
const EVENTS_AT_ONCE_MAX = 1_000

/** Opens a stream under the given id. Idempotent. */
export function openStream(tx: Tx, org: OrgId, id: string): Promise<void> {
  return sql.insertStream(tx, org, id)
}

/**
 * Appends in the transaction of the caller and returns the number of the event: 1, 2, 3… without gaps, in commit order. Concurrent
 * writers of a stream wait for each other's transactions, so keep these short.
 */
export function append(tx: Tx, id: string, event: object): Promise<number> {
  return appendAll(tx, id, [event])
}

/** Appends several events in one statement. Returns the number of the last one. */
export async function appendAll(tx: Tx, id: string, events: readonly object[]): Promise<number> {
  assert(events.length > 0 && events.length <= EVENTS_AT_ONCE_MAX, '1 to 1000 events are appended at once')
  const texts = events.map(toJson)
  assert(
    texts.every((text) => Buffer.byteLength(text) <= EVENT_BYTES_MAX),
    'an event is at most 256 KiB; store larger data and refer to it',
  )
  const seqs = await sql.insertEvents(tx, id, texts)
  assert(seqs.length === texts.length, `the stream ${id} is open`)
  tx.notify('stream', id)
  return present(seqs.at(-1), 'each event has a number')
}

/** The number of the last event; 0 without one. */
export async function lastSeqOf(tx: Tx, id: string): Promise<number> {
  return (await sql.readHeads(tx, [id]))[0]?.lastSeq ?? 0
}

/** Closes the stream: followers end after the last event, and no event can be appended. Idempotent. */
export async function closeStream(tx: Tx, id: string): Promise<void> {
  assert(await sql.closeStream(tx, id), `the stream ${id} exists`)
  tx.notify('stream', id)
}

/** Deletes the stream with all its events. Its followers end. */
export async function deleteStream(tx: Tx, id: string): Promise<void> {
  await sql.deleteStream(tx, id)
  tx.notify('stream', id)
}
