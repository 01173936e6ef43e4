// The tasks of the user, last used first.
import type { TaskSummary } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type Pages, usePages } from '../../../data/paged-resource.ts'
import type { Currency } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { ageOf, firstLine, StateMark, taskState, workspaceName } from '../task-texts.tsx'

const SEARCH_DEBOUNCE_MS = 300
/** Running tasks change on other devices. */
const REFRESH_MS = 15_000

export type TaskFilter = { readonly q: string; readonly archived: boolean }

export function useTasks({ q, archived }: TaskFilter): Pages<TaskSummary> {
  const pages = usePages('tasks', `tasks.${archived}.${q}`, (from) =>
    api.tasks.list({ limit: 30, ...(q !== '' && { q }), ...(archived && { archived }), ...from }),
  )
  const { current } = pages
  const isRunning =
    current.value.state === 'ready' && current.value.value.some(({ status }) => status !== 'idle')
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (!document.hidden) void pages.load()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isRunning, q, archived])
  return pages
}

type ListProps = {
  pages: Pages<TaskSummary>
  currency: Currency
  empty: string
  currentId?: string | undefined
}

export const TaskList = ({ pages, currency, empty, currentId }: ListProps) => (
  <div class="task-list">
    <PagedList pages={pages} empty={empty} more={t('Show more tasks')}>
      {(task) => <TaskRow task={task} currency={currency} isCurrent={task.id === currentId} />}
    </PagedList>
  </div>
)

type RowProps = { task: TaskSummary; currency: Currency; isCurrent: boolean }

const TaskRow = ({ task, currency, isCurrent }: RowProps) => (
  <a class="task-row" href={`/app/tasks/${task.id}`} aria-current={isCurrent ? 'page' : undefined}>
    <span class="task-title" dir="auto">
      {task.title}
    </span>
    <span class="task-cost-cell">
      <Amount minor={task.spentMinor} currency={currency} />
    </span>
    <span class="task-meta">
      <StateMark state={taskState(task)} />
      <bdi class="task-where">{workspaceName(task.workspace)}</bdi>
      <span class="task-age">{ageOf(task.updatedAt)}</span>
    </span>
    {task.lastTurn?.summary && (
      <span class="task-summary" dir="auto">
        {firstLine(task.lastTurn.summary)}
      </span>
    )}
  </a>
)

export function SearchField({ onSearch }: { onSearch: (q: string) => void }) {
  const typed = useSignal('')
  const text = typed.value.trim()
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      class="task-search"
      aria-label={t('Search tasks')}
      placeholder={t('Search tasks')}
      dir="auto"
      maxLength={200}
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value
      }}
    />
  )
}
