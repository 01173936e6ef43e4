// Detects dead servers. A live server cancels a statement after the statement timeout. A server that is silent for longer is
// considered dead.

/** Node.js fires a longer timer immediately. */
const TIMER_MAX_MS = 2 ** 31 - 1

export type SilenceTimer = {
  /** Starts waiting for an answer. */
  begin(): void
  /** An answer has arrived, and others may still be due. */
  progress(): void
  end(): void
  /** Nothing more is due. A timer that is left would keep a closed connection in memory. */
  close(): void
  /** Sets the current statement timeout; undefined: that of the session. */
  allow(statementTimeoutMs: number | undefined): void
}

/** Calls `onSilence` when no answer arrives within the statement timeout plus `marginMs`. Without a timeout, never. */
export function createSilenceTimer(
  sessionTimeoutMs: number | undefined,
  marginMs: number,
  onSilence: () => void,
): SilenceTimer {
  const limitOf = (timeoutMs: number | undefined) =>
    timeoutMs ? timeoutMs + marginMs : Number.POSITIVE_INFINITY
  const defaultMs = limitOf(sessionTimeoutMs)
  let limitMs = defaultMs
  let lastAnswerAt = 0
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  // One timer serves many answers: when it fires, it checks the time of the last answer and waits for the remaining time.
  function wait(): void {
    timer = undefined
    if (!isDue || limitMs === Number.POSITIVE_INFINITY) return
    const leftMs = lastAnswerAt + limitMs - performance.now()
    if (leftMs > 0) {
      timer = setTimeout(wait, Math.min(leftMs, TIMER_MAX_MS))
      timer.unref()
      return
    }
    // If this process was blocked, the answer may be unread in the socket. It is read before the next immediate runs.
    const answerBefore = lastAnswerAt
    setImmediate(() => {
      if (isDue && lastAnswerAt === answerBefore) onSilence()
      else if (!timer) wait()
    })
  }

  return {
    begin() {
      isDue = true
      lastAnswerAt = performance.now()
      if (!timer) wait()
    },
    progress() {
      lastAnswerAt = performance.now()
    },
    end() {
      isDue = false
    },
    close() {
      isDue = false
      clearTimeout(timer)
    },
    allow(timeoutMs) {
      // The server enforces a shorter timeout. This timer never goes below that of the session.
      limitMs = timeoutMs === undefined ? defaultMs : Math.max(defaultMs, limitOf(timeoutMs))
      clearTimeout(timer)
      wait()
    },
  }
}
