// Links to the public pages, for visitors who want to know more first.
import { t } from '../../i18n/t.ts'

export const SiteLinks = () => (
  <p class="help site-links">
    <a href="/">{t('About Cowrie')}</a>
    <a href="/pricing">{t('Pricing')}</a>
    <a href="/status">{t('Status')}</a>
  </p>
)
