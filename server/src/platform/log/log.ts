// The log: one JSON record per line, safe to keep and to search.
import pino, { type DestinationStream, type Logger } from 'pino'
import { type Clock, DisciplinedClock } from '../../kernel/clock.ts'
import { clean } from './clean.ts'
import { prettyStream } from './pretty.ts'
import { redactText } from './redact.ts'

export { redactText } from './redact.ts'

/** The event name of the line that is written once for every request. */
const REQUEST_EVENT = 'http.request'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal'
type Write = (fields: object, message: string) => void

/** Fields the server made or checked itself: written as they are, without a look inside. */
export type AccessFields = {
  readonly method: string
  /** The name of the route, never the path: paths carry identifiers and tokens. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  readonly address: string
  readonly traceId: string
  /** Absent where the route has no caller, or the guard rejected the request. */
  readonly userId?: string | undefined
  readonly orgId?: string | undefined
}

export type Log = Readonly<Record<LogLevel, Write>> & {
  /** The line of one request: the cheap way, at level info. */
  access(fields: AccessFields): void
  child(fields: object): Log
  /** Writes out what is still buffered. A process that is killed outright loses at most the last second. */
  flush(): void
}

export type LogOptions = {
  readonly level: LogLevel | 'silent'
  /** For a person's eyes in development. Machines get JSON. */
  readonly pretty?: boolean
  /** Where lines go; standard output when absent. */
  readonly destination?: DestinationStream
  /** The clock of the app, so that the lines of all replicas agree; the machine's when absent. */
  readonly clock?: Clock
}

export function createLog({
  level,
  pretty = false,
  destination,
  clock = new DisciplinedClock(),
}: LogOptions): Log {
  const stream = pretty ? prettyStream(destination ?? process.stdout) : (destination ?? bufferedOutput())
  const timestamp = timestamps(clock)
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are described by `clean`; the library's own describer would take them for something else.
      serializers: { err: (value: unknown) => value },
    },
    stream,
  )
  const log = wrap(logger)
  if (!logger.isLevelEnabled('info')) return log
  return { ...log, access: (fields) => void stream.write(accessLine(fields, timestamp())) }
}

/** Every field was made or checked by the server, so none needs escaping, and the line is put together by hand. */
function accessLine(
  { method, route, status, ms, requestId, address, traceId, userId, orgId }: AccessFields,
  time: string,
): string {
  const caller = `${userId === undefined ? '' : `,"userId":"${userId}"`}${orgId === undefined ? '' : `,"orgId":"${orgId}"`}`
  return `{"level":"info"${time},"method":"${method}","route":"${route}","status":${status},"ms":${ms},"requestId":"${requestId}","address":"${address}","traceId":"${traceId}"${caller},"msg":"${REQUEST_EVENT}"}\n`
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
    access: logger.isLevelEnabled('info') ? (fields) => logger.info(fields, REQUEST_EVENT) : ignore,
    child: (fields) => wrap(logger.child(clean(fields))),
    flush: () => logger.flush(),
  }
}

const BUFFER_BYTES = 4_096
const FLUSH_MS = 1_000
const BACKLOG_BYTES_MAX = 16 * 1024 * 1024

// Lines gather and leave together, at the latest after a second and when the process ends. When the reader of our
// output stalls, lines beyond the backlog are dropped: a full pipe must not stop the service.
const bufferedOutput = () =>
  pino
    .destination({
      dest: 1,
      sync: false,
      minLength: BUFFER_BYTES,
      periodicFlush: FLUSH_MS,
      maxLength: BACKLOG_BYTES_MAX,
    })
    .on('error', ignore)

/** A terminal that was closed takes no more lines. That must not cut the work which is ending in order. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
}

// Formatting the date is the dearest part of a short line, so it is done once a second.
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
