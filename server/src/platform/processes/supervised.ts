// A supervised process of the service: reports that it listens, and exchanges metrics with the others.
import { joinMetrics } from './join-metrics.ts'
import { type FromWorker, isMessage, type ToWorker, type WorkerMetrics } from './messages.ts'

/** Longer than the supervisor waits for the others. */
const TIMEOUT_MS = 5_000

export type PrintMetrics = () => Promise<string>

/** Returns a function that prints the metrics of all processes; only those of this one if the supervisor does not answer. */
export function shareMetrics(slot: string, count: number): (own: PrintMetrics) => PrintMetrics {
  let lastId = 0
  const reading = new Map<number, (all: readonly WorkerMetrics[]) => void>()
  let printOwn: PrintMetrics = async () => ''
  process.on('message', (message: unknown) => {
    if (!isMessage<ToWorker>(message)) return
    const { id } = message
    if ('isPrinting' in message) void printOwn().then((metrics) => report({ metrics, id }))
    else if ('all' in message) reading.get(id)?.(message.all)
  })
  return (own) => {
    printOwn = own
    return async () => {
      const id = ++lastId
      const { promise, resolve } = Promise.withResolvers<readonly WorkerMetrics[] | null>()
      reading.set(id, resolve)
      const timer = setTimeout(() => resolve(null), TIMEOUT_MS)
      report({ isReading: true, id })
      const all = await promise
      clearTimeout(timer)
      reading.delete(id)
      return joinMetrics(all ?? [{ worker: slot, text: await own() }], count)
    }
  }
}

/** The supervisor may have ended. */
export function report(message: FromWorker): void {
  if (process.connected) process.send?.(message, () => undefined)
}
