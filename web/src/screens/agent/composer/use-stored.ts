// Something of the composer that survives a reload: its files, and how it is to be done.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keep, kept } from '../../../data/storage/browser-store.ts'

export const FORM = 'agent-form'

/** What is put in is kept at once. Null until it is known what was kept before. */
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
