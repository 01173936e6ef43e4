// Banner of a suspended organisation: what still works, and where to ask.
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'

const SuspendedBanner = () => (
  <p class="suspended-band" role="status">
    <strong>{t('This organisation is suspended.')}</strong>{' '}
    <Trans
      text="Paid work is stopped. You can still read and export your data, and your balance stays yours. {contact}"
      contact={<a href="/app/contact">{t('Contact us')}</a>}
    />
  </p>
)

export default SuspendedBanner
