// Durable event logs: written inside transactions, replayed and followed from any replica.
import { assert, present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../db/tx.ts'
import * as sql from './sql.ts'

export { follow, type StreamEvent } from './follow.ts'

const EVENT_BYTES_MAX = 256 * 1024
const EVENTS_AT_ONCE_MAX = 1_000

/** Opens a stream under an id of the caller's choosing. Opening it again changes nothing. */
export function openStream(tx: Tx, org: OrgId, id: string): Promise<void> {
  return sql.insertStream(tx, org, id)
}

/**
 * Appends in the caller's transaction and returns the event's number: 1, 2, 3… without gaps, in the order of commits.
 * Appenders of one stream wait for each other's transactions to end, so keep those short.
 */
export function append(tx: Tx, id: string, event: object): Promise<number> {
  return appendAll(tx, id, [event])
}

/** Appends several events in one statement; returns the number of the last. */
export async function appendAll(tx: Tx, id: string, events: readonly object[]): Promise<number> {
  assert(events.length > 0 && events.length <= EVENTS_AT_ONCE_MAX, '1 to 1000 events are appended at once')
  const texts = events.map(toJson)
  assert(
    texts.every((text) => Buffer.byteLength(text) <= EVENT_BYTES_MAX),
    'an event is at most 256 KiB; store what is larger and name it',
  )
  const seqs = await sql.insertEvents(tx, id, texts)
  assert(seqs.length === texts.length, `events are appended to an open stream, unlike ${id}`)
  tx.notify('stream', id)
  return present(seqs.at(-1), 'each event has a number')
}

/** Ends the stream: followers end after the last event, and nothing can be appended. Closing again changes nothing. */
export async function closeStream(tx: Tx, id: string): Promise<void> {
  assert(await sql.closeStream(tx, id), `a stream that is closed exists, unlike ${id}`)
  tx.notify('stream', id)
}

/** Removes the stream with all its events; those who follow it come to an end. */
export async function deleteStream(tx: Tx, id: string): Promise<void> {
  await sql.deleteStream(tx, id)
  tx.notify('stream', id)
}
