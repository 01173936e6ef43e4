// Runs the tools of a task whose files stay on this machine: calls your handlers and sends their results.
import type { TurnState } from './follow.ts'
import type { CallOptions } from './operation.ts'
import { type Patience, retryPatiently } from './retry.ts'
import { followTurn, type ToolNeed, type TurnClient, type TurnFrame, type TurnOptions } from './turns.ts'

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

export type ClientToolsOptions<E> = TurnOptions<E> & {
  /** Runs the tools without a handler: those that you named in the workspace. Check the input: the service does not. */
  readonly otherTools?: Handler<Readonly<Record<string, unknown>>> | undefined
}

type Result = {
  callId: string
  ok: boolean
  output: string
  changes?: { path: string; patch: string }[] | undefined
}
/** The operations of the client that this needs. */
type ToolsClient<T extends TurnState, E> = TurnClient<T, E> & {
  readonly tasks: {
    toolOutput(id: string, callId: string, options?: CallOptions): Promise<{ input?: unknown }>
    toolResults(id: string, body: { results: Result[] }, options?: CallOptions): Promise<unknown>
  }
}

/** The service accepts no more. */
const OUTPUT_CHARACTERS_MAX = 1_000_000

/**
 * Answers the tool calls of a turn until it ends, and returns the turn. Calls run one after another, in the order of the model.
 * After an error, call it again: open calls are run, answered ones are not. A result that could not be sent is kept while this
 * process lives, so its call is not run again; after a crash it is.
 */
export async function runClientTools<T extends TurnState, E extends TurnFrame>(
  cowrie: ToolsClient<T, E>,
  id: string,
  handlers: ToolHandlers,
  { otherTools, ...options }: ClientToolsOptions<E> = {},
): Promise<T> {
  const { signal, patienceMs } = options
  const end = new AbortController()
  const both = signal ? AbortSignal.any([signal, end.signal]) : end.signal
  const patience = { signal: both, patienceMs }
  const unsent = unsentOf(cowrie, id)
  const answered = new Set<string>()
  let last: Promise<void> = Promise.resolve()

  async function answer(call: ToolNeed): Promise<void> {
    if (both.aborted) return
    const result = unsent.get(call.callId) ?? (await runCall(handlerOf(call.tool), await whole(call), both))
    // The turn may have ended while the handler ran, which then may have given up halfway.
    if (both.aborted) return
    unsent.set(call.callId, result)
    await retryPatiently(
      () => cowrie.tasks.toolResults(id, { results: [result] }, { signal: both }),
      patience,
    )
    unsent.delete(call.callId)
  }

  const handlerOf = (tool: string) =>
    Object.hasOwn(handlers, tool) ? handlers[tool as keyof ToolHandlers] : otherTools
  const whole = (call: ToolNeed): Promise<ToolNeed> => withInput(cowrie, id, call, patience)

  function add(call: ToolNeed): void {
    if (answered.has(call.callId)) return
    answered.add(call.callId)
    last = last.then(() => answer(call)).catch((error: unknown) => end.abort(error))
  }

  try {
    const turn = await followTurn(cowrie, id, { ...options, signal: both, onNeed: add })
    unsentResults.get(cowrie)?.delete(id)
    return turn
  } finally {
    end.abort(new Error('the turn has ended'))
    await last
  }
}

/** Results that were not sent, by client and task. */
const unsentResults = new WeakMap<object, Map<string, Map<string, Result>>>()

function unsentOf(cowrie: object, id: string): Map<string, Result> {
  const ofClient = unsentResults.get(cowrie) ?? new Map<string, Map<string, Result>>()
  unsentResults.set(cowrie, ofClient)
  const ofTask = ofClient.get(id) ?? new Map<string, Result>()
  ofClient.set(id, ofTask)
  return ofTask
}

/** The events leave out very large inputs. */
async function withInput<T extends TurnState, E>(
  { tasks }: ToolsClient<T, E>,
  id: string,
  call: ToolNeed,
  patience: Patience,
): Promise<ToolNeed> {
  if (!call.isInputOmitted) return call
  const read = () => tasks.toolOutput(id, call.callId, { signal: patience.signal })
  return { ...call, input: (await retryPatiently(read, patience)).input }
}

async function runCall(
  handler: unknown,
  { callId, tool, turnId, input }: ToolNeed,
  signal: AbortSignal,
): Promise<Result> {
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

const cut = (output: string): string =>
  output.length <= OUTPUT_CHARACTERS_MAX
    ? output
    : `${output.slice(0, OUTPUT_CHARACTERS_MAX - 100)}\n… the rest of the output is left out`
