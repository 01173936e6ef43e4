// The frame every screen stands in: bar, woven band, one screen, and a voice for those who listen.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { AccountNav } from '../identity/account-nav.tsx'
import { resume, type Session, session } from '../identity/session.ts'
import { FormPlaceholder } from '../sign-in/form-placeholder.tsx'
import { Announcer } from './announcer.tsx'
import { forgetNext } from './next.ts'
import { goTo, place } from './place.ts'
import { Refusal } from './refusal.tsx'
import { detour, type Screen, screenAt } from './screens.tsx'

export function App() {
  const current = session.value
  const screen = screenAt(place.value.path)
  const elsewhere = detour(place.value, current)
  useLayoutEffect(() => {
    // What the link brought along comes along: a device's code outlives the sign-in it asks for.
    if (elsewhere) goTo(elsewhere, { replace: true, secrets: place.peek().secrets, kept: place.peek().kept })
    else if (current.state === 'in') forgetNext()
  }, [elsewhere, current.state])
  useArrival(screen, elsewhere === null)
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/app">
          <Shell />
          Cowrie
        </a>
        <nav aria-label="Main">
          <a href="/docs">Reference</a>
        </nav>
      </header>
      <div class="weave" aria-hidden="true" />
      <main id="main" tabIndex={-1}>
        <AccountNav />
        {elsewhere === null && <Shown screen={screen} current={current} />}
      </main>
      <Announcer state={current.state} />
    </>
  )
}

function Shown({ screen, current }: { screen: Screen; current: Session }) {
  const { View } = screen
  if (screen.for === 'anyone') return <View />
  if (current.state === 'failed')
    return (
      <section class="sheet">
        <Refusal failure={current.failure} retry={resume} />
      </section>
    )
  if (current.state === 'asking' && place.value.path !== '/app')
    return (
      <section class="sheet narrow" aria-busy="true">
        <FormPlaceholder />
      </section>
    )
  return <View />
}

/** The title follows the screen; from the second screen on the focus does too, so that it is read from its beginning. */
function useArrival({ title }: Screen, isHere: boolean): void {
  const { path } = place.value
  const last = useRef<string | null>(null)
  useEffect(() => {
    if (!isHere) return
    document.title = `${title} · Cowrie`
    if (last.current !== null && last.current !== path) document.getElementById('screen-title')?.focus()
    last.current = path
  }, [path, title, isHere])
}

const Shell = () => (
  <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <path fill="currentColor" d="M16 2c8 0 12 7 12 14s-4 14-12 14S4 23 4 16 8 2 16 2Z" />
    <path
      class="teeth"
      d="M16 7v18M12.5 10H16M12.5 14H16M12.5 18H16M12.5 22H16M16 12h3.5M16 16h3.5M16 20h3.5"
    />
  </svg>
)
