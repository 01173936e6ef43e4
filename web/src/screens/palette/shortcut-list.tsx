// The keyboard shortcuts.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { msg, t } from '../../i18n/t.ts'
import { modifierName } from '../shared/modifier-key.ts'

type Key = readonly [keys: readonly string[], words: string]

const KEYS: readonly Key[] = [
  [['g', 'h'], msg('Home')],
  [['g', 't'], msg('Tasks')],
  [['g', 'c'], msg('Chat')],
  [['g', 'w'], msg('Wallet')],
  [['g', 'r'], msg('Research')],
  [['/'], msg('Search on this screen')],
  [['j'], msg('Next row')],
  [['k'], msg('Previous row')],
  [['n'], msg('Next change')],
  [['p'], msg('Previous change')],
  [['Mod', 'K'], msg('Find anything')],
  [['Mod', 'Enter'], msg('Run or send')],
  [['Esc'], msg('Stop or close')],
  [['?'], msg('Show shortcuts')],
]

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog} aria-label={t('Keyboard')} onClose={onClose}>
      <h2>{t('Keyboard')}</h2>
      <dl class="keys">
        {KEYS.map(([keys, words]) => (
          <div key={words}>
            <dt>{t(words)}</dt>
            <dd>
              <bdi dir="ltr">
                {keys.map((key) => (
                  <kbd key={key}>{key === 'Mod' ? modifierName() : key}</kbd>
                ))}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div class="choices">
        <a class="button" href="/app/settings" onClick={close}>
          {t('Turn off shortcuts')}
        </a>
        <button type="button" onClick={close}>
          {t('Close')}
        </button>
      </div>
    </dialog>
  )
}
