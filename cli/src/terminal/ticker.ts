// A progress line with the elapsed seconds.
import type { Context } from '../command.ts'

const TICK_MS = 1_000

export type Ticker = {
  /** Redraws the line now. */
  show(worth?: boolean): void
  stop(): void
}

/** `write` receives the elapsed seconds. Without a terminal only explicit updates are printed. */
export function startTicker({ out, machine }: Context, write: (seconds: number) => string): Ticker {
  const startMs = machine.nowMs()
  const show = (worth = true) => out.progress(write(Math.floor((machine.nowMs() - startMs) / 1_000)), worth)
  const timer = out.mode.live ? setInterval(() => show(false), TICK_MS) : undefined
  timer?.unref()
  return {
    show,
    stop() {
      clearInterval(timer)
      out.endProgress()
    },
  }
}
