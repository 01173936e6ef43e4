// Streams that survive broken connections: a paid call is retried with its key; a research run and a task resume after the last
// frame.
import { CowrieError } from './errors.ts'
import { newIdempotencyKey } from './key.ts'
import type { CallOptions } from './operation.ts'
import { retryable } from './outcome.ts'
import { PATIENCE_DEFAULT_MS, pauseAfter, retryPatiently, wait } from './retry.ts'

export type FollowOptions = {
  /** Ends the wait and the stream; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long the service may send nothing before the last failure is thrown. Default: 10 minutes. */
  readonly patienceMs?: number | undefined
}

/** A stream that ends earlier without frames counts as a failure. The service ends a stream after 30 minutes. */
const WORKING_STREAM_MS = 5_000

type Frames<F> = AsyncGenerator<F, void, undefined>
/** Frames with a sequence number. The service stores their streams, so they can be requested again. */
type Numbered = { readonly seq: number }

/** The last frame of a stream: the result of a loop, or the message of a chat answer. */
export type LastFrame<F> = Extract<F, { result: object } | { message: object }>

export type CollectOptions<F> = FollowOptions & {
  /** Called with every frame as it arrives. After a broken connection it gets the last frame, not the missed ones. */
  readonly onFrame?: ((frame: F) => void) | undefined
  /** The key to send, if you stored one before the call. Default: a new key. */
  readonly idempotencyKey?: string | undefined
}

/**
 * Returns the last frame of a paid stream. When the connection breaks, the call is retried with the same idempotency key, which
 * returns the outcome and never starts or charges the work twice.
 * `await collect((options) => cowrie.agent.runLoop(body, options))`
 */
export async function collect<F extends Numbered>(
  open: (options: CallOptions) => Frames<F>,
  { onFrame, signal, patienceMs, idempotencyKey = newIdempotencyKey() }: CollectOptions<F> = {},
): Promise<LastFrame<F>> {
  const frames = reopening(() => open({ idempotencyKey, signal }), { signal, patienceMs })
  for await (const frame of frames) {
    onFrame?.(frame)
    if (isLast(frame)) return frame
  }
  throw endedEarly()
}

const isLast = <F extends Numbered>(frame: F): frame is LastFrame<F> =>
  'result' in frame || 'message' in frame

type ResearchFrame = Numbered & { readonly kind: string }
type Research<F> = {
  readonly research: {
    stream(id: string, query?: { after?: number | undefined }, options?: CallOptions): Frames<F>
  }
}

/** Yields each frame of a research run once, from `after` to the end, and reconnects when the connection breaks. */
export async function* followResearch<F extends ResearchFrame>(
  { research }: Research<F>,
  id: string,
  { after = 0, signal, patienceMs }: FollowOptions & { readonly after?: number | undefined } = {},
): Frames<F> {
  let seen = after
  const frames = reopening(() => research.stream(id, { after: seen }, { signal }), { signal, patienceMs })
  for await (const frame of frames) {
    if (frame.seq <= seen) continue
    seen = frame.seq
    yield frame
    if (frame.kind === 'done') return
  }
}

/** An event of a task, as far as following it needs. The event of the API is a union by `kind`. */
export type TaskFrame = Numbered & {
  readonly turnId: string | null
  readonly kind: string
  readonly status?: string
}
export type TurnState = { readonly id: string; readonly finishedAt: string | null }
type TaskState = { turns: TurnState[]; lastSeq: number }
type StreamQuery = { after?: number | undefined; outputs?: 'short' | 'none' | undefined }
/** The operations of the client that following a task needs. */
export type FollowedTasks<E, S extends TaskState = TaskState> = {
  readonly tasks: {
    get(id: string, query?: { turns?: number | undefined }, options?: CallOptions): Promise<S>
    stream(id: string, query?: StreamQuery, options?: CallOptions): Frames<E>
  }
}

export type FollowTaskOptions = FollowOptions & {
  /** The number of the last event that you have. Default: from the start. */
  readonly after?: number | undefined
  /** `none`: the events have no outputs of tools, which saves data for a client that ran the tools itself. */
  readonly outputs?: 'short' | 'none' | undefined
  /** Ends after this turn. Default: follows the task until you stop reading. */
  readonly turnId?: string | undefined
}

/**
 * Yields each event of a task once, and reconnects when the connection breaks. A task may be silent for hours, so only a
 * service that cannot be reached ends this with an error.
 */
export async function* followTask<E extends TaskFrame>(
  client: FollowedTasks<E>,
  id: string,
  options: FollowTaskOptions = {},
): Frames<E> {
  const { after = 0, turnId } = options
  let last = Number.POSITIVE_INFINITY
  if (turnId !== undefined) {
    const { task, turn } = await readTurn(client, id, turnId, options)
    // The end of the turn may be an event that the caller has already.
    if (turn.finishedAt !== null) last = task.lastSeq
    if (after >= last) return
  }
  for await (const event of followAllTurns(client, id, options)) {
    yield event
    const isEnd = event.kind === 'status' && event.status === 'finished' && event.turnId === turnId
    if (isEnd || event.seq >= last) return
  }
}

/** As `followTask` without `turnId`, in less code for web pages. */
export async function* followAllTurns<E extends TaskFrame>(
  { tasks }: Pick<FollowedTasks<E>, 'tasks'>,
  id: string,
  { after = 0, outputs, signal, patienceMs }: Omit<FollowTaskOptions, 'turnId'> = {},
): Frames<E> {
  let seen = after
  const open = () => tasks.stream(id, { after: seen, outputs }, { signal })
  for await (const event of reopening(open, { signal, patienceMs, mayBeIdle: true }))
    if (event.seq > seen) {
      seen = event.seq
      yield event
    }
}

/** A task with one of its turns, by default the last one. The last turn is read without the others. */
export async function readTurn<E, S extends TaskState>(
  { tasks }: FollowedTasks<E, S>,
  id: string,
  turnId: string | undefined,
  { signal, patienceMs }: FollowOptions,
): Promise<{ task: S; turn: S['turns'][number] }> {
  for (const query of [{ turns: 1 }, {}]) {
    const task = await retryPatiently(() => tasks.get(id, query, { signal }), { signal, patienceMs })
    const turn = turnId === undefined ? task.turns.at(-1) : task.turns.find((each) => each.id === turnId)
    if (turn) return { task, turn }
  }
  throw new TypeError(turnId ? `the task ${id} has no turn ${turnId}` : 'start a turn first')
}

/** Reopens a stream whenever it breaks or ends, until the caller stops reading or the service is silent for too long. */
async function* reopening<F>(
  open: () => Frames<F>,
  { signal, patienceMs = PATIENCE_DEFAULT_MS, mayBeIdle = false }: FollowOptions & { mayBeIdle?: boolean },
): Frames<F> {
  let lastFrameMs = performance.now()
  for (let failures = 1; ; failures++) {
    let failure = endedEarly()
    const openedMs = performance.now()
    try {
      for await (const frame of open()) {
        yield frame
        // Measured after the caller has handled the frame: its time does not count as silence.
        lastFrameMs = performance.now()
        failures = 0
      }
      // A stream that was open for long and without frames shows that the service works.
      if (mayBeIdle && performance.now() - openedMs > WORKING_STREAM_MS)
        [lastFrameMs, failures] = [performance.now(), 0]
    } catch (error) {
      if (!(error instanceof CowrieError) || !retryable(error)) throw error
      failure = error
    }
    const pauseMs = pauseAfter(failure, Math.max(1, failures))
    if (performance.now() + pauseMs - lastFrameMs > patienceMs) throw failure
    await wait(pauseMs, signal)
  }
}

const endedEarly = (): CowrieError =>
  new CowrieError({ status: 0, code: 'stream_cut', message: 'The stream ended before its last frame.' })
