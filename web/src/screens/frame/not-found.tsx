import { t } from '../../i18n/t.ts'
import { Page } from '../../ui/base/sheet.tsx'

const NotFound = () => (
  <Page title={t('Page not found')} width="narrow">
    <p>{t('The address is wrong or the page has moved.')}</p>
    <p class="onward">
      <a href="/app">{t('Go to home')}</a>
    </p>
  </Page>
)

export default NotFound
