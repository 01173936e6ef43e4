// Parts of the composer that survive a reload: files and options.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { loadRow, saveRow } from '../../../data/storage/browser-store.ts'

export const FORM_KIND = 'agent-form'

/** Changes are stored at once. Null until the stored value is loaded. */
export function useStored<T>(
  owner: string,
  name: string,
  initial: T,
): [Signal<T | null>, (value: T) => void] {
  const value = useSignal<T | null>(null)
  useEffect(() => {
    void loadRow<T>(owner, FORM_KIND, name).then((earlier) => {
      value.value = earlier ? earlier.value : initial
    })
  }, [owner, name])
  const put = (next: T) => {
    value.value = next
    void saveRow(owner, FORM_KIND, name, next)
  }
  return [value, put]
}
