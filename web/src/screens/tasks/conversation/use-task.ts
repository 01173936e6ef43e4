// A task and its events while a screen shows it. The events continue after sleep, a lost network and a reload.
import { followAllTurns, type Task, type TaskEvent, type TaskTurn } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { type ResourceState, useResource } from '../../../data/resource.ts'
import { reloadSession } from '../../../data/session.ts'
import { unsettled } from '../send-turn.ts'
import { addEvents, NO_EVENTS, type TaskLog, withHistory } from './task-log.ts'

/** A replay arrives at once, so it is drawn in batches. */
const GATHER_MS = 80
/** After such a sleep networks have dropped the connection without notice. */
const SLEPT_MS = 20_000

export type TaskFeed = {
  readonly task: ReadonlySignal<ResourceState<Task>>
  load(): Promise<void>
  readonly log: ReadonlySignal<TaskLog>
  /** Why the events cannot be followed now. */
  readonly lost: ReadonlySignal<ApiFailure | null>
  resume(): void
  /** Reads the events of an earlier turn, or of all earlier turns, once. */
  loadHistory(turnId?: string): void
  readonly isHistoryLoading: ReadonlySignal<boolean>
}

export function useTask(id: string): TaskFeed {
  const { current, load } = useResource(`task.${id}`, () => api.tasks.get(id))
  const log = useSignal<TaskLog>(NO_EVENTS)
  const lost = useSignal<ApiFailure | null>(null)
  const isHistoryLoading = useSignal(false)
  /** The number of the event that following starts after; null until the task is known. */
  const start = useSignal<number | null>(null)
  const resume = useRef<() => void>(() => undefined)
  /** The turns whose events were asked for. */
  const asked = useRef(new Set<string>())

  useEffect(() => {
    log.value = NO_EVENTS
    start.value = null
    asked.current.clear()
  }, [id])

  const known = current.value.state === 'ready' && !current.value.asOf ? current.value.value : null
  useEffect(() => {
    if (known?.id !== id || start.peek() !== null) return
    start.value = startOf(known)
  }, [known, id])

  // A short turn can end before its events are followed.
  useEffect(() => {
    if (known?.status === 'idle' && unsettled.delete(known.id)) void reloadSession()
  }, [known])

  const from = start.value
  useEffect(() => {
    if (from === null) return
    const follower = follow(id, from, {
      take(events) {
        lost.value = null
        log.value = addEvents(log.peek(), events)
        if (!events.some(changesTask)) return
        if (events.some(isEnd)) unsettled.add(id)
        void load()
      },
      fail(failure) {
        lost.value = failure
      },
    })
    resume.current = follower.restart
    return follower.stop
  }, [id, from])

  function loadHistory(turnId?: string): void {
    const from = start.peek()
    if (from === null || !known) return
    const earlier = known.turns.filter(({ afterSeq }) => afterSeq < from)
    const wanted = turnId === undefined ? earlier : earlier.filter((turn) => turn.id === turnId)
    if (wanted.every((turn) => asked.current.has(turn.id))) return
    for (const turn of wanted) asked.current.add(turn.id)
    const next = known.turns[known.turns.indexOf(wanted.at(-1) as TaskTurn) + 1]
    const after = wanted[0]?.afterSeq ?? 0
    // Turns of earlier releases have no position.
    const until = next && next.afterSeq > after ? Math.min(next.afterSeq, from) : from
    isHistoryLoading.value = true
    void readEvents(id, after, until)
      .then(
        (events) => {
          log.value = withHistory(log.peek(), events)
        },
        (error: unknown) => {
          for (const turn of wanted) asked.current.delete(turn.id)
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
const startOf = ({ turns, lastSeq }: Task): number =>
  turns.find(({ finishedAt }) => finishedAt === null)?.afterSeq ?? lastSeq

async function readEvents(id: string, after: number, until: number): Promise<TaskEvent[]> {
  const events: TaskEvent[] = []
  if (after >= until) return events
  for await (const event of followAllTurns(api, id, { after })) {
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
      for await (const event of followAllTurns(api, id, { after: seen, signal })) {
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
