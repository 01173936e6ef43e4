// The log: one JSON record per line, with secrets redacted.
import pino, { type DestinationStream, type Logger } from 'pino'
import { type Clock, DisciplinedClock } from '../../kernel/clock.ts'
import { clean } from './clean.ts'
import { collectLines } from './line-collector.ts'
import { prettyStream } from './pretty.ts'
import { redactText } from './redact.ts'
import { currentTrace } from './trace-context.ts'

export { redactText } from './redact.ts'

/** The event name of the line that is written once for every request. */
const REQUEST_EVENT = 'http.request'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'
type Write = (fields: object, message: string) => void

/** Fields that the server created or validated. They are written without redaction. */
export type AccessFields = {
  readonly method: string
  /** The name of the route, never the path: paths carry identifiers and tokens. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  readonly address: string
  readonly trace_id: string
  readonly span_id: string
  /** Absent where the route has no caller, or the guard rejected the request. */
  readonly userId?: string | undefined
  readonly orgId?: string | undefined
}

export type Log = Readonly<Record<LogLevel, Write>> & {
  /** Writes the line of a finished request, at level info. It may wait a moment for other lines. */
  access(request: AccessFields): void
  child(fields: object): Log
  /** Writes buffered lines. A killed process loses about the last second. */
  flush(): void
}

export type LogOptions = {
  readonly level: LogLevel | 'silent'
  /** Text for a terminal in development, instead of JSON. */
  readonly pretty?: boolean
  /** Default: standard output. */
  readonly destination?: DestinationStream
  /** The clock of the app, so that the lines of all replicas agree. Default: the system clock. */
  readonly clock?: Clock
}

export function createLog({
  level,
  pretty = false,
  destination,
  clock = new DisciplinedClock(),
}: LogOptions): Log {
  const output = collectLines(
    pretty ? prettyStream(destination ?? process.stdout) : (destination ?? bufferedOutput()),
  )
  // Before the listener of the buffered output, which writes what it has then.
  if (!destination) process.prependListener('exit', output.drain)
  const timestamp = timestamps(clock)
  const logger = pino(
    {
      level,
      base: null,
      mixin: traceFields,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      // `clean` has described the error already, so pino must not serialise it again.
      serializers: { err: (value: unknown) => value },
    },
    output,
  )
  const log = wrap(logger)
  if (!logger.isLevelEnabled('info')) return log
  return { ...log, access: (request) => output.collect(accessLine(request, timestamp())) }
}

/** No field needs escaping, because the server created or validated all of them. */
function accessLine(
  { method, route, status, ms, requestId, address, trace_id, span_id, userId, orgId }: AccessFields,
  time: string,
): string {
  const caller = `${userId === undefined ? '' : `,"userId":"${userId}"`}${orgId === undefined ? '' : `,"orgId":"${orgId}"`}`
  return `{"level":"info"${time},"method":"${method}","route":"${route}","status":${status},"ms":${ms},"requestId":"${requestId}","address":"${address}","trace_id":"${trace_id}","span_id":"${span_id}"${caller},"msg":"${REQUEST_EVENT}"}\n`
}

/** In the names of OpenTelemetry for logs. */
function traceFields(): object {
  const trace = currentTrace()
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId }
}

function wrap(logger: Logger): Log {
  const at = (level: LogLevel): Write => {
    if (!logger.isLevelEnabled(level)) return ignore
    return (fields, message) => logger[level](clean(fields), redactText(message))
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    access: logger.isLevelEnabled('info') ? (request) => logger.info(request, REQUEST_EVENT) : ignore,
    child: (fields) => wrap(logger.child(clean(fields))),
    flush: () => logger.flush(),
  }
}

const BUFFER_BYTES = 4_096
const FLUSH_MS = 1_000
const BACKLOG_BYTES_MAX = 16 * 1024 * 1024

// Lines are buffered for at most a second, and flushed when the process ends. When the reader of the output stalls,
// lines beyond the backlog are dropped, so that a full pipe cannot stop the service.
const bufferedOutput = () =>
  pino
    .destination({
      dest: 1,
      sync: false,
      minLength: BUFFER_BYTES,
      maxWrite: 64 * 1_024,
      periodicFlush: FLUSH_MS,
      maxLength: BACKLOG_BYTES_MAX,
    })
    .on('error', ignore)

/** A closed terminal must not interrupt a graceful shutdown. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
}

// Formatting the date is the most expensive part of a line, so it is done once a second.
function timestamps(clock: Clock): () => string {
  let secondMs = -1
  let secondText = ''
  return () => {
    const nowMs = Math.floor(clock.now().getTime())
    const ms = nowMs % 1000
    if (nowMs - ms !== secondMs) {
      secondMs = nowMs - ms
      secondText = new Date(secondMs).toISOString().slice(0, 20)
    }
    return `,"time":"${secondText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`
  }
}

const ignore = (): void => undefined
