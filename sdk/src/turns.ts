// Waits for the end of a turn over broken connections and restarts of the service.
import { type FollowTaskOptions, followTask, type TaskFrame } from './follow.ts'
import type { CallOptions } from './operation.ts'
import { retryPatiently } from './retry.ts'

export type TurnOptions<E> = FollowTaskOptions & {
  /** Default: the last turn of the task. */
  readonly turnId?: string | undefined
  /** `onEvent` gets the events after this number. Default: those after the call. */
  readonly after?: number | undefined
  readonly onEvent?: ((event: E) => void) | undefined
}

export type TurnState = { readonly id: string; readonly finishedAt: string | null }
type Need = { turnId: string; callId: string; kind: string; tool: string; input?: unknown }
export type TurnFrame = TaskFrame & {
  readonly callId?: string
  readonly tool?: string
  readonly input?: unknown
  readonly isInputOmitted?: true | undefined
}
/** The operations of the client that this needs. */
export type TurnClient<T extends TurnState, E> = {
  readonly tasks: {
    get(id: string, options?: CallOptions): Promise<{ turns: T[]; needs: Need[]; lastSeq: number }>
    stream(
      id: string,
      query?: { after?: number | undefined },
      options?: CallOptions,
    ): AsyncGenerator<E, void, undefined>
  }
}

/** Returns the turn when it has ended. Its `stopReason` says why. */
export const waitForTurn = <T extends TurnState, E extends TurnFrame>(
  cowrie: TurnClient<T, E>,
  id: string,
  options: TurnOptions<E> = {},
): Promise<T> => followTurn(cowrie, id, { ...options, onNeed: () => undefined })

export type ToolNeed = Omit<Need, 'kind'> & { isInputOmitted?: true | undefined }
type FollowedTurn<E> = TurnOptions<E> & { readonly onNeed: (need: ToolNeed) => void }

/** `onNeed` gets each tool call that waits for a result, some of them twice. */
export async function followTurn<T extends TurnState, E extends TurnFrame>(
  cowrie: TurnClient<T, E>,
  id: string,
  { turnId, after, onEvent, onNeed, signal, patienceMs }: FollowedTurn<E>,
): Promise<T> {
  const read = () => retryPatiently(() => cowrie.tasks.get(id, { signal }), { signal, patienceMs })
  const { turns, needs, lastSeq } = await read()
  const turn = turnId === undefined ? turns.at(-1) : turns.find((each) => each.id === turnId)
  if (!turn) throw new TypeError(turnId ? `the task ${id} has no turn ${turnId}` : 'start a turn first')
  if (turn.finishedAt !== null && after === undefined) return turn
  for (const need of needs) if (need.kind === 'tool' && need.turnId === turn.id) onNeed(need)
  const following = { after: after ?? lastSeq, turnId: turn.id, signal, patienceMs }
  for await (const event of followTask(cowrie, id, following)) {
    onEvent?.(event)
    // Earlier calls are in `needs` as long as they have no result.
    if (event.kind === 'needs_tool' && event.turnId === turn.id && event.seq > lastSeq) {
      const { callId = '', tool = '', input, isInputOmitted } = event
      onNeed({ turnId: turn.id, callId, tool, input, isInputOmitted })
    }
  }
  const ended = (await read()).turns.find((each) => each.id === turn.id)
  if (!ended) throw new TypeError(`the task ${id} has no turn ${turn.id}`)
  return ended
}
