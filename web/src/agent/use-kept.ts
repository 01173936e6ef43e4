// Something of the composer that survives a reload: its files, and how it is to be done.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keep, kept } from '../app/store.ts'

export const FORM = 'agent-form'

/** What is put in is kept at once; what was kept is there a moment after the first paint, unless something was put in before. */
export function useKept<T>(owner: string, name: string, initial: T): [Signal<T>, (value: T) => void] {
  const value = useSignal(initial)
  useEffect(() => {
    void kept<T>(owner, FORM, name).then((earlier) => {
      if (earlier && value.peek() === initial) value.value = earlier.value
    })
  }, [owner, name])
  const put = (next: T) => {
    value.value = next
    void keep(owner, FORM, name, next)
  }
  return [value, put]
}
