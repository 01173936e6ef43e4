// Something read from the service, in the one state it is in.
import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiFailure, get } from '../api.ts'

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; failure: ApiFailure }
export type Resource<T> = { readonly current: ReadonlySignal<Loaded<T>>; load(): Promise<void> }

export function resource<T>(path: string): Resource<T> {
  const current = signal<Loaded<T>>({ state: 'loading' })
  return {
    current,
    async load() {
      current.value = { state: 'loading' }
      current.value = await get<T>(path).then(
        (value): Loaded<T> => ({ state: 'ready', value }),
        (error: unknown): Loaded<T> => ({ state: 'failed', failure: asFailure(error) }),
      )
    },
  }
}

/** What is not a failed call is a bug, and is not shown as one. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  throw error
}
