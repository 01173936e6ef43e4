// Marks payments in test mode.
import { t } from '../../../i18n/t.ts'

export const TestModeNotice = () => (
  <p class="play-money">
    <strong>{t('Test mode.')}</strong> {t('Nothing is charged.')}
  </p>
)
