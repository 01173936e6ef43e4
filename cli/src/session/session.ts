// One conversation in one repository: starts turns, follows them, and stores what a later process needs.
import { CowrieError, type TaskEvent } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { removeState } from '../system/state-file.ts'
import { openCallLog } from './call-log.ts'
import { type ConnectionNote, createConnection } from './connection.ts'
import { followTurn, type TurnEnd } from './follow-turn.ts'
import { openKnownResults } from './known-results.ts'
import type { OpenedSession } from './open-session.ts'
import { toTurnPrice } from './price.ts'
import type { TaskTurnView, TaskView } from './service.ts'
import { writeDurably } from './session-files.ts'
import type { StoredState } from './state.ts'
import { digestOfTools, readTools } from './tool-sync.ts'
import { settlePending, startTurn, toTurnBody } from './turn-start.ts'
import type { Decide, Meter, NewTurn, Session, SessionEvent, TurnOutcome } from './types.ts'
import { untoldText, withUntold } from './untold.ts'

type RunOptions = {
  readonly decide: Decide
  readonly onEvent: (event: SessionEvent) => void
  readonly signal: AbortSignal
}

/** Calls outside of a turn: the user waits for them. */
const SHORT_PATIENCE_MS = 15_000
/** The quote needs the kind of the request, not all of it. */
const QUOTED_CHARACTERS = 2_000
const SAVE_MS = 3_000
const TITLE_CHARACTERS = 80
const DEFAULT_TITLE = 'New task'

export function createSession(opened: OpenedSession): Session {
  const { options, service, files, lock } = opened
  const { toolbox } = options
  const { taskId } = opened.state
  const log = openCallLog(files.calls)
  const known = openKnownResults(files.results)
  const closed = new AbortController()
  let state = opened.state
  let balanceMinor = opened.balanceMinor
  /** The most that a user was shown for a turn. */
  let shownMinor: bigint | null = null
  /** Of the open turn, so far. `state.spentMinor` is without it. */
  let turnSpentMinor = 0n
  let onEvent: (event: SessionEvent) => void = () => undefined
  let isRunning = false
  let saving: Promise<void> = Promise.resolve()
  let saveTimer: ReturnType<typeof setTimeout> | undefined

  const connection = createConnection((note: ConnectionNote) => onEvent({ kind: 'note', ...note }))
  const shortly = createConnection(() => undefined, { patienceMs: SHORT_PATIENCE_MS })

  function save(change: Partial<StoredState> = {}): Promise<void> {
    clearTimeout(saveTimer)
    saveTimer = undefined
    state = { ...state, ...change, usedAt: new Date().toISOString() }
    saving = saving.catch(() => undefined).then(() => writeDurably(files.state, state))
    return saving
  }

  function saveSoon(): void {
    saveTimer ??= setTimeout(() => void save().catch(() => undefined), SAVE_MS)
    saveTimer.unref()
  }

  const meter = (): Meter => {
    const { up, down } = options.bytes()
    return {
      currency: state.currency,
      spentMinor: state.spentMinor + turnSpentMinor + state.exploredMinor,
      budgetMinor: state.budgetMinor,
      balanceMinor,
      bytesUp: up,
      bytesDown: down,
    }
  }
  const leftMinor = (): bigint | null =>
    state.budgetMinor === null ? null : state.budgetMinor - meter().spentMinor

  /** The tools may have changed since: an MCP server was added, AGENTS.md was edited. */
  async function syncTools(signal: AbortSignal): Promise<void> {
    const tools = await readTools(toolbox)
    const digest = digestOfTools(tools)
    if (digest === state.toolsDigest) return
    await connection.patiently(() => service.patch(taskId, tools, signal), signal)
    await save({ toolsDigest: digest })
  }

  async function begin(turn: NewTurn, { signal }: RunOptions): Promise<string> {
    lock.check()
    shownMinor ??= (await quote(turn)).maxMinor
    if (turn.maxMinor > shownMinor)
      throw new Failure('above_shown_price', 'The limit of this turn is above the price that was shown.', {
        exit: EXIT.money,
        next: 'Ask for the price again.',
      })
    await syncTools(signal)
    const body = withUntold(toTurnBody(turn, null), state.untold)
    try {
      const turnId = await startTurn(files, body, { taskId, service, connection, signal })
      const title = state.title === DEFAULT_TITLE ? titleOf(turn.prompt) : state.title
      await save({ title, untold: null, openTurn: { turnId, isOwn: true, isStopWanted: false } })
      removeState(files.pendingTurn)
      return turnId
    } catch (error) {
      if (!CowrieError.is(error, 'turn_running')) throw error
      const { turnId } = error.detail
      if (typeof turnId === 'string') await save({ openTurn: { turnId, isOwn: false, isStopWanted: false } })
      throw new Failure('turn_running', 'A turn of this session was started elsewhere and is under way.', {
        next: 'Follow it to its end first.',
      })
    }
  }

  /** The answer to an earlier message was lost. True if this one is the same and has started. */
  async function settleEarlier({ prompt }: NewTurn, { signal }: RunOptions): Promise<boolean> {
    const earlier = await settlePending(files, { taskId, service, connection, signal })
    if (earlier.turnId === null) {
      removeState(files.pendingTurn)
      return false
    }
    await save({ openTurn: { turnId: earlier.turnId, isOwn: true, isStopWanted: false } })
    removeState(files.pendingTurn)
    if (earlier.prompt === prompt) return true
    throw new Failure('turn_running', 'Your earlier message has arrived, and its turn is under way.', {
      next: 'Follow it to its end first.',
    })
  }

  async function quote(turn: Pick<NewTurn, 'prompt' | 'model'>) {
    const model = turn.model ?? options.model
    const body = { prompt: turn.prompt.slice(0, QUOTED_CHARACTERS), ...(model !== null && { model }) }
    return shortly.patiently(() => service.quote(taskId, body, closed.signal), closed.signal)
  }

  function handled(event: TaskEvent, turnId: string): void {
    state = { ...state, seq: event.seq }
    if (event.turnId === turnId && event.kind === 'cost') {
      turnSpentMinor = event.spentMinor
      const { balanceMinor: balance } = event as { balanceMinor?: bigint | null }
      if (balance !== undefined && balance !== null) balanceMinor = balance
      onEvent({ kind: 'meter', meter: meter() })
    }
    const isOther = event.turnId !== null && event.turnId !== turnId
    // A turn of the web that ran while nobody followed it.
    if (isOther && event.kind === 'status' && event.status === 'finished' && event.seq > countedSeq)
      state = { ...state, spentMinor: state.spentMinor + (event.spentMinor ?? 0n) }
    saveSoon()
  }

  /** `state.spentMinor` has the costs up to this event, because it was read from the service then. */
  let countedSeq = opened.countedSeq

  /** The position of an open turn. `state.spentMinor` becomes the cost of all other turns. */
  function take(task: TaskView, turnId: string | null): TaskTurnView | undefined {
    const turn = task.turns.find(({ id }) => id === turnId)
    turnSpentMinor = turn?.spentMinor ?? 0n
    countedSeq = task.lastSeq
    const budgetMinor = task.budgetMinor === null ? null : task.budgetMinor + state.exploredMinor
    state = { ...state, spentMinor: task.spentMinor - turnSpentMinor, budgetMinor }
    return turn
  }

  async function follow(turnId: string, run: RunOptions, isNew: boolean): Promise<TurnOutcome> {
    let needs: { calls: TaskView['needs']; lastSeq: number } | null = null
    if (!isNew) {
      const task = await connection.patiently(() => service.get(taskId, run.signal), run.signal)
      const turn = take(task, turnId)
      // So many turns have ended since that this one is not worth showing.
      if (!turn) {
        state = { ...state, seq: task.lastSeq }
        return finish(turnId, null, { event: null, unsent: [] }, true)
      }
      needs = { calls: task.needs.filter((need) => need.turnId === turnId), lastSeq: task.lastSeq }
      state = { ...state, seq: Math.min(state.seq, task.lastSeq) }
      if (turn.finishedAt !== null && state.seq >= task.lastSeq)
        return finish(turnId, turn, { event: null, unsent: [] }, true)
    } else turnSpentMinor = 0n
    const end = await followTurn({
      taskId,
      turnId,
      service,
      connection,
      toolbox,
      log,
      known,
      ...run,
      onEvent,
      closed: closed.signal,
      seq: state.seq,
      needs,
      isStopWanted: state.openTurn?.isStopWanted ?? false,
      onHandled: (event) => handled(event, turnId),
      async onStop() {
        if (state.openTurn?.isStopWanted !== true)
          await save({ openTurn: { turnId, isOwn: state.openTurn?.isOwn ?? true, isStopWanted: true } })
      },
    })
    return finish(turnId, null, end, end.event !== null)
  }

  async function finish(
    turnId: string,
    turn: TaskTurnView | null,
    end: TurnEnd,
    isOver: boolean,
  ): Promise<TurnOutcome> {
    const spentMinor = end.event?.spentMinor ?? turn?.spentMinor ?? turnSpentMinor
    const untold = isOver ? untoldText(state.untold, end.unsent, log.list()) : state.untold
    if (isOver) {
      state = { ...state, spentMinor: state.spentMinor + spentMinor }
      turnSpentMinor = 0n
      await save({ untold, openTurn: null })
      log.clear()
    } else await save()
    const outcome: TurnOutcome = {
      turnId,
      stopReason: end.event?.stopReason ?? turn?.stopReason ?? (isOver ? 'failed' : 'stopping'),
      summary: end.event?.summary ?? turn?.summary ?? null,
      verified: end.event?.verification?.verified ?? turn?.verified ?? false,
      spentMinor,
      withheld: end.event?.withheld ?? turn?.withheld ?? [],
    }
    onEvent({ kind: 'meter', meter: meter() })
    onEvent({ kind: 'ended', outcome })
    return outcome
  }

  /** A turn that the user stopped may still be finishing its last step. */
  async function awaitStopped(run: RunOptions): Promise<void> {
    const { openTurn } = state
    if (!openTurn) return
    if (!openTurn.isStopWanted)
      throw new Failure('turn_running', 'A turn of this session is still open.', {
        next: 'Follow it to its end first.',
      })
    const shown = onEvent
    onEvent = (event) => void (event.kind === 'note' && shown(event))
    try {
      const { stopReason } = await follow(openTurn.turnId, run, false)
      if (stopReason === 'stopping')
        throw new Failure('turn_running', 'The stopped turn is still finishing its last step.', {
          next: 'Try again in a moment.',
        })
    } finally {
      onEvent = shown
    }
  }

  async function runTurn(turn: NewTurn | null, run: RunOptions): Promise<TurnOutcome> {
    if (isRunning) throw new Failure('turn_running', 'A turn of this session is already being followed.')
    isRunning = true
    onEvent = run.onEvent
    try {
      if (turn) {
        await awaitStopped(run)
        const isUnderWay = await settleEarlier(turn, run)
        if (!isUnderWay) return await follow(await begin(turn, run), run, true)
      }
      const { openTurn } = state
      if (!openTurn) throw new Failure('no_open_turn', 'This session has no open turn.')
      const note = openTurn.isOwn ? 'resumed' : 'elsewhere'
      onEvent({ kind: 'note', note, detail: '' })
      return await follow(openTurn.turnId, run, false)
    } finally {
      isRunning = false
      onEvent = () => undefined
      await saving.catch(() => undefined)
    }
  }

  async function refresh(): Promise<void> {
    if (isRunning) return
    const task = await shortly.patiently(() => service.get(taskId, closed.signal), closed.signal)
    const open = task.turns.find(({ finishedAt }) => finishedAt === null)
    take(task, state.openTurn?.turnId ?? open?.id ?? null)
    const openTurn = open ? { turnId: open.id, isOwn: false, isStopWanted: false } : null
    await save({ openTurn: state.openTurn ?? openTurn })
  }

  return {
    taskId,
    notices: opened.notices,
    get title() {
      return state.title
    },
    get meter() {
      return meter()
    },
    get openTurnId() {
      return state.openTurn?.turnId ?? null
    },
    runTurn,
    refresh,
    async price(turn) {
      const quoted = await quote(turn)
      balanceMinor = quoted.balanceMinor
      const price = toTurnPrice(quoted, leftMinor())
      shownMinor = price.maxMinor
      return price
    },
    async stop() {
      if (!state.openTurn) return
      await save({ openTurn: { ...state.openTurn, isStopWanted: true } })
      await shortly.patiently(() => service.stop(taskId, closed.signal), closed.signal)
    },
    async setBudget(minor) {
      const budgetMinor = minor === null ? null : minor - state.exploredMinor
      await shortly.patiently(() => service.patch(taskId, { budgetMinor }, closed.signal), closed.signal)
      await save({ budgetMinor: minor })
    },
    async close() {
      closed.abort(new Error('the session was closed'))
      clearTimeout(saveTimer)
      await save().catch(() => undefined)
      lock.release()
    },
  }
}

/** As the service makes it from the first prompt. */
function titleOf(prompt: string): string {
  const lines = prompt.split('\n').map((each) => each.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim())
  const line = lines.find((each) => each !== '') ?? DEFAULT_TITLE
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`
}
