// Below the navigation: keyboard shortcuts and the bytes of this visit.

import { bytesSpent } from '../../data/preferences/data-saver.ts'
import { hasShortcuts } from '../../data/preferences/switches.ts'
import { size } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { modifierName } from '../shared/modifier-key.ts'
import { open } from './shortcuts.ts'

export const SideFoot = () => (
  <div class="side-foot">
    {hasShortcuts.value && (
      <>
        <button
          type="button"
          class="plain"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => open('openPalette')}
        >
          {t('Go to …')} <kbd dir="ltr">{modifierName()} K</kbd>
        </button>
        <button type="button" class="plain" aria-keyshortcuts="?" onClick={() => open('openHelp')}>
          {t('Keyboard')} <kbd dir="ltr">?</kbd>
        </button>
      </>
    )}
    <p class="help">{t('This visit: {size}', { size: size(bytesSpent.value) })}</p>
  </div>
)
