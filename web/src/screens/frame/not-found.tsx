import { t } from '../../i18n/t.ts'
import { Sheet } from '../../ui/base/sheet.tsx'

const NotFound = () => (
  <Sheet title={t('There is nothing here')}>
    <p>{t('The address is wrong, or what was here has moved.')}</p>
    <p class="onward">
      <a href="/app">{t('Go to the start')}</a>
    </p>
  </Sheet>
)

export default NotFound
