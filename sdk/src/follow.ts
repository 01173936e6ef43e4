// Streams on networks that break: what was paid for is fetched under its key, and what is followed goes on where it stopped.
import { CowrieError } from './errors.ts'
import { newIdempotencyKey } from './key.ts'
import type { CallOptions } from './operation.ts'
import { isPassing, pauseAfter, wait } from './retry.ts'

export type FollowOptions = {
  /** Ends the wait and the stream; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** For how long nothing may be heard of the service before its last failure is thrown; 10 minutes. */
  readonly patienceMs?: number | undefined
}

const PATIENCE_DEFAULT_MS = 10 * 60_000

type Frames<F> = AsyncGenerator<F, void, undefined>
/** Frames that are counted: their streams are remembered, and can be asked for again. */
type Counted = { readonly seq: number }

/** The frame that a stream ends with: the result of a loop, the message of an answer. */
export type LastFrame<F> = Extract<F, { result: object } | { message: object }>

export type CollectOptions<F> = FollowOptions & {
  /** Hears every frame as it comes. After a cut it hears the end, not what was missed. */
  readonly onFrame?: ((frame: F) => void) | undefined
  /** The name of the intent, for who wrote it down; else a new one. */
  readonly idempotencyKey?: string | undefined
}

/**
 * The end of a stream that is paid for, whatever the network does: a stream that is cut is asked for again under the same key,
 * which brings its outcome and never a second one.
 * `await collect((options) => cowrie.agent.runLoop(body, options))`
 */
export async function collect<F extends Counted>(
  open: (options: CallOptions) => Frames<F>,
  { onFrame, signal, patienceMs, idempotencyKey = newIdempotencyKey() }: CollectOptions<F> = {},
): Promise<LastFrame<F>> {
  const frames = persist(() => open({ idempotencyKey, signal }), { signal, patienceMs })
  for await (const frame of frames) {
    onFrame?.(frame)
    if (isLast(frame)) return frame
  }
  throw cutShort()
}

const isLast = <F extends Counted>(frame: F): frame is LastFrame<F> => 'result' in frame || 'message' in frame

type Told = Counted & { readonly kind: string }
type Research<F> = {
  readonly research: {
    stream(id: string, query?: { after?: number | undefined }, options?: CallOptions): Frames<F>
  }
}

/** A run of research from where you stopped (`after`) to its end, each frame once, over as many connections as it takes. */
export async function* followResearch<F extends Told>(
  { research }: Research<F>,
  id: string,
  { after = 0, signal, patienceMs }: FollowOptions & { readonly after?: number | undefined } = {},
): Frames<F> {
  let seen = after
  const frames = persist(() => research.stream(id, { after: seen }, { signal }), { signal, patienceMs })
  for await (const frame of frames) {
    if (frame.seq <= seen) continue
    seen = frame.seq
    yield frame
    if (frame.kind === 'done') return
  }
}

/** Opens a stream anew whenever it breaks or ends, until the caller has what it wants or nothing was heard for too long. */
async function* persist<F>(
  open: () => Frames<F>,
  { signal, patienceMs = PATIENCE_DEFAULT_MS }: FollowOptions,
): Frames<F> {
  let heardAtMs = performance.now()
  for (let failures = 1; ; failures++) {
    let failure = cutShort()
    try {
      for await (const frame of open()) {
        yield frame
        // What the caller did with the frame took time that is not the service's.
        heardAtMs = performance.now()
        failures = 0
      }
    } catch (error) {
      if (!(error instanceof CowrieError) || !(isPassing(error) || error.code === 'stream_cut')) throw error
      failure = error
    }
    const pauseMs = pauseAfter(failure, Math.max(1, failures))
    if (performance.now() + pauseMs - heardAtMs > patienceMs) throw failure
    await wait(pauseMs, signal)
  }
}

const cutShort = (): CowrieError =>
  new CowrieError({ status: 0, code: 'stream_cut', message: 'The stream ended before its last frame.' })
