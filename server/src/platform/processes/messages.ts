// Arguments and messages between the process that supervises and the processes that serve.

/** Given to a serving process. */
export type Supervision = {
  readonly slot: string
  /** Null: that of the configuration. */
  readonly embeddedUrl: string | null
  readonly port: number | null
}

const ARGUMENT = '--supervised='

export const argumentOf = (supervision: Supervision): string => `${ARGUMENT}${JSON.stringify(supervision)}`

/** Null for a process that is not supervised. */
export function supervisionIn(args: readonly string[]): Supervision | null {
  const given = args.find((arg) => arg.startsWith(ARGUMENT))
  return given === undefined ? null : JSON.parse(given.slice(ARGUMENT.length))
}
export type Ready = { readonly address: string; readonly hasModels: boolean }

/** From a serving process. `isReading`: it needs the metrics of all. */
export type FromWorker =
  | { readonly ready: Ready }
  | { readonly metrics: string; readonly id: number }
  | { readonly isReading: true; readonly id: number }

/** To a serving process: print your metrics, or the metrics of all that answered. */
export type ToWorker =
  | { readonly isPrinting: true; readonly id: number }
  | { readonly all: readonly WorkerMetrics[]; readonly id: number }

export type WorkerMetrics = { readonly worker: string; readonly text: string }

/** The cluster module sends messages over the same channel. */
export const isMessage = <M extends FromWorker | ToWorker>(message: unknown): message is M =>
  typeof message === 'object' && message !== null && KEYS.some((key) => key in message)

const KEYS = ['ready', 'metrics', 'isReading', 'isPrinting', 'all'] as const
