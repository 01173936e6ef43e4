// The workspace of a task: what changed, its files, the output of commands, and the cost.
import type { Task } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import type { Me } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { Changes } from '../changes/changes.tsx'
import type { TaskLog } from '../conversation/task-log.ts'
import { Cost } from './cost.tsx'
import { Files } from './files.tsx'
import { PullRequest } from './pull-request.tsx'
import { Terminal } from './terminal.tsx'

export type PanelProps = {
  task: Task
  me: Me
  log: TaskLog
  chosen: Signal<string>
  isPrimary: boolean
  onHistory: () => void
  isHistoryLoading: boolean
  onChange: () => Promise<void>
  onComment: (path: string, line: number, text: string) => void
}

export function Panel({
  task,
  me,
  log,
  chosen,
  isPrimary,
  onHistory,
  isHistoryLoading,
  onChange,
  onComment,
}: PanelProps) {
  const isRunning = task.status !== 'idle'
  const isClient = task.workspace.kind === 'client'
  return (
    <div class="panel">
      <PullRequest task={task} isPrimary={isPrimary} isRunning={isRunning} onChange={onChange} />
      <Tabs
        label={t('Workspace')}
        chosen={chosen}
        tabs={[
          {
            id: 'changes',
            name: t('Changes'),
            view: () => (
              <Changes
                version={versionOf(task)}
                taskId={task.id}
                isRunning={isRunning}
                onComment={onComment}
              />
            ),
          },
          ...(isClient
            ? []
            : [
                {
                  id: 'files',
                  name: t('Files'),
                  view: () => <Files key={versionOf(task)} task={task} />,
                },
              ]),
          {
            id: 'terminal',
            name: t('Terminal'),
            view: () => (
              <Terminal task={task} log={log} onHistory={onHistory} isHistoryLoading={isHistoryLoading} />
            ),
          },
          { id: 'cost', name: t('Cost'), view: () => <Cost task={task} me={me} onChange={onChange} /> },
        ]}
      />
    </div>
  )
}

/** The files change with each finished turn and each revert. */
const versionOf = ({ turns, updatedAt, status }: Task): string =>
  status === 'idle' ? updatedAt : String(turns.length)
