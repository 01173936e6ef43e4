// Rename, change the mode of, archive and delete a conversation.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import type { Conversation } from './conversation/conversation-types.ts'
import { loadThreads } from './thread-store.ts'

type Props = { id: string; title: string; conversation: Conversation }

export function ThreadMenu({ id, title, conversation }: Props) {
  const open = useSignal<'rename' | 'delete' | null>(null)
  const close = () => {
    open.value = null
  }
  const known = conversation.thread.value
  const change = useAction(async (edit: Parameters<Conversation['change']>[0], said: string) => {
    await conversation.change(edit)
    announce(said)
    await Promise.all([loadThreads(false), loadThreads(true)])
  })
  if (!known) return null
  const { archived, mode } = known
  return (
    <div class="thread-menu">
      <Menu label={t('More actions')}>
        <button type="button" onClick={() => (open.value = 'rename')}>
          {t('Rename')}
        </button>
        <button
          type="button"
          onClick={() =>
            void change.run(
              { mode: mode === 'code' ? 'general' : 'code' },
              mode === 'code' ? t('Code mode is off.') : t('Code mode is on. Answers start with code.'),
            )
          }
        >
          {mode === 'code' ? t('Turn off code mode') : t('Turn on code mode')}
        </button>
        <button
          type="button"
          onClick={() => void change.run({ archived: !archived }, archived ? t('Restored.') : t('Archived.'))}
        >
          {archived ? t('Restore from archive') : t('Archive')}
        </button>
        <button type="button" class="grave" onClick={() => (open.value = 'delete')}>
          {t('Delete')}
        </button>
      </Menu>
      {change.failure.value && <ErrorNotice failure={change.failure.value} />}
      {open.value === 'rename' && (
        <Dialog
          label={t('Save')}
          question={t('Rename this chat')}
          fields={['title']}
          onClose={close}
          act={async (form) => {
            await conversation.change({ title: textOf(form, 'title').trim() })
            void loadThreads(false)
            announce(t('Saved.'))
          }}
        >
          {(failure) => (
            <Field
              name="title"
              label={t('Name')}
              value={title}
              dir="auto"
              required
              maxLength={200}
              failure={failure}
            />
          )}
        </Dialog>
      )}
      {open.value === 'delete' && (
        <Dialog
          label={t('Delete chat')}
          question={t('Delete “{title}”?', { title })}
          look="grave"
          onClose={close}
          act={async () => {
            await api.chat.threads.delete(id)
            void loadThreads(false)
            navigate('/app/chat', { replace: true })
            announce(t('Chat deleted.'))
          }}
        >
          <p>
            {conversation.live.value
              ? t('Stop the answer before you delete the chat.')
              : t('All messages are deleted. Their costs stay in your ledger.')}
          </p>
        </Dialog>
      )}
    </div>
  )
}
