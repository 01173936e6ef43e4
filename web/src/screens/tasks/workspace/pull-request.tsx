// The way out of a task: a pull request for a repository, a patch for files.
import type { Task } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import type { ApiFailure } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { saveFile } from '../../../ui/base/save-file.ts'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { PullLink } from '../task-texts.tsx'

type Props = { task: Task; isPrimary: boolean; isRunning: boolean; onChange: () => Promise<void> }

export function PullRequest({ task, isPrimary, isRunning, onChange }: Props) {
  const isOpen = useSignal(false)
  const { pullRequest, workspace } = task
  const hasChanges = task.turns.some(({ changedFiles }) => changedFiles > 0)
  if (!hasChanges) return null
  const open = openPullOf(task)
  return (
    <div class="panel-actions">
      {workspace.kind === 'repository' && (
        <button
          type="button"
          class={isPrimary && !isRunning && !pullRequest ? 'primary' : undefined}
          disabled={isRunning}
          onClick={() => (isOpen.value = true)}
        >
          {open ? t('Update pull request') : t('Open pull request')}
        </button>
      )}
      {workspace.kind !== 'repository' && <PatchButton task={task} isPrimary={isPrimary && !isRunning} />}
      {pullRequest && (
        <p class="help">
          <PullLink pull={pullRequest} />
          <bdi dir="ltr" class="pull-branch">
            {pullRequest.branch}
          </bdi>
        </p>
      )}
      {isOpen.value && (
        <PublishDialog task={task} onChange={onChange} onClose={() => (isOpen.value = false)} />
      )}
    </div>
  )
}

/** After a merge, further changes need another pull request. */
const openPullOf = ({ pullRequest: pull }: Task): Task['pullRequest'] =>
  pull?.state === 'merged' || pull?.state === 'closed' ? null : pull

/** `fix-sum` → `fix-sum-2` → `fix-sum-3` */
export const nextBranch = (branch: string): string =>
  branch.replace(/(?:-(\d{1,3}))?$/, (_, count) => `-${Number(count ?? 1) + 1}`)

type DialogProps = { task: Task; onChange: () => Promise<void>; onClose: () => void }

function PublishDialog({ task, onChange, onClose }: DialogProps) {
  const isUpdate = openPullOf(task) !== null
  const ended = isUpdate ? null : task.pullRequest
  return (
    <Dialog
      label={isUpdate ? t('Update pull request') : t('Open pull request')}
      question={isUpdate ? t('Update the pull request?') : t('Open a pull request')}
      look="primary"
      fields={['title', 'body']}
      onClose={onClose}
      act={async (form) => {
        const [title, body] = [textOf(form, 'title').trim(), textOf(form, 'body').trim()]
        const { number } = await api.tasks.pullRequest(task.id, {
          ...(title !== '' && { title }),
          ...(body !== '' && { body }),
          ...(ended && { branch: nextBranch(ended.branch) }),
          draft: form.get('draft') !== null,
        })
        await onChange()
        announce(t('Pull request #{number}', { number }))
      }}
    >
      {(failure) => (
        <>
          {isUpdate ? (
            <p>{t('Adds the new changes to its branch.')}</p>
          ) : (
            <div class="fields">
              <Field
                name="title"
                label={t('Title')}
                failure={failure}
                dir="auto"
                maxLength={200}
                defaultValue={task.title}
              />
              <LongField
                name="body"
                label={t('Description')}
                help={t('Leave empty for the summary, the test result and the cost.')}
                failure={failure}
                maxLength={20_000}
              />
              <label class="tick">
                <input type="checkbox" name="draft" checked />
                <span>{t('As a draft')}</span>
              </label>
            </div>
          )}
          <MissingPermissions failure={failure} />
        </>
      )}
    </Dialog>
  )
}

/** The permissions to grant on GitHub. The patch stays available. */
function MissingPermissions({ failure }: { failure: ApiFailure | null }) {
  const { permissions } = failure?.detail ?? {}
  if (failure?.code !== 'permission_missing' || !Array.isArray(permissions)) return null
  return (
    <div class="need">
      <p>{t('Grant these permissions to the app in the installation settings on GitHub:')}</p>
      <ul>
        {permissions.map((each) => (
          <li key={String(each)}>
            <code dir="ltr">{String(each)}</code>
          </li>
        ))}
      </ul>
      <p class="help">{t('Until then, download the patch.')}</p>
    </div>
  )
}

function PatchButton({ task, isPrimary }: { task: Task; isPrimary: boolean }) {
  const { run, busy, failure } = useAction(() => downloadPatch(task))
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'primary' : undefined}
        aria-disabled={busy.value}
        onClick={() => void run()}
      >
        {t('Download patch')}
      </button>
      {failure.value && <ErrorNotice failure={failure.value} />}
    </>
  )
}

async function downloadPatch({ id, title }: Task): Promise<void> {
  const { bytes } = await api.request('GET', `/tasks/${id}/diff`, { headers: { accept: 'text/x-diff' } })
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  saveFile(`${name || 'task'}.patch`, [new Uint8Array(bytes)], 'text/x-diff')
}
