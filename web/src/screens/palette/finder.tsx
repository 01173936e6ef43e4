// Finds screens, actions, tasks, chats and invoices by name.
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { find, loadLists, type Target, targetsFor } from './targets.ts'

/** With data saver on, lists are loaded from this many letters on. */
const LETTERS = 2

export function Finder({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = useSignal('')
  const at = useSignal(0)
  const listed = useSignal<readonly Target[]>([])
  const wantsLists = !isSaving.value || asked.value.length >= LETTERS
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (wantsLists)
      loadLists((found) => {
        listed.value = [...listed.peek(), ...found]
      })
  }, [wantsLists])
  const { value } = session
  const known = targetsFor(value.state === 'in' && value.me.staffRole !== null)
  const found = find(asked.value.trim() === '' ? known : [...known, ...listed.value], asked.value)
  const chosen = found[Math.min(at.value, found.length - 1)]

  function go({ path, run }: Target) {
    dialog.current?.close()
    if (run) void run()
    else navigate(path)
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
          placeholder={t('Screen, task, chat, invoice or action')}
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
      <div id="find-list" class="found" role="listbox" aria-label={t('Results')}>
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
            <bdi>{each.name}</bdi> <span class="help">{each.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="help" role="status">
          {t('Nothing found.')}
        </p>
      )}
    </dialog>
  )
}
