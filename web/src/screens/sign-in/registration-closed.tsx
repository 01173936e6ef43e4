// Shown while registration is closed.
import { t } from '../../i18n/t.ts'

export const RegistrationClosed = () => (
  <>
    <p class="help">{t('Registration is closed. Ask for an invitation.')}</p>
    <p class="onward">
      <a href="/app/contact">{t('Contact us')}</a>
    </p>
  </>
)
