import { outcomeOf } from '@cowrie/sdk'
// Follows the event stream of a run and reconnects from the last event. It never affects the run.
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import type { Frame } from './run-state.ts'

/** `resting`: the page is hidden, so no data is spent. */
export type ConnectionState = 'joining' | 'live' | 'lost' | 'resting' | 'over'

export type StreamHandlers = {
  /** Resolves once connected. */
  open(after: number, signal: AbortSignal): Promise<AsyncIterable<Frame>>
  /** Called once per event, in order. */
  take(frame: Frame): void
  say(link: ConnectionState): void
  /** The stream cannot be followed. */
  refuse(failure: ApiFailure): void
}

export type Follower = {
  /** Reconnects at once; with `anew` also if connected, because sleep may have cut the connection. */
  wake(anew?: boolean): void
  rest(): void
  stop(): void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

export function followStream({ open, take, say, refuse }: StreamHandlers): Follower {
  let seen = 0
  let tries = 0
  let isOver = false
  let connection: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function join(): Promise<void> {
    const own = new AbortController()
    connection = own
    say('joining')
    try {
      const frames = await open(seen, own.signal)
      if (own.signal.aborted) return
      say('live')
      for await (const frame of frames) {
        if (own.signal.aborted) return
        tries = 0
        if (frame.seq <= seen) continue
        seen = frame.seq
        take(frame)
        if (frame.kind === 'done') return end()
      }
    } catch (error) {
      if (own.signal.aborted) return
      const failure = asFailure(error)
      if (outcomeOf(failure) === 'decided') {
        end()
        return refuse(failure)
      }
    }
    // The stream was cut, silent for too long, or reached its maximum duration. The next connection replays what is missing.
    connection = null
    say('lost')
    timer = setTimeout(() => void join(), backoffMs(tries++))
  }

  function end(): void {
    isOver = true
    leave()
    say('over')
  }

  function leave(): void {
    clearTimeout(timer)
    connection?.abort()
    connection = null
  }

  void join()
  return {
    wake(anew = false) {
      if (isOver || (connection && !anew)) return
      leave()
      tries = 0
      void join()
    },
    rest() {
      if (isOver) return
      leave()
      say('resting')
    },
    stop() {
      isOver = true
      leave()
    },
  }
}

/** 1, 2, 4 … 30 seconds. */
export const backoffMs = (tries: number): number => Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS)
