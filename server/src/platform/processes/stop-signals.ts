// Groups stop signals into actions. One Ctrl-C or `kill` can arrive several times: the terminal signals the whole process
// group, and npm and the start script forward the signal.

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Signals within this time of the first belong to the same action. */
const SAME_ACTION_MS = 3_000

type StopSignals = {
  /** Called once, for the first signal. */
  onStop(signal: NodeJS.Signals): void
  /** Called for a signal of a later action: the operator does not want to wait for the graceful shutdown. */
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
