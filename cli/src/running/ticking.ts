// A line that says every second how long something has been going on.
import type { Context } from '../command.ts'

const TICK_MS = 1_000

export type Ticking = {
  /** Shows the line anew, now. */
  show(worth?: boolean): void
  stop(): void
}

/** `write` is given the seconds so far. Where nobody watches, only what is shown on purpose is a line. */
export function tick({ out, machine }: Context, write: (seconds: number) => string): Ticking {
  const startMs = machine.nowMs()
  const show = (worth = true) => out.progress(write(Math.floor((machine.nowMs() - startMs) / 1_000)), worth)
  const timer = out.manner.live ? setInterval(() => show(false), TICK_MS) : undefined
  timer?.unref()
  return {
    show,
    stop() {
      clearInterval(timer)
      out.endProgress()
    },
  }
}
