// Follows a turn to its end: shows its events, runs the calls it needs, and stops it when the user asks.
import type { TaskEvent } from '@cowrie/sdk'
import type { CallLog } from './call-log.ts'
import { createCallRunner, type FinishedCall } from './call-runner.ts'
import type { Connection } from './connection.ts'
import type { KnownResults } from './known-results.ts'
import { createResultSender } from './result-sender.ts'
import type { Need, TaskService } from './service.ts'
import { createTextMarker } from './text-marker.ts'
import type { Decide, SessionEvent, Toolbox, ToolCall } from './types.ts'

export type FollowOptions = {
  readonly taskId: string
  readonly turnId: string
  readonly service: TaskService
  readonly connection: Connection
  readonly toolbox: Toolbox
  readonly log: CallLog
  readonly known: KnownResults
  readonly decide: Decide
  readonly onEvent: (event: SessionEvent) => void
  /** Of the user: the turn is stopped. */
  readonly signal: AbortSignal
  /** The session is closed: following ends, and the turn continues on the service. */
  readonly closed: AbortSignal
  /** The number of the last event that was handled. */
  readonly seq: number
  /** The open calls as of the event `lastSeq`, if they were read. A new turn has none. */
  readonly needs: { readonly calls: readonly Need[]; readonly lastSeq: number } | null
  /** The user stopped it before. */
  readonly isStopWanted: boolean
  /** Every event, of other turns too, before it is shown. */
  readonly onHandled: (event: TaskEvent) => void
  /** Stores that the user wants the end, before the request to the service. */
  readonly onStop: () => Promise<void>
}

export type TurnEnd = {
  /** Null: the turn did not end in time after a stop. */
  readonly event: Extract<TaskEvent, { kind: 'status' }> | null
  /** Calls that have run, and whose results the service does not take any more. */
  readonly unsent: readonly FinishedCall[]
}

/** How long a stopped turn may take to end. Its model call is finished and charged. */
const STOP_MS = 20_000
/** How long a stopped tool may take to end. */
const TOOL_STOP_MS = 5_000
const RESULTS_MS = 3_000

export async function followTurn(options: FollowOptions): Promise<TurnEnd> {
  const { taskId, turnId, service, connection, log, signal, onEvent } = options
  const end = new AbortController()
  const fail = (error: unknown) => end.abort(new TurnFailure(error))
  let seq = options.seq
  /** Whether the service has named all calls of the step. */
  let isStepKnown = options.needs !== null
  const runner = createCallRunner({
    ...options,
    onReport: (finished) => sender.add(finished),
    onError: fail,
  })
  const sender = createResultSender({
    ...options,
    isMoreExpected: () => runner.openCalls > 0 || !isStepKnown,
    onError: fail,
  })
  const markText = createTextMarker()
  const approvals = new Set<string>()

  function need(call: { callId: string; tool: string; input: unknown }, isOmitted: boolean): void {
    if (!isOmitted) {
      runner.add(toCall(turnId, call))
      return
    }
    connection
      .patiently(() => service.input(taskId, call.callId, end.signal), end.signal)
      .then((input) => runner.add(toCall(turnId, { ...call, input })))
      .catch(fail)
  }

  function needApproval(call: { callId: string; tool: string; input: unknown }, reason: string): void {
    if (approvals.has(call.callId)) return
    approvals.add(call.callId)
    decideApproval(options, toCall(turnId, call), reason, end.signal).catch(fail)
  }

  /** Returns the event that ends the turn. */
  function handle(event: TaskEvent): TurnEnd['event'] {
    options.onHandled(event)
    if (event.turnId !== turnId) return null
    // Earlier calls are among the needs as long as they are open.
    const isNew = event.seq > (options.needs?.lastSeq ?? 0)
    switch (event.kind) {
      case 'message':
      case 'reasoning': {
        const kind = event.kind === 'message' ? 'text' : 'reasoning'
        onEvent({ kind, step: event.step, isNew: markText(event), text: event.text })
        return null
      }
      case 'needs_tool':
        if (!isNew) return null
        isStepKnown = false
        need(event, event.isInputOmitted === true)
        return null
      case 'needs_approval':
        if (isNew) needApproval(event, event.reason)
        return null
      case 'tool_result':
        runner.drop(event.callId)
        return null
      case 'status':
        return handleStatus(event)
      default:
        return null
    }
  }

  function handleStatus(event: Extract<TaskEvent, { kind: 'status' }>): TurnEnd['event'] {
    if (event.status === 'finished') return event
    if (event.status === 'waiting') {
      isStepKnown = true
      if (runner.openCalls === 0) sender.flush().catch(fail)
    }
    const { note, detail = '' } = event
    if (note === 'compacted' || note === 'retrying' || note === 'verifying')
      onEvent({ kind: 'note', note, detail })
    return null
  }

  /** Reads the events until the turn ends, over any number of connections. */
  async function readToEnd(): Promise<TurnEnd['event']> {
    for (let attempt = 1; ; attempt++) {
      let failure: unknown = null
      try {
        // An open stream is silent until there is an event.
        if (connection.isOffline)
          await connection.patiently(() => service.get(taskId, end.signal), end.signal)
        for await (const event of service.stream(taskId, seq, end.signal)) {
          connection.answered()
          attempt = 0
          if (event.seq <= seq) continue
          seq = event.seq
          const last = handle(event)
          if (last) return last
        }
      } catch (error) {
        failure = error
      }
      end.signal.throwIfAborted()
      // A stream that ends without an error has reached its time limit, or the service restarts.
      if (failure !== null) await connection.pauseAfter(failure, Math.max(1, attempt), end.signal)
      else if (attempt > 1) await pause(Math.min(8_000, 250 * 2 ** attempt), end.signal)
    }
  }

  let stopping: Promise<readonly FinishedCall[]> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTurn = () => {
    stopping ??= stop()
    stopping.catch(fail)
  }

  async function stop(): Promise<readonly FinishedCall[]> {
    timer = setTimeout(() => end.abort(new StopTimeout()), STOP_MS)
    await options.onStop()
    const ended = runner.stop(TOOL_STOP_MS)
    // With an open call the turn cannot continue, so results that are ready are safe to send.
    if (runner.openCalls > 0) await within(RESULTS_MS, sender.flush())
    const told = connection.patiently(() => service.stop(taskId, end.signal), end.signal)
    const [calls] = await Promise.all([ended, told])
    return calls
  }

  const leave = () => end.abort(options.closed.reason)
  signal.addEventListener('abort', stopTurn, { once: true })
  options.closed.addEventListener('abort', leave, { once: true })
  if (options.closed.aborted) leave()
  try {
    for (const { callId, tool, input, kind } of options.needs?.calls ?? [])
      if (kind === 'tool') need({ callId, tool, input }, false)
      else needApproval({ callId, tool, input }, '')
    if (signal.aborted || options.isStopWanted) stopTurn()
    const event = await readToEnd()
    const stopped = await runner.stop(TOOL_STOP_MS)
    return { event, unsent: [...sender.unsent, ...stopped] }
  } catch (error) {
    const stopped = await runner.stop(TOOL_STOP_MS)
    const { reason } = end.signal
    if (reason instanceof StopTimeout) return { event: null, unsent: [...sender.unsent, ...stopped] }
    throw reason instanceof TurnFailure ? reason.cause : error
  } finally {
    signal.removeEventListener('abort', stopTurn)
    options.closed.removeEventListener('abort', leave)
    clearTimeout(timer)
    sender.close()
    end.abort(new Error('the turn has ended'))
    if (log.list().length === 0) log.clear()
  }
}

class StopTimeout extends Error {}
class TurnFailure extends Error {
  constructor(cause: unknown) {
    super('the turn cannot be followed', { cause })
  }
}

function toCall(
  turnId: string,
  { callId, tool, input }: { callId: string; tool: string; input: unknown },
): ToolCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return { callId, turnId, tool, input: isObject ? (input as ToolCall['input']) : {} }
}

/** The service asks for a person, whatever the rules here say. */
async function decideApproval(
  { taskId, service, connection, decide }: FollowOptions,
  call: ToolCall,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  const { path, command } = call.input
  const subject = [path, command].find((each) => typeof each === 'string')
  const decision = await decide(
    call,
    {
      kind: 'ask',
      about: 'sensitive',
      subject: typeof subject === 'string' ? subject : call.tool,
      preview: reason === '' ? [] : [reason],
      patterns: [],
    },
    signal,
  )
  await connection.patiently(() => service.approve(taskId, call.callId, decision.allow, signal), signal)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Waits, but not longer; a failure counts as an end. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
