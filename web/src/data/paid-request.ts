import { resumable } from '@cowrie/sdk'
// Asking for something that may be paid for. One intent, one key: pressing again after a lost answer goes on with the same.
import { type ApiFailure, asFailure } from './failure.ts'

// Longer than the lease of a key: after it an attempt whose server died is taken over.
const IN_PROGRESS_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 8_000]

/** The keys of intents that are not decided yet, each by all that makes it another one. */
const undecided = new Map<string, string>()

type Send<T> = (once: { idempotencyKey: string }) => Promise<T>

/** The answer, or the refusal, of the intent that `of` stands for: everything that makes it another one of its kind. */
export async function sendIntent<T>(kind: string, of: string, send: Send<T>): Promise<T> {
  // Whatever else is done in between: what is asked for again is the same until it is decided.
  const intent = `${kind}\n${of}`
  const idempotencyKey = undecided.get(intent) ?? newKey()
  undecided.set(intent, idempotencyKey)
  try {
    const answer = await patiently(() => send({ idempotencyKey }))
    undecided.delete(intent)
    return answer
  } catch (error) {
    if (!resumable(asFailure(error))) undecided.delete(intent)
    throw error
  }
}

/** While the first attempt still runs there is nothing to do but wait; after some 23 seconds the reader is told so. */
export async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (const waitMs of IN_PROGRESS_WAITS_MS) {
    try {
      return await send()
    } catch (error) {
      if (asFailure(error).code !== 'idempotency_in_progress') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return send()
}

/** Also where the page has no certificate and the browser therefore makes no UUIDs. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
