// The frame every screen stands in: bar, woven band, one screen, and a voice for those who listen.
import { Account } from '../identity/account.tsx'
import { resume, type Session, session } from '../identity/session.ts'
import { SignIn } from '../identity/sign-in.tsx'
import { About } from './about.tsx'
import { Announcer } from './announcer.tsx'
import { Refusal } from './refusal.tsx'

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
      return (
        <>
          <Welcome />
          <SignIn />
        </>
      )
    case 'asking':
      return <Account me={null} />
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
    <h1 id="screen-title" tabIndex={-1}>
      AI coding, prepaid.
    </h1>
    <p>One gateway to the models, a wallet in your own currency, and a price you know before each run.</p>
  </div>
)

const Shell = () => (
  <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <path fill="currentColor" d="M16 2c8 0 12 7 12 14s-4 14-12 14S4 23 4 16 8 2 16 2Z" />
    <path
      class="teeth"
      d="M16 7v18M12.5 10H16M12.5 14H16M12.5 18H16M12.5 22H16M16 12h3.5M16 16h3.5M16 20h3.5"
    />
  </svg>
)
