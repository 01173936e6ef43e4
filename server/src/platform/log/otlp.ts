// Exports spans to an OpenTelemetry collector as OTLP over HTTP in JSON: batched, bounded and in the background.
import { setTimeout as sleep } from 'node:timers/promises'

export type OtlpSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: object }[]
  readonly status: { readonly code: number }
}

export type Exporter = {
  add(span: OtlpSpan): void
  flush(): Promise<void>
  close(): Promise<void>
  dropped(): number
}

export type ExporterOptions = {
  readonly endpoint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly serviceName?: string
  readonly serviceVersion?: string
  readonly onFailure?: (error: unknown, spans: number) => void
}

const BATCH_SPANS = 512
const QUEUE_SPANS_MAX = 2_048
const INTERVAL_MS = 2_000
const TIMEOUT_MS = 5_000
const RETRIES = 2
const RETRY_MS = 500
const RETRY_AFTER_MS_MAX = 5_000
const CLOSE_MS_MAX = 3_000

export function createExporter(options: ExporterOptions): Exporter {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
  const queue: OtlpSpan[] = []
  let droppedSpans = 0
  let sending: Promise<void> | undefined
  let closed = false

  // One batch at a time, so that a slow collector fills only the bounded queue.
  async function drain(): Promise<void> {
    for (let left = Math.ceil(queue.length / BATCH_SPANS); left > 0 && queue.length > 0; left--) {
      const batch = queue.splice(0, BATCH_SPANS)
      try {
        await deliver(url, { 'content-type': 'application/json', ...options.headers }, toBody(options, batch))
      } catch (error) {
        droppedSpans += batch.length
        options.onFailure?.(error, batch.length)
      }
    }
  }

  function start(): Promise<void> {
    sending ??= drain().finally(() => {
      sending = undefined
      if (queue.length >= BATCH_SPANS) void start()
    })
    return sending
  }

  const timer = setInterval(() => void start(), INTERVAL_MS)
  timer.unref()

  async function flush(): Promise<void> {
    await sending
    await start()
  }

  return {
    add(span) {
      if (closed) {
        droppedSpans++
        return
      }
      if (queue.length >= QUEUE_SPANS_MAX) {
        queue.shift()
        droppedSpans++
      }
      queue.push(span)
      if (queue.length >= BATCH_SPANS) void start()
    },
    flush,
    async close() {
      closed = true
      clearInterval(timer)
      // Spans that are not delivered in time are dropped, so that they do not delay the shutdown.
      await Promise.race([flush(), sleep(CLOSE_MS_MAX, undefined, { ref: false })])
    },
    dropped: () => droppedSpans,
  }
}

async function deliver(url: string, headers: Record<string, string>, body: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await post(url, headers, body)
    if (outcome.done) return
    if (!outcome.again || attempt >= RETRIES) throw outcome.error
    await sleep(outcome.waitMs ?? RETRY_MS * 2 ** attempt, undefined, { ref: false })
  }
}

type Outcome = { done: true } | { done: false; again: boolean; waitMs?: number; error: unknown }

async function post(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (response.ok) return { done: true }
    const retryAfterMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000
    return {
      done: false,
      again: [429, 502, 503, 504].includes(response.status),
      ...(retryAfterMs >= 0 ? { waitMs: Math.min(retryAfterMs, RETRY_AFTER_MS_MAX) } : {}),
      error: new Error(`the trace collector returned status ${response.status}`),
    }
  } catch (error) {
    return { done: false, again: true, error }
  }
}

function toBody(
  { serviceName = 'cowrie', serviceVersion }: ExporterOptions,
  spans: readonly OtlpSpan[],
): string {
  const attributes = [{ key: 'service.name', value: { stringValue: serviceName } }]
  if (serviceVersion) attributes.push({ key: 'service.version', value: { stringValue: serviceVersion } })
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'cowrie' }, spans }] }],
  })
}
