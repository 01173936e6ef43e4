// Something read from the service, in the one state it is in.
import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type ApiFailure, asFailure, get } from '../api.ts'
import { nameOf, session } from '../identity/session.ts'

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; failure: ApiFailure }
export type Resource<T> = { readonly current: ReadonlySignal<Loaded<T>>; load(): Promise<void> }

export function resource<T>(path: string): Resource<T> {
  const current = signal<Loaded<T>>({ state: 'loading' })
  let asked = 0
  return {
    current,
    async load() {
      // What was read before stays on the screen until the new answer is there.
      if (current.value.state !== 'ready') current.value = { state: 'loading' }
      const turn = ++asked
      const answer = await get<T>(path).then(
        (value): Loaded<T> => ({ state: 'ready', value }),
        (error: unknown): Loaded<T> => ({ state: 'failed', failure: asFailure(error) }),
      )
      // An answer that was overtaken by a later one is out of date.
      if (turn === asked) current.value = answer
    },
  }
}

/** Reads something for as long as a screen shows it, and again when another tab has changed who or where we are. */
export function useResource<T>(path: string): Resource<T> {
  const read = useMemo(() => resource<T>(path), [path])
  const reader = nameOf(session.value)
  useEffect(() => void read.load(), [read, reader])
  return read
}
