// Beginning a top-up. One intent, one key: pressing again after a lost answer goes on with the same payment.
import { type ApiFailure, asFailure, postOnce } from '../api.ts'
import type { Begun } from './top-up-types.ts'

export type Wish = { amountMinor: bigint; channel: string; phone?: string }

const IN_PROGRESS_WAITS_MS = [1_000, 2_000, 4_000, 8_000]
/** Refusals that decide nothing about the payment, besides all that are not the payer's to mend. */
const PASSING_STATUSES = new Set([401, 403, 408, 409, 429])

let last: { of: string; key: string } | null = null

/** The answer, or the refusal, of the payment that this wish stands for. */
export async function beginTopup(orgId: string, wish: Wish): Promise<Begun> {
  const key = keyFor([orgId, wish.amountMinor, wish.channel, wish.phone ?? ''].join(' '))
  try {
    const begun = await send(wish, key)
    last = null
    return begun
  } catch (error) {
    if (isFinal(asFailure(error))) last = null
    throw error
  }
}

function keyFor(wish: string): string {
  if (last?.of !== wish) last = { of: wish, key: newKey() }
  return last.key
}

/** While the first attempt still runs there is nothing to do but wait; after some fifteen seconds the payer is told so. */
async function send(wish: Wish, key: string): Promise<Begun> {
  for (const waitMs of IN_PROGRESS_WAITS_MS) {
    try {
      return await postOnce<Begun>('/wallet/topup', wish, key)
    } catch (error) {
      if (asFailure(error).code !== 'idempotency_in_progress') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return postOnce<Begun>('/wallet/topup', wish, key)
}

const isFinal = ({ status }: ApiFailure): boolean =>
  status >= 400 && status < 500 && !PASSING_STATUSES.has(status)

/** Also where the page has no certificate and the browser therefore makes no UUIDs. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
