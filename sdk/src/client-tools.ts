// Runs the tools of a task whose files stay on this machine: calls your handlers and sends their results.
import { CowrieError } from './errors.ts'
import { type FollowOptions, followTask } from './follow.ts'
import type { CallOptions } from './operation.ts'
import { retryable } from './outcome.ts'
import { pauseAfter, wait } from './retry.ts'
import type { TaskEvent, TaskFrame } from './task-events.ts'

export type ToolOutcome = {
  /** Default: true. */
  readonly ok?: boolean
  readonly output: string
  /** The changed files with a unified diff each, so that other devices can show them. */
  readonly changes?: readonly { readonly path: string; readonly patch: string }[]
}

export type ClientToolCall = {
  /** The same if a call is run again after a crash. */
  readonly callId: string
  readonly tool: string
  readonly turnId: string
  /** Aborts when the turn ends, or when you abort. */
  readonly signal: AbortSignal
}

/** The inputs of the tools. The service has checked them. */
export type ToolInputs = {
  readonly list: { readonly path?: string; readonly depth?: number; readonly pattern?: string }
  readonly read: { readonly path: string; readonly from?: number; readonly to?: number }
  readonly search: {
    readonly query: string
    readonly kind: 'text' | 'regex' | 'symbol' | 'meaning'
    readonly path?: string
    readonly glob?: string
    readonly limit?: number
  }
  readonly edit: {
    readonly path: string
    readonly edits: readonly { readonly find: string; readonly replace: string; readonly all?: boolean }[]
  }
  readonly create: { readonly path: string; readonly content: string; readonly overwrite?: boolean }
  readonly delete: { readonly path: string }
  readonly run: { readonly command: string; readonly timeoutSeconds?: number }
}

type Handler<I> = (input: I, call: ClientToolCall) => string | ToolOutcome | Promise<string | ToolOutcome>
/** An error that a handler throws becomes the result of the call. */
export type ToolHandlers = { readonly [T in keyof ToolInputs]?: Handler<ToolInputs[T]> }

export type ClientToolsOptions = FollowOptions & {
  /** Default: the last turn of the task. */
  readonly turnId?: string | undefined
  /** Called with every new event of the task. */
  readonly onEvent?: ((event: TaskEvent) => void) | undefined
}

type Need = { turnId: string; callId: string; kind: string; tool: string; input?: unknown }
type Result = {
  callId: string
  ok: boolean
  output: string
  changes?: { path: string; patch: string }[] | undefined
}
/** The operations of the client that this needs. */
type TaskClient<T extends { id: string }> = {
  readonly tasks: {
    get(id: string, options?: CallOptions): Promise<{ turns: T[]; needs: Need[]; lastSeq: number }>
    stream(
      id: string,
      query?: { after?: number | undefined },
      options?: CallOptions,
    ): AsyncGenerator<TaskFrame, void, undefined>
    toolResults(id: string, body: { results: Result[] }, options?: CallOptions): Promise<unknown>
  }
}

const PATIENCE_DEFAULT_MS = 10 * 60_000
/** The service accepts no more. */
const OUTPUT_CHARACTERS_MAX = 1_000_000

/**
 * Answers the tool calls of a turn until it ends, and returns the turn. Calls run one after another, in the order of the model.
 * The service takes one result for each call, so a program that crashed can call this again: open calls are run, answered ones
 * are not. A call that ran but whose result was not sent is run again.
 */
export async function runClientTools<T extends { id: string }>(
  cowrie: TaskClient<T>,
  id: string,
  handlers: ToolHandlers,
  { turnId, onEvent, signal, patienceMs }: ClientToolsOptions = {},
): Promise<T> {
  const task = await cowrie.tasks.get(id, { signal })
  const wanted = turnId ?? task.turns.at(-1)?.id
  const turn = task.turns.find((each) => each.id === wanted)
  if (wanted === undefined || turn === undefined)
    throw new TypeError('runClientTools needs a turn: start one first')
  if ('finishedAt' in turn && turn.finishedAt !== null) return turn
  const end = new AbortController()
  const both = signal ? AbortSignal.any([signal, end.signal]) : end.signal
  const runner = createRunner({
    run: (call) => runCall(handlers, call, both),
    send: (result) => sendResult(cowrie, id, result, { signal: both, patienceMs }),
    signal: both,
    onFailure: (error) => end.abort(error),
  })
  try {
    for (const need of task.needs) if (need.kind === 'tool' && need.turnId === wanted) runner.add(need)
    const following = { after: task.lastSeq, turnId: wanted, signal: both, patienceMs }
    for await (const event of followTask(cowrie, id, following)) {
      onEvent?.(event)
      if (event.kind === 'needs_tool' && event.turnId === wanted) runner.add({ ...event, turnId: wanted })
    }
  } finally {
    end.abort(new Error('the turn has ended'))
    await runner.settled()
  }
  const { turns } = await cowrie.tasks.get(id, { signal })
  return turns.find((each) => each.id === wanted) ?? turn
}

type OpenCall = Pick<Need, 'callId' | 'tool' | 'turnId' | 'input'>
type RunnerOptions = {
  readonly run: (call: OpenCall) => Promise<Result>
  readonly send: (result: Result) => Promise<void>
  readonly signal: AbortSignal
  readonly onFailure: (error: unknown) => void
}

/** Runs each call once in this process, one after another. */
function createRunner({ run, send, signal, onFailure }: RunnerOptions) {
  const seen = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  const answer = async (call: OpenCall): Promise<void> => {
    const result = signal.aborted ? null : await run(call)
    // The turn may have ended while the handler ran.
    if (result && !signal.aborted) await send(result)
  }
  return {
    add(call: OpenCall): void {
      if (seen.has(call.callId)) return
      seen.add(call.callId)
      last = last.then(() => answer(call)).catch(onFailure)
    },
    /** Resolves when no call is running any more. */
    settled: () => last,
  }
}

async function runCall(
  handlers: ToolHandlers,
  { callId, tool, turnId, input }: OpenCall,
  signal: AbortSignal,
): Promise<Result> {
  const handler = Object.hasOwn(handlers, tool) ? handlers[tool as keyof ToolHandlers] : undefined
  if (!handler) return { callId, ok: false, output: `This client does not offer the tool ${tool}.` }
  try {
    // The service sends each tool the input of its type.
    const outcome = await (handler as Handler<unknown>)(input, { callId, tool, turnId, signal })
    if (typeof outcome === 'string') return { callId, ok: true, output: cut(outcome) }
    const { ok = true, output, changes } = outcome
    return { callId, ok, output: cut(output), ...(changes && { changes: [...changes] }) }
  } catch (error) {
    return { callId, ok: false, output: cut(error instanceof Error ? error.message : String(error)) }
  }
}

/** Safe to repeat: the service takes one result for each call. */
async function sendResult<T extends { id: string }>(
  { tasks }: TaskClient<T>,
  id: string,
  result: Result,
  { signal, patienceMs = PATIENCE_DEFAULT_MS }: { signal: AbortSignal; patienceMs: number | undefined },
): Promise<void> {
  const sinceMs = performance.now()
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await tasks.toolResults(id, { results: [result] }, { signal })
      return
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CowrieError) || !retryable(error)) throw error
      const pauseMs = pauseAfter(error, failures)
      if (performance.now() + pauseMs - sinceMs > patienceMs) throw error
      await wait(pauseMs, signal).catch(() => undefined)
    }
  }
}

const cut = (output: string): string =>
  output.length <= OUTPUT_CHARACTERS_MAX
    ? output
    : `${output.slice(0, OUTPUT_CHARACTERS_MAX - 100)}\n… the rest of the output is left out`
