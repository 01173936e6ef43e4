// What a stranger sees first: what this is, the ways in, and that the service answers.
import { SignIn } from '../sign-in/sign-in.tsx'
import { About } from './about.tsx'

export const Welcome = () => (
  <div class="front">
    <div class="welcome">
      <h1 id="screen-title" tabIndex={-1}>
        AI coding, prepaid.
      </h1>
      <p>One gateway to the models, a wallet in your own currency, and a price you know before each run.</p>
    </div>
    <SignIn />
    <About />
  </div>
)
