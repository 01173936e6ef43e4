// The hunks that this person has accepted, in this browser only. The service does not need to know.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ownerOf, session } from '../../../data/session.ts'
import { loadRow, saveRow } from '../../../data/storage/browser-store.ts'

const KIND = 'task-accepted'
const MARKS_MAX = 5_000

export type AcceptedChanges = {
  readonly marks: Signal<ReadonlySet<string>>
  set(marks: readonly string[], isOn: boolean): void
}

export function useAccepted(taskId: string): AcceptedChanges {
  const owner = ownerOf(session.value)
  const marks = useSignal<ReadonlySet<string>>(new Set())
  useEffect(() => {
    void loadRow<string[]>(owner, KIND, taskId).then((row) => {
      marks.value = new Set(row?.value ?? [])
    })
  }, [owner, taskId])
  return {
    marks,
    set(changed, isOn) {
      const next = new Set(marks.value)
      for (const mark of changed)
        if (isOn) next.add(mark)
        else next.delete(mark)
      marks.value = next
      void saveRow(owner, KIND, taskId, [...next].slice(-MARKS_MAX))
    },
  }
}
