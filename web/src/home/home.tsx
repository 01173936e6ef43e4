// The first screen of who is signed in: what is left, what happened, and what to do next.
import { About } from '../app/about.tsx'
import { session } from '../identity/session.ts'
import { Account } from './account.tsx'

export default function Home() {
  return (
    <>
      <Account me={session.value.state === 'in' ? session.value.me : null} />
      <About />
    </>
  )
}
