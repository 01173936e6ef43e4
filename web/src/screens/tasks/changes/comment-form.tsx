// A comment on a line. It continues the conversation.
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'

type Props = { line: number; onSend: (text: string) => void; onClose: () => void }

export function CommentForm({ line, onSend, onClose }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const text = useSignal('')
  const id = useId()
  useEffect(() => field.current?.focus(), [])
  const send = () => {
    if (text.value.trim() === '') return
    onSend(text.value.trim())
    onClose()
  }
  return (
    <form
      class="line-form"
      dir="auto"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <label for={id}>{t('What should change at line {line}?', { line })}</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <div class="line-form-actions">
        <button type="submit" disabled={text.value.trim() === ''}>
          {t('Add to message')}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  )
}
