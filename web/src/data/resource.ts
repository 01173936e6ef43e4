// Data read from the service, as one of three states. The last known value is shown at once and while offline; meanwhile
// the data is requested again.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type ApiFailure, asFailure } from './failure.ts'
import { isOnline } from './network.ts'
import { ownerOf, session } from './session.ts'
import { loadRow, saveRow } from './storage/browser-store.ts'

export type ResourceState<T> =
  | { state: 'loading' }
  /** `asOf`: an earlier response, shown because there is no newer one. */
  | { state: 'ready'; value: T; asOf?: Date }
  | { state: 'failed'; failure: ApiFailure }
export type Resource<T> = { readonly current: ReadonlySignal<ResourceState<T>>; load(): Promise<void> }

type Cache<T> = { read(): Promise<{ at: number; value: T } | null>; write(value: T): Promise<void> }

export function resource<T>(ask: () => Promise<T>, memory?: Cache<T>): Resource<T> {
  const current = signal<ResourceState<T>>({ state: 'loading' })
  let asked = 0
  return {
    current,
    async load() {
      // The previous value stays on the screen until the new one arrives.
      if (current.value.state === 'failed') current.value = { state: 'loading' }
      const turn = ++asked
      // Offline there is nothing to wait for.
      if (!isOnline.peek() && current.value.state === 'loading') await showCached(memory, current)
      const answer = await ask().then(
        (value): ResourceState<T> => ({ state: 'ready', value }),
        (error: unknown): ResourceState<T> => ({ state: 'failed', failure: asFailure(error) }),
      )
      const next = answer.state === 'failed' ? await fallbackFor(answer, current.peek(), memory) : answer
      // A later request has already answered.
      if (turn !== asked) return
      current.value = next
      if (answer.state === 'ready') void memory?.write(answer.value)
    },
  }
}

async function showCached<T>(memory: Cache<T> | undefined, current: Signal<ResourceState<T>>): Promise<void> {
  const earlier = await memory?.read()
  if (earlier) current.value = { state: 'ready', value: earlier.value, asOf: new Date(earlier.at) }
}

/** Offline, the last known value is shown with its time. An error response is an answer and is shown. */
async function fallbackFor<T>(
  failed: Extract<ResourceState<T>, { state: 'failed' }>,
  before: ResourceState<T>,
  memory: Cache<T> | undefined,
): Promise<ResourceState<T>> {
  if (failed.failure.status !== 0) return failed
  if (before.state === 'ready') return { ...before, asOf: before.asOf ?? new Date() }
  const earlier = await memory?.read()
  return earlier ? { state: 'ready', value: earlier.value, asOf: new Date(earlier.at) } : failed
}

/**
 * Loads data while a screen shows it, and again when another tab has changed the user or the organisation. `name` identifies
 * the request with everything that `ask` depends on: another name is another request.
 */
export function useResource<T>(name: string, ask: () => Promise<T>): Resource<T> {
  const owner = ownerOf(session.value)
  const read = useMemo(
    () =>
      resource(ask, {
        read: async () => (owner === '' ? null : loadRow<T>(owner, 'read', name)),
        // Without a known user nothing is stored.
        write: async (value) => (owner === '' ? undefined : saveRow(owner, 'read', name, value)),
      }),
    [name, owner],
  )
  useEffect(() => void read.load(), [read])
  return read
}
