// Finds a screen by name.
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { find, type ScreenMatch, targetsFor } from './targets.ts'

export function Finder({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = useSignal('')
  const at = useSignal(0)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const { value } = session
  const found = find(targetsFor(value.state === 'in' && value.me.staffRole !== null), asked.value)
  const chosen = found[Math.min(at.value, found.length - 1)]

  function go({ path }: ScreenMatch) {
    dialog.current?.close()
    navigate(path)
  }

  function press(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined || found.length === 0) return
    event.preventDefault()
    at.value = (Math.min(at.value, found.length - 1) + by + found.length) % found.length
    document.getElementById(`find-${found[at.value]?.path}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <dialog ref={dialog} class="finder" aria-label={t('Go to')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen) go(chosen)
        }}
      >
        <input
          id="find"
          type="text"
          role="combobox"
          aria-label={t('Go to')}
          aria-expanded="true"
          aria-controls="find-list"
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `find-${chosen.path}` : undefined}
          placeholder={t('Screen name')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          dir="auto"
          value={asked.value}
          onInput={(event) => {
            asked.value = event.currentTarget.value
            at.value = 0
          }}
          onKeyDown={press}
        />
      </form>
      <div id="find-list" class="found" role="listbox" aria-label={t('Screens')}>
        {found.map((each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users choose from the field above.
          <div
            key={each.path}
            id={`find-${each.path}`}
            role="option"
            tabIndex={-1}
            aria-selected={each === chosen}
            onClick={() => go(each)}
          >
            <span>{each.name}</span> <span class="help">{each.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="help" role="status">
          {t('No matching screen.')}
        </p>
      )}
    </dialog>
  )
}
