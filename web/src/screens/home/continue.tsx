// The newest tasks and chats, to continue them. Chats are loaded when they scroll into view.
import type { TaskSummary, TasksListReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'

const FEW = 6

type Props = { tasks: Resource<TasksListReply>; currency: Currency }

export function ContinueLists({ tasks, currency }: Props) {
  const current = tasks.current.value
  return (
    <div class="home-lists">
      <Section title={t('Tasks')}>
        {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={tasks.load} />}
        {current.state === 'ready' && current.value.tasks.length === 0 && (
          <EmptyState
            picture="task"
            title={t('No tasks yet')}
            text={t('Describe a change, see its price, review the result.')}
            action={
              <a class="button" href="/app/tasks/new">
                {t('New task')}
              </a>
            }
          />
        )}
        {current.state === 'ready' && current.value.tasks.length > 0 && (
          <>
            <Lines>
              {current.value.tasks.map((task) => (
                <TaskLine key={task.id} task={task} currency={currency} />
              ))}
            </Lines>
            <ShowAll href="/app/tasks" text={t('Show all tasks')} />
          </>
        )}
      </Section>
      <Section title={t('Chats')}>
        <WhenSeen>
          <Chats />
        </WhenSeen>
      </Section>
    </div>
  )
}

const TASK_STATES: Readonly<Record<string, string>> = {
  queued: msg('Queued'),
  running: msg('Running'),
  waiting: msg('Needs approval'),
}

const TaskLine = ({ task, currency }: { task: TaskSummary; currency: Currency }) => {
  const { id, title, status, workspace, spentMinor, updatedAt } = task
  const state = TASK_STATES[status]
  return (
    <Line
      href={`/app/tasks/${id}`}
      title={title}
      state={
        state === undefined ? null : (
          <span class={status === 'waiting' ? 'chip warn' : 'chip'}>{t(state)}</span>
        )
      }
      note={[workspace.kind === 'repository' && workspace.repository, formatDateTime(updatedAt)]}
      end={showsCosts.value && <Amount minor={spentMinor} currency={currency} />}
    />
  )
}

/** With data saver on, the list is loaded on request. */
function WhenSeen({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null)
  const isWanted = useSignal(false)
  useEffect(() => {
    const { current } = place
    if (!current || isSaving.peek()) return
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) isWanted.value = true
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={place} class="recent">
      {isWanted.value && children}
      {!isWanted.value && isSaving.value && (
        <button
          type="button"
          onClick={() => {
            isWanted.value = true
          }}
        >
          {t('Show')}
        </button>
      )}
    </div>
  )
}

function Chats() {
  const from = useResource('home.chats', () => api.chat.threads.list({ limit: FEW }))
  const current = from.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={from.load} />
  if (current.state === 'loading') return <span class="blank control" aria-busy="true" />
  if (current.value.threads.length === 0)
    return (
      <EmptyState
        picture="chat"
        title={t('No chats yet')}
        text={t('Ask a question. Each answer shows its cost.')}
        action={
          <a class="button" href="/app/chat">
            {t('New chat')}
          </a>
        }
      />
    )
  return (
    <>
      <Lines>
        {current.value.threads.map(({ id, title, busy, updatedAt }) => (
          <Line
            key={id}
            href={`/app/chat/${id}`}
            title={title || t('New chat')}
            state={busy ? <span class="chip">{t('Writing …')}</span> : null}
            note={[formatDateTime(updatedAt)]}
          />
        ))}
      </Lines>
      <ShowAll href="/app/chat" text={t('Show all chats')} />
    </>
  )
}

const Lines = ({ children }: { children: ComponentChildren }) => <ul class="rows">{children}</ul>

const ShowAll = ({ href, text }: { href: string; text: string }) => (
  <p class="onward">
    <a href={href}>{text}</a>
  </p>
)

type LineProps = {
  href: string
  title: string
  state: ComponentChildren
  note: readonly (string | false)[]
  end?: ComponentChildren
}

const Line = ({ href, title, state, note, end }: LineProps) => (
  <li>
    <a class="row-link" href={href}>
      <span>
        <bdi class="row-name">{title}</bdi>
        <span class="help">{note.filter(Boolean).join(' · ')}</span>
      </span>
      <span class="recent-end">
        {state} {end}
      </span>
    </a>
  </li>
)
