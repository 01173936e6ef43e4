// The first screen for visitors: what Cowrie is, sign-in, and the status of the service.

import { t } from '../../i18n/t.ts'
import { About } from '../shared/about.tsx'
import { SignIn } from './sign-in.tsx'

const Welcome = () => (
  <div class="front">
    <div class="welcome">
      <h1 id="screen-title" tabIndex={-1}>
        {t('AI coding, prepaid.')}
      </h1>
      <p>
        {t('One gateway to the models, a wallet in your own currency, and a price you know before each run.')}
      </p>
    </div>
    <SignIn />
    <About />
  </div>
)

export default Welcome
