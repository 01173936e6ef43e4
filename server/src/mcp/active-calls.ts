// The running calls of this process. Any replica can cancel them, because a cancellation may reach another replica than
// the call.
import type { App } from '../platform/app.ts'

const TOPIC = 'mcp.cancelled'
const activeCalls = new Map<string, Set<AbortController>>()

/** A signal for one call. It aborts when the client disconnects or cancels the call. */
export function trackCall(
  name: string | null,
  disconnected: AbortSignal,
): { signal: AbortSignal; end(): void } {
  const cancelled = new AbortController()
  const leave = () => cancelled.abort(disconnected.reason)
  if (disconnected.aborted) leave()
  else disconnected.addEventListener('abort', leave, { once: true })
  if (name !== null) activeCalls.set(name, (activeCalls.get(name) ?? new Set()).add(cancelled))
  return {
    signal: cancelled.signal,
    end() {
      disconnected.removeEventListener('abort', leave)
      const others = name === null ? undefined : activeCalls.get(name)
      others?.delete(cancelled)
      if (name !== null && others?.size === 0) activeCalls.delete(name)
    },
  }
}

export const cancelCall = ({ db }: App, name: string): void => db.notify(TOPIC, name)

/** Aborts calls that any replica cancels. */
export function listenForCancellations({ db }: App): () => void {
  return db.listen(TOPIC, (name) => {
    for (const call of activeCalls.get(name ?? '') ?? []) call.abort(new Error('cancelled by the client'))
  })
}
