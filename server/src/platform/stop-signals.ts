// Signals that ask the process to stop, counted as actions: one Ctrl-C or one `kill` can arrive several times, because the
// terminal signals the whole process group while npm and the start script forward what they receive.

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Signals within this time of the first belong to the same action. */
const SAME_ACTION_MS = 3_000

type StopSignals = {
  /** Called once, for the first signal. */
  onStop(signal: NodeJS.Signals): void
  /** Called for a signal of a later action: somebody does not want to wait. */
  onForce(signal: NodeJS.Signals): void
}

export function onStopSignals(
  { onStop, onForce }: StopSignals,
  source: Pick<NodeJS.EventEmitter, 'on'> = process,
  nowMs: () => number = () => performance.now(),
): void {
  let firstMs: number | undefined
  for (const signal of STOP_SIGNALS)
    source.on(signal, () => {
      if (firstMs === undefined) {
        firstMs = nowMs()
        onStop(signal)
      } else if (nowMs() - firstMs > SAME_ACTION_MS) onForce(signal)
    })
}
