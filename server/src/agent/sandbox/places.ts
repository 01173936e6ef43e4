// How many sandboxes run at once in this process. Each may take half a gibibyte, so the others wait for their turn.

const AT_ONCE_MAX = 4
const WAITING_MAX = 64
let running = 0
const waiting: (() => void)[] = []

/** A place among those that run at once in this process; null when the wait is over without one. */
export async function enter(signal: AbortSignal): Promise<(() => void) | null> {
  if (signal.aborted) return null
  if (running < AT_ONCE_MAX) {
    running++
    return leave
  }
  if (waiting.length >= WAITING_MAX) return null
  return new Promise((resolve) => {
    const takePlace = () => {
      signal.removeEventListener('abort', giveUp)
      resolve(leave)
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(takePlace), 1)
      resolve(null)
    }
    waiting.push(takePlace)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** The place goes to whoever waits longest. */
function leave(): void {
  const next = waiting.shift()
  if (next === undefined) running--
  else next()
}
