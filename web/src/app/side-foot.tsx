// Below the places, where there is a keyboard: how to get around by it, and what this visit has cost in bytes.
import { t } from '../i18n/t.ts'
import { bytesSpent } from './data-saver.ts'
import { hasShortcuts, modifierName, open } from './shortcuts.ts'
import { size } from './words.ts'

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
