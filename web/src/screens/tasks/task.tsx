// A task: its conversation, and beside it the workspace. On a phone the workspace opens as a sheet.
import type { Task } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useDraft } from '../../data/draft.ts'
import { isOnline } from '../../data/network.ts'
import { type Me, session } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { useMedia } from '../../ui/layout/use-media.ts'
import { useFollowScroll } from './conversation/follow-scroll.ts'
import { Foot } from './conversation/follow-up.tsx'
import { Turn } from './conversation/turn.tsx'
import { type TaskFeed, useTask } from './conversation/use-task.ts'
import { lazy } from './lazy.tsx'
import { draftName } from './send-turn.ts'
import { PullLink, StateMark, turnState, workspaceName } from './task-texts.tsx'
import { PanelSheet } from './workspace/panel-sheet.tsx'

const SideList = lazy(async () => (await import('./list/side-list.tsx')).SideList)
const Panel = lazy(async () => (await import('./workspace/panel.tsx')).Panel)
const TaskMenu = lazy(async () => (await import('./workspace/actions.ts')).TaskMenu)
const Revert = lazy(async () => (await import('./workspace/actions.ts')).Revert)

export default function TaskScreen({ id = '' }: { id?: string }) {
  const { value } = session
  return value.state === 'in' ? <OpenTask key={`${value.me.orgId} ${id}`} id={id} me={value.me} /> : null
}

function OpenTask({ id, me }: { id: string; me: Me }) {
  const feed = useTask(id)
  const current = feed.task.value
  const isWide = useMedia('(min-width: 1000px)').value
  const hasList = useMedia('(min-width: 1280px)').value
  const tab = useSignal('changes')
  const isSheetOpen = useSignal(false)
  const draft = useDraft(draftName(id))
  const field = useRef<HTMLTextAreaElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const task = current.state === 'ready' ? current.value : null
  const { isBehind, toNewest } = useFollowScroll(box, log, task !== null && task.status !== 'idle')
  useAnnouncedEnd(task)

  function show(name: string): void {
    tab.value = name
    if (!isWide) isSheetOpen.value = true
  }
  function comment(path: string, line: number, text: string): void {
    const before = draft.peek().trimEnd()
    draft.value = `${before}${before === '' ? '' : '\n'}${path}:${line}: ${text}`
    isSheetOpen.value = false
    field.current?.focus()
  }
  const panel = (known: Task) => (
    <Panel
      task={known}
      me={me}
      log={feed.log.value}
      chosen={tab}
      isPrimary={draft.value.trim() === ''}
      onHistory={() => feed.loadHistory()}
      isHistoryLoading={feed.isHistoryLoading.value}
      onChange={feed.load}
      onComment={comment}
    />
  )

  return (
    <section class="task-view" aria-labelledby="screen-title">
      {hasList && <SideList me={me} id={id} status={task?.status} />}
      <div class="task-main">
        <header class="task-head">
          <a class="task-back" href="/app/tasks">
            {t('All tasks')}
          </a>
          <h1 id="screen-title" tabIndex={-1} dir="auto">
            {task?.title ?? t('Task')}
          </h1>
          {task && (
            <>
              <p class="task-where">
                <StateMark state={stateOf(task)} /> <bdi>{workspaceName(task.workspace)}</bdi>{' '}
                {!isWide && task.pullRequest && <PullLink pull={task.pullRequest} />}
              </p>
              <div class="task-tools">
                {!isWide && task.turns.length > 0 && (
                  <button type="button" class="quiet" onClick={() => show('changes')}>
                    {t('Workspace')}
                  </button>
                )}
                <TaskMenu task={task} onChange={feed.load} onCost={() => show('cost')} />
              </div>
            </>
          )}
        </header>
        <div class="turns-box" ref={box}>
          <div class="turns" ref={log}>
            {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={feed.load} />}
            {current.state === 'loading' && <span class="blank line" aria-busy="true" />}
            {current.state === 'ready' && current.asOf && (
              <p class="help">{t('As of {time}.', { time: formatDateTime(current.asOf.toISOString()) })}</p>
            )}
            {task && <Turns task={task} feed={feed} me={me} onShow={() => show('changes')} />}
            <Connection feed={feed} />
          </div>
        </div>
        {isBehind.value && (
          <button type="button" class="newest" onClick={toNewest}>
            {t('Jump to newest')}
          </button>
        )}
        {task && (
          <Foot
            task={task}
            me={me}
            draft={draft}
            field={field}
            log={openLog(task, feed)}
            onChange={feed.load}
          />
        )}
      </div>
      {task && isWide && (
        <aside class="task-panel" aria-label={t('Workspace')}>
          {panel(task)}
        </aside>
      )}
      {task && !isWide && isSheetOpen.value && (
        <PanelSheet onClose={() => (isSheetOpen.value = false)}>{panel(task)}</PanelSheet>
      )}
    </section>
  )
}

const openLog = (task: Task, { log }: TaskFeed) => {
  const open = task.turns.find(({ status }) => status !== 'finished')
  return open && log.value.turns.get(open.id)
}

const stateOf = ({ turns }: Task) => {
  const last = turns.at(-1)
  return last ? turnState(last) : 'new'
}

type TurnsProps = { task: Task; feed: TaskFeed; me: Me; onShow: () => void }

function Turns({ task, feed, me, onShow }: TurnsProps) {
  const { turns, log } = { turns: task.turns, log: feed.log.value }
  const restored = turns.find(({ id }) => id === log.revertedTo)
  return (
    <>
      {turns.map((turn, at) => (
        <Turn
          key={turn.id}
          task={task}
          turn={turn}
          log={log.turns.get(turn.id)}
          isLast={at === turns.length - 1}
          currency={me.currency}
          onChange={() => void feed.load()}
          onHistory={() => feed.loadHistory(turn.id)}
          isHistoryLoading={feed.isHistoryLoading.value}
          onShowChanges={onShow}
        >
          {at < turns.length - 1 && task.status === 'idle' && task.workspace.kind !== 'client' && (
            <Revert task={task} turnId={turn.id} ordinal={turn.ordinal} onChange={feed.load} />
          )}
        </Turn>
      ))}
      {restored && (
        <p class="restored" role="status">
          {t('Files reverted to turn {n}.', { n: restored.ordinal })}
        </p>
      )}
    </>
  )
}

function Connection({ feed }: { feed: TaskFeed }) {
  if (!isOnline.value) return <p class="help">{t('You are offline. The work continues without you.')}</p>
  const lost = feed.lost.value
  return lost ? <ErrorNotice failure={lost} retry={feed.resume} /> : null
}

/** Says once that a turn has ended, also to users who look elsewhere on the screen. */
function useAnnouncedEnd(task: Task | null): void {
  const before = useRef<Task | null>(null)
  useEffect(() => {
    if (before.current && before.current.status !== 'idle' && task?.status === 'idle')
      announce(t('The turn has ended.'))
    before.current = task
  }, [task])
}
