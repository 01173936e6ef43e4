// The view of the changes, and what can be done with all of them.
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { saveFile } from '../../../ui/base/save-file.ts'
import { Menu } from '../../../ui/layout/menu.tsx'
import { type ChangedFile, patchOf } from './changed-files.ts'
import type { TaskChanges } from './use-changes.ts'
import { prefersSplit, setSplit } from './use-room.ts'

type Props = {
  taskId: string
  files: readonly ChangedFile[]
  changes: TaskChanges
  hasSplit: boolean
  isRunning: boolean
}

export function Toolbar({ taskId, files, changes, hasSplit, isRunning }: Props) {
  const isStored = files.every((file) => file.isStored)
  async function copy() {
    const isDone = await navigator.clipboard?.writeText(patchOf(files)).then(
      () => true,
      () => false,
    )
    announce(isDone ? t('Copied.') : t('This browser blocks copying.'))
  }
  return (
    <div class="changes-tools">
      {hasSplit && (
        <fieldset class="view-choice">
          <legend class="unseen">{t('View')}</legend>
          {[false, true].map((isSplit) => (
            <button
              key={String(isSplit)}
              type="button"
              class="quiet small"
              aria-pressed={prefersSplit.value === isSplit}
              onClick={() => setSplit(isSplit)}
            >
              {isSplit ? t('Split') : t('Unified')}
            </button>
          ))}
        </fieldset>
      )}
      <Menu label={t('More actions for the changes')}>
        <button type="button" onClick={() => void copy()}>
          {t('Copy patch')}
        </button>
        <button
          type="button"
          onClick={() => saveFile(`cowrie-${taskId.slice(-6)}.patch`, [patchOf(files)], 'text/x-patch')}
        >
          {t('Download patch')}
        </button>
        {isRunning && (
          <button type="button" onClick={() => void changes.resource.load()}>
            {t('Refresh')}
          </button>
        )}
        {isStored && (
          <button
            type="button"
            class="grave"
            disabled={isRunning}
            onClick={() => void changes.revertAll(t('All changes reverted.'))}
          >
            {t('Revert all')}
          </button>
        )}
      </Menu>
    </div>
  )
}
