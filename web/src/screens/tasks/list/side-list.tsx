// The tasks beside an open one.
import { useEffect } from 'preact/hooks'
import type { Me } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { TaskList, useTasks } from './task-list.tsx'

export function SideList({ me, id, status }: { me: Me; id: string; status: string | undefined }) {
  const pages = useTasks({ q: '', archived: false })
  useEffect(() => {
    if (status !== undefined) void pages.load()
  }, [status])
  return (
    <nav class="task-side" aria-label={t('Tasks')}>
      <a class="button" href="/app/tasks/new">
        {t('New task')}
      </a>
      <TaskList pages={pages} currency={me.currency} empty={t('No tasks yet.')} currentId={id} />
    </nav>
  )
}
