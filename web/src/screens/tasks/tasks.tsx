// All tasks: search, archive, and a sample for the first one.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { type Me, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { SearchField, TaskList, useTasks } from './list/task-list.tsx'
import { SAMPLE_COMMAND, SAMPLE_PROMPT, sampleTask } from './new/sample.ts'
import { startTask } from './new/start-task.ts'
import { Price, priceLabel } from './price.tsx'
import { useQuote } from './use-quote.ts'

export default function Tasks() {
  const { value } = session
  return value.state === 'in' ? <AllTasks key={value.me.orgId} me={value.me} /> : null
}

function AllTasks({ me }: { me: Me }) {
  const q = useSignal('')
  const archived = useSignal(false)
  const pages = useTasks({ q: q.value, archived: archived.value })
  const current = pages.current.value
  const isEmpty = current.state === 'ready' && current.value.length === 0
  const isFirst = isEmpty && q.value === '' && !archived.value
  const archive = (
    <button
      type="button"
      class={isFirst ? 'plain' : 'quiet'}
      aria-pressed={archived.value}
      onClick={() => (archived.value = !archived.value)}
    >
      {t('Archived')}
    </button>
  )
  return (
    <Page
      title={t('Tasks')}
      action={
        <a class={isFirst ? 'button' : 'button primary'} href="/app/tasks/new">
          {t('New task')}
        </a>
      }
    >
      {!isFirst && (
        <div class="task-filters">
          <SearchField onSearch={(text) => (q.value = text)} />
          {archive}
        </div>
      )}
      {isFirst ? (
        <Sample me={me} />
      ) : (
        <TaskList
          pages={pages}
          currency={me.currency}
          empty={archived.value ? t('No archived tasks.') : t('No task matches.')}
        />
      )}
      <p class="onward">
        {isFirst && <>{archive} · </>}
        <a href="/app/agent/runs">{t('API and CLI runs')}</a>
      </p>
    </Page>
  )
}

function Sample({ me }: { me: Me }) {
  const body = { prompt: SAMPLE_PROMPT }
  const { quoted, again } = useQuote('sample', (signal) => api.tasks.quoteNew(body, { signal }))
  const quote = quoted.state === 'ready' ? quoted.quote : null
  const { run, busy, failure } = useAction(async () => {
    if (!quote?.affordable) return
    await startTask(sampleTask(t('Fix the sample')), {
      ...body,
      verify: { command: SAMPLE_COMMAND },
      maxMinor: quote.maxMinor,
    })
  })
  return (
    <EmptyState
      picture="task"
      title={t('Describe a change. Get a tested diff.')}
      text={t('The sample is a small repository with a failing test. The agent fixes it and runs the tests.')}
      action={
        <>
          <button
            type="button"
            class="primary"
            aria-disabled={!quote?.affordable || busy.value}
            onClick={() => void run()}
          >
            {busy.value ? t('Starting …') : priceLabel(t('Fix the sample'), quoted, me.currency)}
          </button>
          <Price quoted={quoted} currency={me.currency} again={again} />
          {failure.value && <ErrorNotice failure={failure.value} />}
        </>
      }
    />
  )
}
