// Calls that are under way in this process, and how they are cancelled: from any replica, because a notification may reach
// another one than the call did.
import type { App } from '../platform/app.ts'

const TOPIC = 'mcp.cancelled'
const activeCalls = new Map<string, Set<AbortController>>()

/** A signal for one call: it aborts when the client has gone, or cancels the call by its name. */
export function trackCall(name: string | null, gone: AbortSignal): { signal: AbortSignal; end(): void } {
  const cancelled = new AbortController()
  const leave = () => cancelled.abort(gone.reason)
  if (gone.aborted) leave()
  else gone.addEventListener('abort', leave, { once: true })
  if (name !== null) activeCalls.set(name, (activeCalls.get(name) ?? new Set()).add(cancelled))
  return {
    signal: cancelled.signal,
    end() {
      gone.removeEventListener('abort', leave)
      const others = name === null ? undefined : activeCalls.get(name)
      others?.delete(cancelled)
      if (name !== null && others?.size === 0) activeCalls.delete(name)
    },
  }
}

export const cancelCall = ({ db }: App, name: string): void => db.notify(TOPIC, name)

/** Hears what is cancelled, wherever it was said. */
export function listenForCancellations({ db }: App): () => void {
  return db.listen(TOPIC, (name) => {
    for (const call of activeCalls.get(name ?? '') ?? []) call.abort(new Error('cancelled by the client'))
  })
}
