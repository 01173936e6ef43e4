// What somebody has typed and not sent: it survives a reload, a dead battery and a lost signal.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nameOf, session } from './session.ts'
import { drop, keep, kept } from './storage/browser-store.ts'

const SETTLE_MS = 300

/** The draft with this name, as a signal; what is put into it is kept. An empty text is no draft. */
export function useDraft(name: string): Signal<string> {
  const text = useSignal('')
  const owner = nameOf(session.value)
  /** As the browser has it. */
  const saved = useRef('')
  function save(): void {
    const now = text.peek()
    if (now === saved.current) return
    saved.current = now
    void (now === '' ? drop(owner, 'draft', name) : keep(owner, 'draft', name, now))
  }
  useEffect(() => {
    let isCurrent = true
    void kept<string>(owner, 'draft', name).then((draft) => {
      // Whoever began to type before it was read goes on with that.
      if (!isCurrent || !draft || text.peek() !== '') return
      saved.current = draft.value
      text.value = draft.value
    })
    return () => {
      isCurrent = false
      // Also what was typed, or sent and taken away, a moment before the screen was left; another draft begins empty.
      save()
      saved.current = ''
      text.value = ''
    }
  }, [owner, name])
  const current = text.value
  useEffect(() => {
    const timer = setTimeout(save, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [current, owner, name])
  return text
}
