// Return values of idempotent routes besides a committed reply.
import { assert } from '../../../kernel/assert.ts'
import type { Once } from './idempotency.ts'

/** A stream whose frames have been sent. All of it is stored under the key; only its end is still to be sent. */
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

/** The reply to a call without a key. The handler has settled the money itself, and nothing is stored. */
export class UnstoredReply<T> {
  readonly value: T

  constructor(once: Once, value: T) {
    assert(!once.isKeyed, 'a reply under a key is committed')
    this.value = value
  }
}
