// Optional OpenTelemetry tracing. Without an endpoint, all spans are one shared no-op object.
import { randomBytes } from 'node:crypto'
import { createExporter, type Exporter } from './otlp.ts'
import { redactText } from './redact.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type SpanStatus = 'ok' | 'error' | 'unset'
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type Span = {
  set(attributes: Attributes): void
  /** Ends the span; a second end changes nothing. */
  end(status?: SpanStatus): void
  /** The header of calls made inside this span; undefined when tracing is off. */
  readonly traceparent: string | undefined
  /** Empty when tracing is off. */
  readonly traceId: string
  readonly spanId: string
  /** False when attributes are ignored: tracing is off, or the trace is not sampled. */
  readonly isRecording: boolean
}

export type Tracer = {
  /** Begins a span, as a child of `parentTraceparent` if that is a valid W3C traceparent. */
  span(name: string, kind: SpanKind, parentTraceparent?: string): Span
  /** Sends queued spans. Resolves after the attempt, even if the collector is down. */
  flush(): Promise<void>
  close(): Promise<void>
  /** Spans lost because the collector was unavailable or too slow. */
  dropped(): number
}

export type TracingConfig = {
  /** The base URL of the collector (OTEL_EXPORTER_OTLP_ENDPOINT), without `/v1/traces`. Undefined turns tracing off. */
  readonly endpoint: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly serviceName?: string
  readonly serviceVersion?: string
  /** The share of new traces that are recorded, from 0 to 1. Default: 1. A caller's decision is followed. */
  readonly sampleRatio?: number
  /** Called once for each batch that could not be delivered. */
  readonly onFailure?: (error: unknown, spans: number) => void
}

export function createTracer(config: TracingConfig): Tracer {
  if (!config.endpoint) return OFF
  const exporter = createExporter({ ...config, endpoint: config.endpoint })
  return {
    span: (name, kind, parentTraceparent) =>
      begin(exporter, config.sampleRatio ?? 1, name, kind, parentTraceparent),
    flush: () => exporter.flush(),
    close: () => exporter.close(),
    dropped: () => exporter.dropped(),
  }
}

const SILENT: Span = {
  ...{ set: () => undefined, end: () => undefined },
  ...{ traceparent: undefined, traceId: '', spanId: '', isRecording: false },
}
const OFF: Tracer = {
  span: () => SILENT,
  flush: async () => undefined,
  close: async () => undefined,
  dropped: () => 0,
}

const ATTRIBUTES_MAX = 64
const VALUE_CHARACTERS_MAX = 1_024
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
const STATUSES = { unset: 0, ok: 1, error: 2 } as const
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

function begin(
  exporter: Exporter,
  sampleRatio: number,
  name: string,
  kind: SpanKind,
  parentTraceparent: string | undefined,
): Span {
  const parent = parseTraceparent(parentTraceparent)
  const traceId = parent?.traceId ?? newTraceId()
  const parentSpanId = parent?.spanId
  const spanId = newSpanId()
  const sampled = parent?.isSampled ?? isSampled(traceId, sampleRatio)
  const traceparent = `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
  // The caller decided not to sample. Calls that we make carry that decision on.
  if (!sampled) return { ...SILENT, traceparent, traceId, spanId }

  const startMs = epochMs()
  const attributes = new Map<string, string | number | boolean>()
  let ended = false
  return {
    traceparent,
    traceId,
    spanId,
    isRecording: true,
    set(added) {
      for (const [key, value] of Object.entries(added)) {
        if (value === undefined || (attributes.size >= ATTRIBUTES_MAX && !attributes.has(key))) continue
        attributes.set(
          key,
          typeof value === 'string' ? redactText(value).slice(0, VALUE_CHARACTERS_MAX) : value,
        )
      }
    },
    end(status = 'unset') {
      if (ended) return
      ended = true
      exporter.add({
        traceId,
        spanId,
        ...(parentSpanId === undefined ? {} : { parentSpanId }),
        name: redactText(name),
        kind: KINDS[kind],
        startTimeUnixNano: nanoseconds(startMs),
        endTimeUnixNano: nanoseconds(epochMs()),
        attributes: [...attributes].map(([key, value]) => ({ key, value: toAnyValue(value) })),
        status: { code: STATUSES[status] },
      })
    },
  }
}

/** The parts of a valid W3C traceparent; undefined for any other text. */
export function parseTraceparent(text: string | undefined) {
  const [, traceId, spanId, flags = ''] = (text === undefined ? null : TRACEPARENT.exec(text)) ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** By the id, so that all services with the same ratio choose the same traces. */
const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32

// Random bytes are drawn and printed for many ids at once, because each draw has a fixed cost. Few, because an id that is kept
// keeps this text in memory.
const POOL_BYTES = 480
let pool = ''
let used = 0

export const newTraceId = (): string => drawHex(32)
export const newSpanId = (): string => drawHex(16)

function drawHex(characters: number): string {
  if (used + characters > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  used += characters
  return pool.slice(used - characters, used)
}

// The monotonic counter, so that a span never ends before it began when the system clock is set back.
const epochMs = (): number => performance.timeOrigin + performance.now()
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`

function toAnyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
