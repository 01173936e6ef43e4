// Parts of the composer that survive a reload: files and options.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keep, kept } from '../../../data/storage/browser-store.ts'

export const FORM = 'agent-form'

/** Changes are stored at once. Null until the stored value is loaded. */
export function useKept<T>(owner: string, name: string, initial: T): [Signal<T | null>, (value: T) => void] {
  const value = useSignal<T | null>(null)
  useEffect(() => {
    void kept<T>(owner, FORM, name).then((earlier) => {
      value.value = earlier ? earlier.value : initial
    })
  }, [owner, name])
  const put = (next: T) => {
    value.value = next
    void keep(owner, FORM, name, next)
  }
  return [value, put]
}
