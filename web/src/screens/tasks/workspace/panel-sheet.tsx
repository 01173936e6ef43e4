// The workspace on a phone: a sheet over the conversation.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'

export function PanelSheet({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="panel-sheet" aria-label={t('Workspace')} onClose={onClose}>
      <p class="sheet-head">
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          {t('Back to the conversation')}
        </button>
      </p>
      {children}
    </dialog>
  )
}
