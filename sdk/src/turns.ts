// Waits for the end of a turn over broken connections and restarts of the service.
import {
  type FollowedTasks,
  type FollowTaskOptions,
  followTask,
  readTurn,
  type TaskFrame,
  type TurnState,
} from './follow.ts'

export type TurnOptions<E> = FollowTaskOptions & {
  /** Default: the last turn of the task. */
  readonly turnId?: string | undefined
  /** `onEvent` gets the events after this number. Default: those after the call. */
  readonly after?: number | undefined
  readonly onEvent?: ((event: E) => void) | undefined
}

type Need = { turnId: string; callId: string; kind: string; tool: string; input?: unknown }
export type TurnFrame = TaskFrame & {
  readonly callId?: string
  readonly tool?: string
  readonly input?: unknown
  readonly isInputOmitted?: true | undefined
}
/** The operations of the client that this needs. */
export type TurnClient<T extends TurnState, E> = FollowedTasks<
  E,
  { turns: T[]; needs: Need[]; lastSeq: number }
>

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
  { turnId, after, onEvent, onNeed, ...options }: FollowedTurn<E>,
): Promise<T> {
  const { task, turn } = await readTurn(cowrie, id, turnId, options)
  if (turn.finishedAt !== null && after === undefined) return turn
  for (const need of task.needs) if (need.kind === 'tool' && need.turnId === turn.id) onNeed(need)
  const following = { ...options, after: after ?? task.lastSeq, turnId: turn.id }
  for await (const event of followTask(cowrie, id, following)) {
    onEvent?.(event)
    // Earlier calls are in `needs` as long as they have no result.
    if (event.kind === 'needs_tool' && event.turnId === turn.id && event.seq > task.lastSeq) {
      const { callId = '', tool = '', input, isInputOmitted } = event
      onNeed({ turnId: turn.id, callId, tool, input, isInputOmitted })
    }
  }
  return (await readTurn(cowrie, id, turn.id, options)).turn
}
