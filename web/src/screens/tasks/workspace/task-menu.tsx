// Rename, archive and delete a task.
import type { Task } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { navigate } from '../../../router/location.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { Menu } from '../../../ui/layout/menu.tsx'

type Props = { task: Task; onChange: () => Promise<void>; onCost: () => void }

export function TaskMenu({ task, onChange, onCost }: Props) {
  const open = useSignal<'rename' | 'delete' | null>(null)
  const close = () => {
    open.value = null
  }
  const archive = useAction(async () => {
    const archived = !task.archived
    await api.tasks.patch(task.id, { archived })
    announce(archived ? t('Archived.') : t('Restored.'))
    await onChange()
  })
  return (
    <>
      <Menu label={t('More actions')}>
        <button type="button" onClick={() => (open.value = 'rename')}>
          {t('Rename')}
        </button>
        <button type="button" onClick={onCost}>
          {t('Cost and budget')}
        </button>
        <button type="button" onClick={() => void archive.run()}>
          {task.archived ? t('Restore from archive') : t('Archive')}
        </button>
        <button type="button" class="grave" onClick={() => (open.value = 'delete')}>
          {t('Delete')}
        </button>
      </Menu>
      {archive.failure.value && <ErrorNotice failure={archive.failure.value} />}
      {open.value === 'rename' && (
        <Dialog
          label={t('Save')}
          question={t('Rename task')}
          fields={['title']}
          onClose={close}
          act={async (form) => {
            await api.tasks.patch(task.id, { title: textOf(form, 'title').trim() })
            await onChange()
          }}
        >
          {(failure) => (
            <Field
              name="title"
              label={t('Title')}
              failure={failure}
              required
              dir="auto"
              maxLength={200}
              defaultValue={task.title}
            />
          )}
        </Dialog>
      )}
      {open.value === 'delete' && (
        <Dialog
          label={t('Delete task')}
          question={t('Delete this task?')}
          look="grave"
          onClose={close}
          act={async () => {
            await api.tasks.delete(task.id)
            navigate('/app/tasks', { replace: true })
          }}
        >
          <p>{t('Deletes its conversation and files. Ledger entries and pull requests stay.')}</p>
        </Dialog>
      )}
    </>
  )
}
