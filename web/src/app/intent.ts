// Asking for something that may be paid for. One intent, one key: pressing again after a lost answer goes on with the same.
import { type ApiFailure, asFailure, postOnce } from '../api.ts'

const IN_PROGRESS_WAITS_MS = [1_000, 2_000, 4_000, 8_000]
/** Refusals that decide nothing about the intent, besides all that are not the reader's to mend. */
const PASSING_STATUSES = new Set([401, 403, 408, 409, 429])

/** By path: the intent that is not decided yet. */
const undecided = new Map<string, { of: string; key: string }>()

/** The answer, or the refusal, of the intent that `of` stands for: everything that makes it another one. */
export async function sendIntent<T>(path: string, body: unknown, of: string): Promise<T> {
  const key = keyFor(path, of)
  try {
    const answer = await send<T>(path, body, key)
    undecided.delete(path)
    return answer
  } catch (error) {
    if (isFinal(asFailure(error))) undecided.delete(path)
    throw error
  }
}

function keyFor(path: string, of: string): string {
  const last = undecided.get(path)
  if (last?.of === of) return last.key
  const key = newKey()
  undecided.set(path, { of, key })
  return key
}

/** While the first attempt still runs there is nothing to do but wait; after some fifteen seconds the reader is told so. */
async function send<T>(path: string, body: unknown, key: string): Promise<T> {
  for (const waitMs of IN_PROGRESS_WAITS_MS) {
    try {
      return await postOnce<T>(path, body, key)
    } catch (error) {
      if (asFailure(error).code !== 'idempotency_in_progress') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return postOnce<T>(path, body, key)
}

const isFinal = ({ status }: ApiFailure): boolean =>
  status >= 400 && status < 500 && !PASSING_STATUSES.has(status)

/** Also where the page has no certificate and the browser therefore makes no UUIDs. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
