import { t } from '../../i18n/t.ts'
import { Sheet } from '../../ui/base/sheet.tsx'

const NotFound = () => (
  <Sheet title={t('Page not found')}>
    <p>{t('The address is wrong or the page has moved.')}</p>
    <p class="onward">
      <a href="/app">{t('Go to home')}</a>
    </p>
  </Sheet>
)

export default NotFound
