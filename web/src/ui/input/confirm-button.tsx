// A button that asks for confirmation before an action that cannot be undone.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../base/error-notice.tsx'

type Props = {
  /** The text of the button; `name` tells screen readers which item it is about. */
  label: string
  name: string
  question: string
  children: ComponentChildren
  act: () => Promise<void>
}

export function ConfirmButton({ label, name, question, children, act }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { run, busy, failure, reset } = useAction(act)
  const close = () => dialog.current?.close()
  return (
    <>
      <button
        type="button"
        aria-label={t('{action} {name}', { action: label, name })}
        onClick={() => {
          reset()
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={question}>
        <h2>{question}</h2>
        {children}
        {failure.value && <ErrorNotice failure={failure.value} />}
        <div class="choices">
          <button type="button" onClick={close}>
            {t('Go back')}
          </button>
          <button type="button" class="grave" aria-disabled={busy.value} onClick={() => void run()}>
            {label}
          </button>
        </div>
      </dialog>
    </>
  )
}
