// The parts of the process that a live screen uses: the time, timers and signals. Tests replace it.

export type Host = {
  nowMs(): number
  /** Calls back after the time; returns a function that cancels it. */
  after(ms: number, call: () => void): () => void
  /** Calls back before the process ends, on every way out. Returns the unsubscribe function. */
  onExit(restore: () => void): () => void
  /** Ctrl-C from another process. */
  onInterrupt(call: () => void): () => void
  /** Stops this process as Ctrl-Z does, until the shell continues it. Absent where there are no such signals. */
  readonly suspend?: () => void
  onContinue(call: () => void): () => void
  quit(): void
}

const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP']
const CANCELLED = 2

const listen = (event: NodeJS.Signals, call: () => void): (() => void) => {
  process.on(event, call)
  return () => process.off(event, call)
}

export const thisProcess: Host = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  onExit(restore) {
    const enders = ENDING.map((signal) => {
      const end = () => {
        restore()
        process.off(signal, end)
        // Others may end the process in their own way.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
      }
      return listen(signal, end)
    })
    // Before the error is printed.
    process.on('uncaughtExceptionMonitor', restore)
    process.on('exit', restore)
    return () => {
      for (const off of enders) off()
      process.off('uncaughtExceptionMonitor', restore)
      process.off('exit', restore)
    }
  },
  onInterrupt: (call) => listen('SIGINT', call),
  ...(process.platform !== 'win32' && { suspend: () => void process.kill(process.pid, 'SIGTSTP') }),
  onContinue: (call) => listen('SIGCONT', call),
  quit: () => process.exit(CANCELLED),
}
