// The security of the account: password, two-step sign-in, passkeys.

import { t } from '../../../i18n/t.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { ChangeEmail } from './change-email.tsx'
import { ChangePassword } from './change-password.tsx'
import { Github } from './github.tsx'
import { Mfa } from './mfa.tsx'
import { Passkeys } from './passkeys.tsx'

const Security = () => (
  <Page title={t('Security')} width="reading">
    <Mfa />
    <Passkeys />
    <Github />
    <ChangeEmail />
    <ChangePassword />
  </Page>
)

export default Security
