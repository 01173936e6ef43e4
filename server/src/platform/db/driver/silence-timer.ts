// A server that is there says after the time of a statement that it took too long. One that says nothing for longer is not there.

/** Node.js fires a longer timer at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

export type SilenceTimer = {
  /** An answer is due from now on. */
  begin(): void
  /** One has come, and others may still be due. */
  progress(): void
  end(): void
  /** The statement timeout that is in force; undefined: that of the session. */
  allow(statementTimeoutMs: number | undefined): void
}

/** Calls `onSilence` once no answer has come for the statement timeout and `marginMs` more. Without a timeout it never does. */
export function createSilenceTimer(
  sessionTimeoutMs: number | undefined,
  marginMs: number,
  onSilence: () => void,
): SilenceTimer {
  const limitOf = (timeoutMs: number | undefined) =>
    timeoutMs ? timeoutMs + marginMs : Number.POSITIVE_INFINITY
  const usualMs = limitOf(sessionTimeoutMs)
  let limitMs = usualMs
  let heardAt = 0
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  // One timer serves many answers: it looks when the last one came, and waits for the rest of the time.
  function wait(): void {
    timer = undefined
    if (!isDue || limitMs === Number.POSITIVE_INFINITY) return
    const leftMs = heardAt + limitMs - performance.now()
    if (leftMs > 0) {
      timer = setTimeout(wait, Math.min(leftMs, TIMER_MAX_MS))
      timer.unref()
      return
    }
    // After this process itself stood still, the answer may lie in the socket: it is read before the next immediate runs.
    const heardBefore = heardAt
    setImmediate(() => {
      if (isDue && heardAt === heardBefore) onSilence()
      else if (!timer) wait()
    })
  }

  return {
    begin() {
      isDue = true
      heardAt = performance.now()
      if (!timer) wait()
    },
    progress() {
      heardAt = performance.now()
    },
    end() {
      isDue = false
    },
    allow(timeoutMs) {
      // A shorter time of its own is left to the server; this watch never goes below the usual.
      limitMs = timeoutMs === undefined ? usualMs : Math.max(usualMs, limitOf(timeoutMs))
      clearTimeout(timer)
      wait()
    },
  }
}
