// What somebody has typed and not sent: it survives a reload, a dead battery and a lost signal.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nameOf, session } from '../identity/session.ts'
import { drop, keep, kept } from './store.ts'

const SETTLE_MS = 300

/** The draft with this name, as a signal; what is put into it is kept. An empty text is no draft. */
export function useDraft(name: string): Signal<string> {
  const text = useSignal('')
  const owner = nameOf(session.value)
  const isTouched = useRef(false)
  useEffect(() => {
    isTouched.current = false
    void kept<string>(owner, 'draft', name).then((draft) => {
      // Whoever began to type before it was read goes on with that.
      if (draft && text.peek() === '') text.value = draft.value
    })
  }, [owner, name])
  const current = text.value
  useEffect(() => {
    if (current === '' && !isTouched.current) return
    isTouched.current = true
    const timer = setTimeout(
      () => void (current === '' ? drop(owner, 'draft', name) : keep(owner, 'draft', name, current)),
      SETTLE_MS,
    )
    return () => clearTimeout(timer)
  }, [current, owner, name])
  return text
}
