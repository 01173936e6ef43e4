// The security of the account: password, two-step sign-in, passkeys.

import { t } from '../../../i18n/t.ts'
import { Sheet } from '../../../ui/base/sheet.tsx'
import { ChangePassword } from './change-password.tsx'
import { Github } from './github.tsx'
import { Mfa } from './mfa.tsx'
import { Passkeys } from './passkeys.tsx'

const Security = () => (
  <Sheet title={t('Security')} wide>
    <Mfa />
    <Passkeys />
    <Github />
    <ChangePassword />
  </Sheet>
)

export default Security
