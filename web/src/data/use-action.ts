// The action of a button: runs once at a time and keeps its error.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { type ApiFailure, asFailure } from './failure.ts'

export type Action<A extends unknown[]> = {
  /** Does nothing while the previous run is pending. */
  run(...args: A): Promise<void>
  readonly busy: ReadonlySignal<boolean>
  readonly failure: ReadonlySignal<ApiFailure | null>
  /** Clears the error. */
  reset(): void
}

export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>): Action<A> {
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | null>(null)
  return {
    busy,
    failure,
    reset() {
      failure.value = null
    },
    async run(...args) {
      if (busy.value) return
      busy.value = true
      failure.value = null
      try {
        await act(...args)
      } catch (error) {
        failure.value = asFailure(error)
      } finally {
        busy.value = false
      }
    },
  }
}
