// A text with a copy button.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../../i18n/t.ts'
import { announce } from './announcer.tsx'

type Props = { text: string; shown?: string; label: string; lines?: boolean }

/** Without clipboard access the text is selected, so that one key copies it. */
export function Copyable({ text, shown = text, label, lines = false }: Props) {
  const code = useRef<HTMLElement>(null)
  const copied = useSignal(false)

  async function copy() {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    copied.value = done === true
    if (!done && code.current) getSelection()?.selectAllChildren(code.current)
    announce(done ? t('Copied.') : t('Selected. Press copy.'))
  }

  return (
    <div class="copyable">
      <code ref={code} dir="ltr" class={lines ? 'lines' : ''} data-testid="copyable">
        {shown}
      </code>
      <button type="button" aria-label={t('Copy {what}', { what: label })} onClick={() => void copy()}>
        {copied.value ? t('Copied') : t('Copy')}
      </button>
    </div>
  )
}
