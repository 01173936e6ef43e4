// The frame every screen stands in: bar, woven band, one screen, and a voice for those who listen.
import { useEffect, useRef } from 'preact/hooks'
import { Account, AccountPlaceholder } from '../identity/account.tsx'
import { resume, type Session, session } from '../identity/session.ts'
import { SignIn } from '../identity/sign-in.tsx'
import { Refusal } from './refusal.tsx'
import { About } from './about.tsx'

export function App() {
  const current = session.value
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
        {current.state !== 'in' && <Welcome />}
        <Screen current={current} />
        <About />
      </main>
      <Announcer state={current.state} />
    </>
  )
}

function Screen({ current }: { current: Session }) {
  switch (current.state) {
    case 'out':
      return <SignIn />
    case 'asking':
      return <AccountPlaceholder />
    case 'in':
      return <Account me={current.me} />
    case 'failed':
      return (
        <section class="sheet">
          <Refusal failure={current.failure} retry={resume} />
        </section>
      )
  }
}

const Welcome = () => (
  <div class="welcome">
    <h1>AI coding, prepaid.</h1>
    <p>One gateway to the models, a wallet in your own currency, and a price you know before each run.</p>
  </div>
)

/** Says what changed on the screen to those who cannot see it. Silent at first: the page itself is read then. */
function Announcer({ state }: { state: Session['state'] }) {
  const before = useRef(state)
  const text = useRef('')
  useEffect(() => {
    before.current = state
  }, [state])
  if (state === 'in' && before.current !== 'in') text.current = 'Signed in.'
  if (state === 'out' && before.current === 'in') text.current = 'Signed out.'
  return (
    <p class="unseen" role="status">
      {text.current}
    </p>
  )
}

const Shell = () => (
  <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <path fill="currentColor" d="M16 2c8 0 12 7 12 14s-4 14-12 14S4 23 4 16 8 2 16 2Z" />
    <path class="teeth" d="M16 7v18M12.5 10H16M12.5 14H16M12.5 18H16M12.5 22H16M16 12h3.5M16 16h3.5M16 20h3.5" />
  </svg>
)
