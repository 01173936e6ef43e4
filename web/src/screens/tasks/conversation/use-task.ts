// A task and its events while a screen shows it. The events continue after sleep, a lost network and a reload.
import { followTask, type Task, type TaskEvent } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { type ResourceState, useResource } from '../../../data/resource.ts'
import { ownerOf, reloadSession, session } from '../../../data/session.ts'
import { loadRow, saveRow } from '../../../data/storage/browser-store.ts'
import { addEvents, NO_EVENTS, type TaskLog, withHistory } from './task-log.ts'

/** A replay arrives at once, so it is drawn in batches. */
const GATHER_MS = 80
/** After such a sleep networks have dropped the connection without notice. */
const SLEPT_MS = 20_000
const POSITION = 'task-position'

export type TaskFeed = {
  readonly task: ReadonlySignal<ResourceState<Task>>
  load(): Promise<void>
  readonly log: ReadonlySignal<TaskLog>
  /** Why the events cannot be followed now. */
  readonly lost: ReadonlySignal<ApiFailure | null>
  resume(): void
  /** Reads the events of earlier turns, once. */
  loadHistory(): void
  readonly isHistoryLoading: ReadonlySignal<boolean>
}

/** Remembers where the events of a turn begin, so that a reload does not read the whole task again. */
export const savePosition = (taskId: string, turnId: string, after: number): Promise<void> =>
  saveRow(ownerOf(session.peek()), POSITION, taskId, { turnId, after })

export function useTask(id: string): TaskFeed {
  const { current, load } = useResource(`task.${id}`, () => api.tasks.get(id))
  const log = useSignal<TaskLog>(NO_EVENTS)
  const lost = useSignal<ApiFailure | null>(null)
  const isHistoryLoading = useSignal(false)
  /** The number of the event that following starts after; null until the task is known. */
  const start = useSignal<number | null>(null)
  const resume = useRef<() => void>(() => undefined)
  const hasHistory = useRef(false)

  useEffect(() => {
    log.value = NO_EVENTS
    start.value = null
    hasHistory.current = false
  }, [id])

  const known = current.value.state === 'ready' && !current.value.asOf ? current.value.value : null
  useEffect(() => {
    if (known?.id !== id || start.peek() !== null) return
    void startOf(known).then((after) => {
      hasHistory.current = after === 0
      start.value ??= after
    })
  }, [known, id])

  const from = start.value
  useEffect(() => {
    if (from === null) return
    const follower = follow(id, from, {
      take(events) {
        lost.value = null
        log.value = addEvents(log.peek(), events)
        if (!events.some(changesTask)) return
        void load()
        if (events.some(isEnd)) void reloadSession()
      },
      fail(failure) {
        lost.value = failure
      },
    })
    resume.current = follower.restart
    return follower.stop
  }, [id, from])

  function loadHistory(): void {
    const until = start.peek()
    if (hasHistory.current || until === null) return
    hasHistory.current = true
    isHistoryLoading.value = true
    void readEvents(id, until)
      .then(
        (events) => {
          log.value = withHistory(log.peek(), events)
        },
        (error: unknown) => {
          hasHistory.current = false
          lost.value = asFailure(error)
        },
      )
      .finally(() => {
        isHistoryLoading.value = false
      })
  }

  return { task: current, load, log, lost, resume: () => resume.current(), loadHistory, isHistoryLoading }
}

const changesTask = ({ kind }: TaskEvent): boolean =>
  kind === 'status' || kind === 'needs_tool' || kind === 'needs_approval'

const isEnd = (event: TaskEvent): boolean => event.kind === 'status' && event.status === 'finished'

/** Only an open turn is read from its start. */
async function startOf({ id, turns, lastSeq }: Task): Promise<number> {
  const open = turns.find(({ finishedAt }) => finishedAt === null)
  if (!open) return lastSeq
  const row = await loadRow<{ turnId: string; after: number }>(ownerOf(session.peek()), POSITION, id)
  return row?.value.turnId === open.id ? row.value.after : 0
}

async function readEvents(id: string, until: number): Promise<TaskEvent[]> {
  const events: TaskEvent[] = []
  if (until === 0) return events
  for await (const event of followTask(api, id, { after: 0 })) {
    events.push(event)
    if (event.seq >= until) break
  }
  return events
}

type Listener = { take(events: TaskEvent[]): void; fail(failure: ApiFailure): void }

function follow(id: string, from: number, { take, fail }: Listener): { restart(): void; stop(): void } {
  let seen = from
  let gathered: TaskEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let connection = new AbortController()

  function draw(): void {
    timer = undefined
    const events = gathered
    gathered = []
    take(events)
  }
  async function run({ signal }: AbortController): Promise<void> {
    try {
      for await (const event of followTask(api, id, { after: seen, signal })) {
        if (signal.aborted) return
        seen = event.seq
        gathered.push(event)
        timer ??= setTimeout(draw, GATHER_MS)
      }
    } catch (error) {
      if (!signal.aborted) fail(asFailure(error))
    }
  }
  function restart(): void {
    connection.abort()
    connection = new AbortController()
    void run(connection)
  }
  let hiddenAt = performance.now()
  function look(): void {
    if (!document.hidden && performance.now() - hiddenAt > SLEPT_MS) restart()
    hiddenAt = performance.now()
  }
  document.addEventListener('visibilitychange', look)
  addEventListener('online', restart)
  void run(connection)
  return {
    restart,
    stop() {
      connection.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', restart)
    },
  }
}
