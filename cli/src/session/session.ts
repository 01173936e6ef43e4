// One conversation in one repository: starts turns, follows them, and stores what a later process needs.
import { CowrieError, type TaskEvent } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { removeState } from '../system/state-file.ts'
import { explainBudget } from './budget-too-low.ts'
import { openCallLog } from './call-log.ts'
import type { FinishedCall } from './call-runner.ts'
import { type Connection, type ConnectionNote, createConnection } from './connection.ts'
import { followTurn } from './follow-turn.ts'
import { openKnownResults } from './known-results.ts'
import { toTurnPrice } from './price.ts'
import type { Task, TaskPatch, TaskTurn } from './service.ts'
import { writeDurably } from './session-files.ts'
import type { OpenedSession } from './session-options.ts'
import { budgetsOf, type StoredState } from './state.ts'
import { DEFAULT_TITLE, titleOf } from './title.ts'
import { digestOfTools, readTools } from './tool-sync.ts'
import { type EndedTurn, toOutcome } from './turn-outcome.ts'
import { settlePending, startTurn, toTurnBody } from './turn-start.ts'
import type { Decide, Meter, NewTurn, Session, SessionEvent, TurnOutcome } from './types.ts'
import { unreportedText, withUnreported } from './unreported-calls.ts'
import { isUnused, removeUnused } from './unused-sessions.ts'

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
/** With `explore`, a fifth of the limit of a turn is for searches, and a third of that for each. */
const SEARCH_SHARE = 5n
const SEARCHES_PER_TURN = 3n
const SETTLED_KEPT = 20

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
  /** The quoted turn does not start with less. */
  let leastMinor = 0n
  /** Of the open turn, so far. `state.spentMinor` is without it. */
  let turnSpentMinor = 0n
  /** Of the searches of the open turn. Part of `state.exploredMinor`. */
  let turnExploredMinor = 0n
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

  /** The tools may have changed since: an MCP server was added, AGENTS.md was edited. `explore` has spent from the budget. */
  async function syncTask(over: Connection, signal: AbortSignal): Promise<void> {
    const tools = await readTools(toolbox)
    const toolsDigest = digestOfTools(tools)
    const sentBudgetMinor = state.budgetMinor === null ? null : state.budgetMinor - state.exploredMinor
    const patch: TaskPatch = {
      ...(toolsDigest !== state.toolsDigest && tools),
      ...(sentBudgetMinor !== state.sentBudgetMinor && { budgetMinor: sentBudgetMinor }),
    }
    if (Object.keys(patch).length === 0) return
    await over.patiently(() => service.patch(taskId, patch, signal), signal)
    await save({ toolsDigest, sentBudgetMinor })
  }

  options.explore?.attach({
    ...options,
    service,
    connection,
    folder: files.searches,
    closed: closed.signal,
    async reserve() {
      const { leftMinor: left, eachMinor } = state.search
      const reserved = left < eachMinor ? left : eachMinor
      await save({ search: { eachMinor, leftMinor: left - reserved } })
      return reserved
    },
    async settle(id, reservedMinor, spentMinor) {
      const { search, settledSearches, exploredMinor } = state
      if (settledSearches.includes(id)) return
      turnExploredMinor += spentMinor
      await save({
        exploredMinor: exploredMinor + spentMinor,
        search: { ...search, leftMinor: search.leftMinor + reservedMinor - spentMinor },
        settledSearches: [...settledSearches.slice(-SETTLED_KEPT), id],
      })
      onEvent({ kind: 'meter', meter: meter() })
    },
  })

  async function begin(turn: NewTurn, { signal }: RunOptions): Promise<string> {
    lock.check()
    shownMinor ??= (await quote(turn)).maxMinor
    if (turn.maxMinor > shownMinor)
      throw new Failure('above_shown_price', 'The limit of this turn is above the price that was shown.', {
        exit: EXIT.money,
        next: 'Ask for the price again.',
      })
    await options.explore?.settleLeft(signal)
    await syncTask(connection, signal)
    const maxMinor = smaller(turn.maxMinor, leftMinor())
    const share = options.explore ? maxMinor / SEARCH_SHARE : 0n
    // The turn itself comes first: it must be able to start.
    const searchMinor = maxMinor - share < leastMinor ? 0n : share
    const limited = { ...turn, maxMinor: maxMinor - searchMinor }
    const body = withUnreported(toTurnBody(limited, options.model), state.unreported)
    try {
      const turnId = await startTurn(files, body, { taskId, service, connection, signal })
      const title = state.title === DEFAULT_TITLE ? titleOf(turn.prompt) : state.title
      turnExploredMinor = 0n
      await save({
        title,
        unreported: null,
        openTurn: { turnId, isOwn: true, isStopWanted: false },
        search: { leftMinor: searchMinor, eachMinor: searchMinor / SEARCHES_PER_TURN },
      })
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
    const quoted = await shortly.patiently(() => service.quote(taskId, body, closed.signal), closed.signal)
    leastMinor = quoted.leastMinor
    return quoted
  }

  function handled(event: TaskEvent, turnId: string): void {
    state = { ...state, seq: event.seq }
    if (event.turnId === turnId && event.kind === 'cost') {
      turnSpentMinor = event.spentMinor
      balanceMinor = event.balanceMinor ?? balanceMinor
      onEvent({ kind: 'meter', meter: meter(), tokens: event.tokens })
    }
    const isOther = event.turnId !== null && event.turnId !== turnId
    // A turn of the web that ran without this session.
    if (isOther && event.kind === 'status' && event.status === 'finished' && event.seq > countedSeq)
      state = { ...state, spentMinor: state.spentMinor + (event.spentMinor ?? 0n) }
    saveSoon()
  }

  /** `state.spentMinor` has the costs up to this event, because it was read from the service then. */
  let countedSeq = opened.countedSeq

  /** The position of an open turn. `state.spentMinor` becomes the cost of all other turns. */
  function take(task: Task, turnId: string | null): TaskTurn | undefined {
    const turn = task.turns.find(({ id }) => id === turnId)
    turnSpentMinor = turn?.spentMinor ?? 0n
    countedSeq = task.lastSeq
    state = { ...state, ...budgetsOf(state, task), spentMinor: task.spentMinor - turnSpentMinor }
    return turn
  }

  async function follow(turnId: string, run: RunOptions, isNew: boolean): Promise<TurnOutcome> {
    let needs: { calls: Task['needs']; lastSeq: number } | null = null
    if (!isNew) {
      const task = await readOpen(turnId, run.signal)
      if (!task) return finish({ turnId, isOver: false }, [])
      const turn = take(task, turnId)
      if (turn && state.openTurn?.isOwn === false && !state.openTurn.isStopWanted)
        onEvent({ kind: 'note', note: 'elsewhere', detail: turn.prompt })
      const isShown = turn?.finishedAt != null && state.seq >= task.lastSeq
      state = { ...state, seq: turn ? Math.min(state.seq, task.lastSeq) : task.lastSeq }
      // Without it, so many turns have ended since that it is not worth showing.
      if (!turn || isShown) return finish({ turnId, ...(turn && { turn }), isOver: true }, [])
      needs = { calls: task.needs.filter((need) => need.turnId === turnId), lastSeq: task.lastSeq }
    } else turnSpentMinor = 0n
    const { event, unsent } = await followTurn({
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
      onHandled: (each) => handled(each, turnId),
      onStop: () => wantStop(turnId),
    })
    return finish({ turnId, event, isOver: event !== null }, unsent, !isNew)
  }

  async function wantStop(turnId: string): Promise<void> {
    if (state.openTurn?.isStopWanted === true) return
    await save({ openTurn: { turnId, isOwn: state.openTurn?.isOwn ?? true, isStopWanted: true } })
  }

  /** Null if the user stopped it before the service could be reached. */
  async function readOpen(turnId: string, signal: AbortSignal): Promise<Task | null> {
    try {
      return await connection.patiently(() => service.get(taskId, signal), signal)
    } catch (error) {
      if (!signal.aborted) throw error
      await wantStop(turnId)
      service.stop(taskId, closed.signal).catch(() => undefined)
      return null
    }
  }

  async function finish(
    ended: EndedTurn,
    unsent: readonly FinishedCall[],
    isRecounted = false,
  ): Promise<TurnOutcome> {
    const spentMinor = ended.event?.spentMinor ?? ended.turn?.spentMinor ?? turnSpentMinor
    if (ended.isOver) {
      const unreported = unreportedText(state.unreported, unsent, log.list())
      state = { ...state, spentMinor: state.spentMinor + spentMinor, openTurn: null, unreported }
      turnSpentMinor = 0n
      if (isRecounted) await recount()
      await save({ search: { leftMinor: 0n, eachMinor: 0n } })
      log.clear()
      // Turns that are started elsewhere must not spend it again.
      if (turnExploredMinor > 0n) syncTask(shortly, closed.signal).catch(() => undefined)
    } else await save()
    const outcome = toOutcome(ended, spentMinor + turnExploredMinor)
    onEvent({ kind: 'meter', meter: meter() })
    onEvent({ kind: 'ended', outcome })
    return outcome
  }

  /** While a turn runs, its cost and that of the task are not of the same moment. */
  async function recount(): Promise<void> {
    const task = await shortly
      .patiently(() => service.get(taskId, closed.signal), closed.signal)
      .catch(() => null)
    if (task) take(task, task.turns.find(({ finishedAt }) => finishedAt === null)?.id ?? null)
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
      if (openTurn.isOwn) onEvent({ kind: 'note', note: 'resumed', detail: '' })
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
      const { signal } = closed
      await shortly
        .patiently(() => service.patch(taskId, { budgetMinor }, signal), signal)
        .catch((error) => explainBudget(error, () => service.get(taskId, signal), state))
      await save({ budgetMinor: minor, sentBudgetMinor: budgetMinor })
    },
    async close() {
      closed.abort(new Error('the session was closed'))
      clearTimeout(saveTimer)
      const isUnusedHere = options.taskId === undefined && isUnused(state, files)
      const isRemoved = isUnusedHere && (await removeUnused(taskId, files, service))
      if (!isRemoved) await save().catch(() => undefined)
      lock.release()
    },
  }
}

function smaller(minor: bigint, leftMinor: bigint | null): bigint {
  if (leftMinor === null || leftMinor >= minor) return minor
  return leftMinor < 0n ? 0n : leftMinor
}
