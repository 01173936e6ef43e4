// Limits the concurrent calls of each caller, streamed or not. A call over the limit is rejected before any hold or upstream
// request.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'

/** The same as the limit of open streams. */
const PER_CALLER = 20

const activeCalls = new WeakMap<App, Map<string, number>>()

export async function withConcurrencyLimit<T>(app: App, actor: Actor, work: () => Promise<T>): Promise<T> {
  const counts = activeCalls.get(app) ?? new Map<string, number>()
  activeCalls.set(app, counts)
  const caller = actor.keyId ?? actor.userId
  const others = counts.get(caller) ?? 0
  if (others >= PER_CALLER) throw new ApiError('too_many_streams')
  counts.set(caller, others + 1)
  try {
    return await work()
  } finally {
    const left = (counts.get(caller) ?? 1) - 1
    if (left > 0) counts.set(caller, left)
    else counts.delete(caller)
  }
}
