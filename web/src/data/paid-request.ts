import { resumable } from '@cowrie/sdk'
// Sends requests that may cost money. One intent has one idempotency key: a retry after a lost response reuses it.
import { asFailure } from './failure.ts'

// Together longer than the lease of a key: after the lease, the service takes over the attempt of a dead replica.
const IN_PROGRESS_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 8_000]

/** The idempotency keys of undecided intents, by intent. */
const undecided = new Map<string, string>()

type Send<T> = (once: { idempotencyKey: string }) => Promise<T>

/** Sends the intent that `kind` and `of` identify, and returns its response. */
export async function sendPaidRequest<T>(kind: string, of: string, send: Send<T>): Promise<T> {
  // Retries of an undecided intent reuse its key, whatever happened in between.
  const intent = `${kind}\n${of}`
  const idempotencyKey = undecided.get(intent) ?? newKey()
  undecided.set(intent, idempotencyKey)
  try {
    const answer = await waitWhileInProgress(() => send({ idempotencyKey }))
    undecided.delete(intent)
    return answer
  } catch (error) {
    if (!resumable(asFailure(error))) undecided.delete(intent)
    throw error
  }
}

/** Waits while the first attempt still runs. After about 23 seconds the error is shown. */
export async function waitWhileInProgress<T>(send: () => Promise<T>): Promise<T> {
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
