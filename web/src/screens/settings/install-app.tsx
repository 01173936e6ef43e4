// Installs the app, or says how where the browser offers no button.
import { installOffer } from '../../data/preferences/install-offer.ts'
import { t } from '../../i18n/t.ts'

export function InstallApp() {
  const offer = installOffer()
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  const isApple = /iPhone|iPad/.test(navigator.userAgent)
  if (isInstalled || (!offer && !isApple)) return null
  return (
    <div class="setting">
      <div>
        <p class="setting-name">{t('Install the app')}</p>
        <p class="help">
          {offer
            ? t('Opens from your home screen, in its own window.')
            : t('Tap Share, then “Add to Home Screen”.')}
        </p>
      </div>
      {offer && (
        <button type="button" onClick={() => void offer.prompt()}>
          {t('Install')}
        </button>
      )}
    </div>
  )
}
