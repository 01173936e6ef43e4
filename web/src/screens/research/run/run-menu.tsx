// The menu of a run: print, open its project or chat, delete.
import type { ResearchRun } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { t } from '../../../i18n/t.ts'
import { navigate } from '../../../router/location.ts'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { Menu } from '../../../ui/layout/menu.tsx'
import { useProject } from './run-header.tsx'

export function RunMenu({ run }: { run: ResearchRun }) {
  const isAsked = useSignal(false)
  const project = useProject(run.projectId)
  const reason =
    project && project.access !== 'editor'
      ? t('Only editors of its project can do this.')
      : run.finishedAt === null
        ? t('Cancel the run before you delete it.')
        : null
  return (
    <>
      <Menu label={t('More actions')}>
        {run.report && (
          <button type="button" onClick={() => print()}>
            {t('Print')}
          </button>
        )}
        {run.projectId && (
          <a href={`/app/projects/${run.projectId}`}>
            {project ? <bdi>{project.name}</bdi> : t('Open its project')}
          </a>
        )}
        {run.conversationId && <a href={`/app/chat/${run.conversationId}`}>{t('Open its chat')}</a>}
        <button
          type="button"
          class="grave"
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'delete-reason'}
          onClick={() => {
            isAsked.value = true
          }}
        >
          {t('Delete')}
        </button>
        {reason !== null && (
          <p id="delete-reason" class="help menu-who">
            {reason}
          </p>
        )}
      </Menu>
      {isAsked.value && (
        <Dialog
          label={t('Delete')}
          question={t('Delete this run?')}
          look="grave"
          onClose={() => {
            isAsked.value = false
          }}
          act={async () => {
            await api.research.delete(run.id)
            navigate('/app/research', { replace: true })
          }}
        >
          <p>{t('Its steps, sources and findings are deleted. The report files stay.')}</p>
        </Dialog>
      )}
    </>
  )
}
