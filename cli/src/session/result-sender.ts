// Sends the results of calls, several at once. A result stays stored until the service has it.
import { CowrieError } from '@cowrie/sdk'
import type { CallLog } from './call-log.ts'
import type { FinishedCall } from './call-runner.ts'
import type { Connection } from './connection.ts'
import { type KnownResults, toSent } from './known-results.ts'
import type { SentResult, TaskService } from './service.ts'

export type ResultSender = {
  add(finished: FinishedCall): void
  /** Sends everything now. Resolves when the service has it. */
  flush(): Promise<void>
  /** Results that the service does not have. */
  readonly unsent: readonly FinishedCall[]
  /** Sends nothing any more. */
  close(): void
}

export type ResultSenderOptions = {
  readonly taskId: string
  readonly service: TaskService
  readonly connection: Connection
  readonly log: CallLog
  readonly known: KnownResults
  /** Whether further results come soon, so that waiting for them saves a request. */
  readonly isMoreExpected: () => boolean
  readonly onError: (error: unknown) => void
}

/** The turn continues only when all its calls have results, so a short wait for the others delays nothing. */
const GATHER_MS = 2_000
const RESULTS_MAX = 32
const BATCH_CHARACTERS_MAX = 2_000_000
const CHANGES_CHARACTERS_MAX = 1_000_000
const CHANGES_MAX = 100

type Attempt = {
  readonly finished: FinishedCall
  /** Not as a difference. */
  isWhole: boolean
  /** The part that the service refused so far. */
  refused: 'nothing' | 'changes' | 'output'
}

export function createResultSender(options: ResultSenderOptions): ResultSender {
  const { taskId, service, connection, log, known } = options
  const waiting: Attempt[] = []
  const end = new AbortController()
  let sending: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending = sending.then(sendAll)
    sending.catch(() => undefined)
    return sending
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !end.signal.aborted) {
      const batch = nextBatch(waiting)
      await sendBatch(batch)
    }
  }

  async function sendBatch(batch: readonly Attempt[]): Promise<void> {
    const results = batch.map((attempt) => toResult(attempt, known))
    try {
      const reply = await connection.patiently(() => service.results(taskId, results, end.signal), end.signal)
      for (const { finished } of batch)
        if (reply.accepted.includes(finished.call.callId))
          await known.remember(finished.call, finished.report)
      drop(batch)
    } catch (error) {
      if (!correct(error, batch, results)) throw error
    }
  }

  /** Changes what the service refuses. Returns false for another failure. */
  function correct(error: unknown, batch: readonly Attempt[], results: readonly SentResult[]): boolean {
    if (!(error instanceof CowrieError)) return false
    const named = batch.find(({ finished }) => finished.call.callId === error.detail.callId)
    if (error.code === 'base_unknown') {
      for (const attempt of named ? [named] : batch) {
        const result = results[batch.indexOf(attempt)]
        if (result?.base !== undefined) known.forget(result.base)
        if (attempt.isWhole) return false
        attempt.isWhole = true
      }
      return true
    }
    // The turn was deleted, or belongs to an older state of the task.
    if (error.code === 'not_found' && named) {
      drop([named])
      return true
    }
    if (error.status === 400 || error.status === 413) {
      if (batch.every(({ refused }) => refused === 'output')) return false
      for (const attempt of batch) attempt.refused = attempt.refused === 'nothing' ? 'changes' : 'output'
      return true
    }
    return false
  }

  function drop(batch: readonly Attempt[]): void {
    log.remove(batch.map(({ finished }) => finished.call.callId))
    for (const attempt of batch) waiting.splice(waiting.indexOf(attempt), 1)
  }

  return {
    flush,
    add(finished) {
      waiting.push({ finished, isWhole: false, refused: 'nothing' })
      const send = () => void flush().catch((error) => end.signal.aborted || options.onError(error))
      // The report of a batch of calls may come in the same moment.
      if (!options.isMoreExpected()) send()
      else timer ??= setTimeout(send, GATHER_MS)
    },
    get unsent() {
      return waiting.map(({ finished }) => finished)
    },
    close() {
      clearTimeout(timer)
      end.abort(new Error('the turn has ended'))
    },
  }
}

function nextBatch(waiting: readonly Attempt[]): Attempt[] {
  const batch: Attempt[] = []
  let characters = 0
  for (const attempt of waiting) {
    characters += sizeOf(attempt)
    if (batch.length > 0 && (batch.length >= RESULTS_MAX || characters > BATCH_CHARACTERS_MAX)) break
    batch.push(attempt)
  }
  return batch
}

const sizeOf = ({ finished: { report } }: Attempt): number =>
  report.output.length + (report.changes ?? []).reduce((sum, { patch }) => sum + patch.length, 0)

function toResult({ finished, isWhole, refused }: Attempt, known: KnownResults): SentResult {
  const { call, report } = finished
  if (refused === 'output') return { callId: call.callId, ok: false, output: NOT_SENT }
  const changes = refused === 'changes' ? [] : fittingChanges(report.changes ?? [])
  if (!isWhole) return known.encode(call, { ...report, changes })
  const output = toSent(report.output)
  return { callId: call.callId, ok: report.ok, output, ...(changes.length > 0 && { changes: [...changes] }) }
}

const NOT_SENT =
  'The call has run, but the service did not accept its result. Check the state in another way.'

type Changes = readonly { readonly path: string; readonly patch: string }[]

/** The changes are shown on other devices. Very large ones are left out. */
function fittingChanges(changes: Changes): Changes {
  let characters = 0
  return changes.slice(0, CHANGES_MAX).filter(({ patch }) => {
    characters += patch.length
    return characters <= CHANGES_CHARACTERS_MAX
  })
}
