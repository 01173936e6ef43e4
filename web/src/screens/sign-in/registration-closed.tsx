// Shown while registration is closed.
import { t } from '../../i18n/t.ts'

export const RegistrationClosed = () => (
  <>
    <p class="help">{t('New accounts are not being opened right now. Ask for an invitation.')}</p>
    <p class="onward">
      <a href="/app/contact">{t('Write to us')}</a>
    </p>
  </>
)
