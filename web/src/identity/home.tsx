// The first screen of who is signed in. Its geometry is the same while we ask who that is.
import { About } from '../app/about.tsx'
import { Account } from './account.tsx'
import { session } from './session.ts'

export const Home = () => (
  <>
    <Account me={session.value.state === 'in' ? session.value.me : null} />
    <About />
  </>
)
