// Stands in place of the staff console until the session has a second factor.
import { t } from '../../../i18n/t.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { ConfirmFactor } from './confirm-factor.tsx'

const StaffGate = () => (
  <Page title={t('Confirm that it is you')} width="narrow">
    <p>{t('The staff console needs a second factor: a code of your authenticator app, or a passkey.')}</p>
    <ConfirmFactor />
  </Page>
)

export default StaffGate
