// Says what changed on the screen to those who cannot see it.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { msg, t } from '../i18n/t.ts'
import type { Session } from '../identity/session.ts'

const said = signal('')

/** The same words twice in a row are said twice. */
export function announce(words: string): void {
  said.value = said.value === words ? `${words}\u00a0` : words
}

type State = Session['state']
const SAID: Partial<Record<`${State} ${State}`, string>> = {
  'out in': msg('Signed in.'),
  'in out': msg('Signed out.'),
}

/** Silent about a session that was merely picked up again: the page itself is being read then. */
export function Announcer({ state }: { state: State }) {
  const before = useRef(state)
  useEffect(() => {
    const words = SAID[`${before.current} ${state}`]
    before.current = state
    if (words) announce(t(words))
  }, [state])
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  )
}
