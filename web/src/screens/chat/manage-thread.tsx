// Rename, change mode, archive and delete a conversation.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { ConfirmButton } from '../../ui/input/confirm-button.tsx'
import type { Conversation } from './conversation/conversation-types.ts'
import { loadThreads } from './thread-store.ts'

type Props = { id: string; title: string; conversation: Conversation }

export function ManageThread({ id, title, conversation }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const known = conversation.thread.value
  const isBusy = conversation.live.value !== null
  const archive = useAction(async () => {
    const isArchived = conversation.thread.peek()?.archived === true
    await conversation.change({ archived: !isArchived })
    announce(isArchived ? t('Unarchived.') : t('Archived.'))
    menu.current?.removeAttribute('open')
    await Promise.all([loadThreads(false), loadThreads(true)])
  })

  async function remove() {
    await api.chat.threads.delete(id)
    void loadThreads(false)
    navigate('/app/chat', { replace: true })
    announce(t('Chat deleted.'))
  }

  if (!known) return null
  return (
    <details class="manage" ref={menu}>
      <summary>{t('Manage')}</summary>
      <div class="menu">
        <div class="choices">
          <Rename conversation={conversation} title={title} mode={known.mode} />
          <button type="button" aria-disabled={archive.busy.value} onClick={() => void archive.run()}>
            {known.archived ? t('Unarchive') : t('Archive')}
          </button>
          <ConfirmButton
            label={t('Delete')}
            name={title}
            question={t('Delete “{title}”?', { title })}
            act={remove}
          >
            <p>
              {isBusy
                ? t('Stop the answer before you delete the chat.')
                : t('All messages are deleted. Their costs stay in your ledger.')}
            </p>
          </ConfirmButton>
        </div>
        {archive.failure.value && <ErrorNotice failure={archive.failure.value} />}
      </div>
    </details>
  )
}

type RenameProps = { conversation: Conversation; title: string; mode: 'general' | 'code' }

function Rename({ conversation, title, mode }: RenameProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = useSignal(false)
  const rename = useAction(async (form: FormData) => {
    await conversation.change({
      title: textOf(form, 'title').trim(),
      mode: textOf(form, 'mode') === 'code' ? 'code' : 'general',
    })
    void loadThreads(false)
    dialog.current?.close()
    announce(t('Saved.'))
  })
  function open() {
    isOpen.value = true
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" onClick={open}>
        {t('Rename')}
      </button>
      <dialog
        ref={dialog}
        aria-label={t('Rename this chat')}
        onClose={() => {
          isOpen.value = false
        }}
      >
        <h2>{t('Rename this chat')}</h2>
        {isOpen.value && (
          <Form action={rename} submit={t('Save')} busy={t('Saving …')} fields={['title']}>
            <Field
              name="title"
              label={t('Name')}
              value={title}
              dir="auto"
              required
              maxLength={200}
              failure={rename.failure.value}
            />
            <div class="field">
              <label for="mode">{t('Mode')}</label>
              <select id="mode" name="mode" defaultValue={mode}>
                <option value="general">{t('General')}</option>
                <option value="code">{t('Code: answers lead with code')}</option>
              </select>
            </div>
          </Form>
        )}
        <div class="choices">
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('Cancel')}
          </button>
        </div>
      </dialog>
    </>
  )
}
