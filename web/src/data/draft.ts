// Text that was typed and not sent. It survives a reload, an empty battery and a lost network.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ownerOf, session } from './session.ts'
import { deleteRow, loadRow, saveRow } from './storage/browser-store.ts'

const SETTLE_MS = 300

/** The draft with this name as a signal. Changes are stored; an empty text deletes the draft. */
export function useDraft(name: string): Signal<string> {
  const text = useSignal('')
  const owner = ownerOf(session.value)
  /** The text as it is stored. */
  const saved = useRef('')
  function save(): void {
    const now = text.peek()
    if (now === saved.current) return
    saved.current = now
    void (now === '' ? deleteRow(owner, 'draft', name) : saveRow(owner, 'draft', name, now))
  }
  useEffect(() => {
    let isCurrent = true
    void loadRow<string>(owner, 'draft', name).then((draft) => {
      // Text typed before the draft was read wins.
      if (!isCurrent || !draft || text.peek() !== '') return
      saved.current = draft.value
      text.value = draft.value
    })
    return () => {
      isCurrent = false
      // Store the last changes when the screen closes. The next draft starts empty.
      save()
      saved.current = ''
      text.value = ''
    }
  }, [owner, name])
  const current = text.value
  useEffect(() => {
    const timer = setTimeout(save, SETTLE_MS)
    // A page that is closed or put in the background may never run the timer.
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', save)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', save)
    }
  }, [current, owner, name])
  return text
}
