// The trace of the request or job that runs. Log lines carry its ids, and jobs and calls that it starts continue it.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  newSpanId,
  newTraceId,
  parseTraceparent,
  type Span,
  type Tracer,
} from './tracing.ts'

export type Trace = {
  readonly traceId: string
  readonly spanId: string
  /** The W3C header that continues the trace. */
  readonly traceparent: string
}

const running = new AsyncLocalStorage<Trace | undefined>()

export const currentTrace = (): Trace | undefined => running.getStore()

/** Runs work, and all that it starts, in a trace; undefined leaves the current one. */
export const withTrace = <T>(trace: Trace | undefined, work: () => T): T => running.run(trace, work)

/**
 * Runs work that calls another service inside a span of the current trace. `work` gets the span: its `traceparent` is the header
 * of the call, and undefined when tracing is off.
 */
export async function withClientSpan<T>(
  tracing: Tracer,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = currentTrace()?.traceparent
  const span = tracing.span(name, 'client', parent)
  if (!span.isRecording) return work(span)
  span.set(attributes)
  try {
    const result = await withTrace(traceOf(span, parent), () => work(span))
    span.end()
    return result
  } catch (error) {
    span.set({ 'error.type': errorType(error) })
    span.end('error')
    throw error
  }
}

/** The code or class of an error. Its message may quote a prompt or an address. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The trace of a span. Without tracing it still joins log lines, and its ids are made when one is written. */
export function traceOf(span: Span, parentTraceparent: string | undefined): Trace {
  const { traceparent } = span
  return traceparent === undefined ? new UnrecordedTrace(parentTraceparent) : (span as Trace & Span)
}

class UnrecordedTrace implements Trace {
  readonly #parent: string | undefined
  #traceId = ''
  #spanId = ''

  constructor(parentTraceparent: string | undefined) {
    this.#parent = parentTraceparent
  }

  get traceId(): string {
    this.#traceId ||= parseTraceparent(this.#parent)?.traceId ?? newTraceId()
    return this.#traceId
  }

  get spanId(): string {
    this.#spanId ||= newSpanId()
    return this.#spanId
  }

  /** The caller decides whether others record the trace. */
  get traceparent(): string {
    const flags = parseTraceparent(this.#parent)?.isSampled ? '01' : '00'
    return `00-${this.traceId}-${this.spanId}-${flags}`
  }
}
