// Says what changed on the screen to those who cannot see it, and takes the focus to where the new screen begins.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../identity/session.ts'

type State = Session['state']
const SAID: Partial<Record<`${State} ${State}`, string>> = { 'out in': 'Signed in.', 'in out': 'Signed out.' }

/** Silent about a session that was merely picked up again: the page itself is being read then. */
export function Announcer({ state }: { state: State }) {
  const before = useRef(state)
  const said = useSignal('')
  useEffect(() => {
    const words = SAID[`${before.current} ${state}`]
    before.current = state
    if (!words) return
    said.value = words
    document.getElementById('screen-title')?.focus()
  }, [state, said])
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  )
}
