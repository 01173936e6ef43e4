// What a handler of a keyed route may return besides a committed value.
import { assert } from '../../../kernel/assert.ts'
import type { Once } from './idempotency.ts'

/** A stream whose frames were sent as they were made. All of it is stored under the key; only its end is still to be sent. */
export class RecordedStream {
  readonly sent: string
  readonly end: string

  constructor(sent: string, end: string) {
    this.sent = sent
    this.end = end
  }

  get text(): string {
    return this.sent + this.end
  }
}

/** The reply to a call without a key, whose money was settled in its own way: nothing is stored for a replay. */
export class Unstored<T> {
  readonly value: T

  constructor(once: Once, value: T) {
    assert(!once.isKeyed, 'a reply under a key is committed')
    this.value = value
  }
}
