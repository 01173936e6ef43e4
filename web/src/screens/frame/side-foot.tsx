// Below the navigation: keyboard shortcuts and the bytes of this visit.

import { bytesLoaded } from '../../data/preferences/data-saver.ts'
import { hasShortcuts } from '../../data/preferences/switches.ts'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { modifierName } from '../shared/modifier-key.ts'
import { openDialog } from './shortcuts.ts'

export const SideFoot = () => (
  <div class="side-foot">
    {hasShortcuts.value && (
      <>
        <button
          type="button"
          class="plain"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => openDialog('openPalette')}
        >
          {t('Go to …')} <kbd dir="ltr">{modifierName()} K</kbd>
        </button>
        <button type="button" class="plain" aria-keyshortcuts="?" onClick={() => openDialog('openHelp')}>
          {t('Keyboard')} <kbd dir="ltr">?</kbd>
        </button>
      </>
    )}
    <p class="help">{t('This visit: {size}', { size: formatBytes(bytesLoaded.value) })}</p>
  </div>
)
