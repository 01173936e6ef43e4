// A block of code with its language and a copy button. The frame is complete from the first line on, so that nothing
// moves while the code streams in. Highlighting starts when it is complete.
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../base/announcer.tsx'
import { highlighted } from './highlight.ts'
import { Shaded } from './shaded.tsx'

type Props = { language: string; text: string; isClosed: boolean }

export function CodeBlock({ language, text, isClosed }: Props) {
  const code = useRef<HTMLElement>(null)
  const copied = useSignal(false)
  const name = language || t('code')

  async function copy() {
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    copied.value = isDone === true
    // Without clipboard access, select the code so that one key copies it.
    if (!isDone && code.current) getSelection()?.selectAllChildren(code.current)
    announce(isDone ? t('Copied.') : t('Selected. Press copy.'))
  }

  const isColoured = isClosed && !isSaving.value
  const drawn = useMemo(() => draw(text, isColoured ? language : ''), [text, language, isColoured])
  return (
    <div class="code-block" dir="ltr">
      <div class="code-head">
        <span>{name}</span>
        <button type="button" aria-label={t('Copy {name}', { name })} onClick={() => void copy()}>
          {copied.value ? t('Copied') : t('Copy')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <figure tabIndex={0} aria-label={t('Code: {name}', { name })}>
        <pre>
          <code ref={code}>{drawn}</code>
        </pre>
      </figure>
    </div>
  )
}

function draw(text: string, language: string) {
  const pieces = language ? highlighted(text, language) : null
  if (!pieces) return text
  return <Shaded pieces={pieces} />
}
