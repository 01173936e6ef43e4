import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createTracer, type Tracer, type TracingConfig } from './tracing.ts'

type Received = {
  path: string | undefined
  headers: IncomingHttpHeaders
  spans: ReceivedSpan[]
  resource: unknown
}
type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: unknown }[]
  status: { code: number }
}

const toClose: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** A collector that parses its requests and returns these statuses in turn, then 200. A stalled one delays its responses. */
async function startCollector(statuses: number[] = [], stalled = false) {
  const received: Received[] = []
  const gate = Promise.withResolvers<void>()
  if (!stalled) gate.resolve()
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    await gate.promise
    const status = statuses.shift() ?? 200
    const [{ resource, scopeSpans }] = body.resourceSpans
    if (status === 200)
      received.push({ path: request.url, headers: request.headers, spans: scopeSpans[0].spans, resource })
    response.writeHead(status, status === 503 ? { 'retry-after': '0' } : {}).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => {
    gate.resolve()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}/`,
    received,
    proceed: gate.resolve,
    spans: () => received.flatMap(({ spans }) => spans),
  }
}

function open(config: TracingConfig): Tracer {
  const tracing = createTracer(config)
  toClose.push(() => tracing.close())
  return tracing
}

describe('a span', () => {
  test('arrives at the collector with name, kind, times, attributes and status', async () => {
    const collector = await startCollector()
    const tracing = open({
      endpoint: collector.endpoint,
      serviceVersion: '1.2.3',
      headers: { 'x-tenant': 'a' },
    })
    const span = tracing.span('agent.run', 'server')
    span.set({
      route: 'agent.run',
      status: 200,
      ratio: 0.5,
      paid: true,
      absent: undefined,
      header: 'Bearer canary-canary',
    })
    span.end('error')
    span.end('ok')
    await tracing.flush()

    expect(collector.received).toHaveLength(1)
    expect(collector.received[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-tenant': 'a' },
    })
    expect(collector.received[0]?.resource).toEqual({
      attributes: [
        { key: 'service.name', value: { stringValue: 'cowrie' } },
        { key: 'service.version', value: { stringValue: '1.2.3' } },
      ],
    })
    expect(collector.spans()).toHaveLength(1)
    const [sent] = collector.spans()
    expect(sent).toMatchObject({
      name: 'agent.run',
      kind: 2,
      status: { code: 2 },
      attributes: [
        { key: 'route', value: { stringValue: 'agent.run' } },
        { key: 'status', value: { intValue: '200' } },
        { key: 'ratio', value: { doubleValue: 0.5 } },
        { key: 'paid', value: { boolValue: true } },
        { key: 'header', value: { stringValue: 'Bearer [redacted]' } },
      ],
    })
    expect(span.traceparent).toBe(`00-${sent?.traceId}-${sent?.spanId}-01`)
    const [startMs, endMs] = [sent?.startTimeUnixNano, sent?.endTimeUnixNano].map((nano) =>
      Number(BigInt(nano ?? 0) / 1_000_000n),
    )
    expect(endMs).toBeGreaterThanOrEqual(startMs ?? Number.NaN)
    expect(Math.abs((startMs ?? 0) - Date.now())).toBeLessThan(60_000)
  })

  test('continues the trace of its caller, and its children continue it', async () => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint })
    const outer = tracing.span('outer', 'server', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
    const inner = tracing.span('inner', 'client', outer.traceparent)
    inner.end()
    outer.end()
    await tracing.flush()
    const [innerSent, outerSent] = collector.spans()
    expect(outerSent).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
    })
    expect(innerSent).toMatchObject({ traceId: outerSent?.traceId, parentSpanId: outerSent?.spanId, kind: 3 })
  })

  test('starts a new trace when the traceparent is invalid', async () => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint })
    const wrong = [
      'nonsense',
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
      'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    ]
    for (const traceparent of wrong) tracing.span('x', 'server', traceparent).end()
    await tracing.flush()
    expect(collector.spans()).toHaveLength(wrong.length)
    for (const span of collector.spans()) {
      expect(span.parentSpanId).toBeUndefined()
      expect(span.traceId).toMatch(/^(?!0af7651916cd43dd8448eb211c80319c)[0-9a-f]{32}$/)
    }
  })

  test('is not recorded when the caller does not sample, and that decision is passed on', async () => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint })
    const span = tracing.span('x', 'server', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00')
    span.end()
    await tracing.flush()
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/)
    expect(collector.received).toEqual([])
  })
})

describe('sampling', () => {
  test.for([
    [0, []],
    [1, ['new', 'called']],
  ] as const)('records this share of new traces: %d', async ([sampleRatio, names]) => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint, sampleRatio })
    tracing.span('new', 'server').end()
    if (sampleRatio === 1)
      tracing.span('called', 'server', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01').end()
    await tracing.flush()
    expect(collector.spans().map(({ name }) => name)).toEqual(names)
  })

  test('follows the caller, and otherwise chooses by the id of the trace', async () => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint, sampleRatio: 0.5 })
    tracing.span('called', 'server', `00-${'f'.repeat(32)}-b7ad6b7169203331-01`).end()
    for (let at = 0; at < 400; at++) tracing.span('new', 'server').end()
    await tracing.flush()
    const recorded = collector.spans().filter(({ name }) => name === 'new')
    expect(collector.spans().length).toBe(recorded.length + 1)
    expect(recorded.length).toBeGreaterThan(100)
    for (const { traceId } of recorded) expect(traceId[24]).toMatch(/[0-7]/)
  })
})

describe('delivery', () => {
  test('is automatic, in batches of at most 512', async () => {
    const collector = await startCollector()
    const tracing = open({ endpoint: collector.endpoint })
    for (let at = 0; at < 1_300; at++) tracing.span(`span ${at}`, 'internal').end()
    await expect.poll(() => collector.spans()).toHaveLength(1_300)
    for (const { spans } of collector.received) expect(spans.length).toBeLessThanOrEqual(512)
    expect(new Set(collector.spans().map(({ name }) => name)).size).toBe(1_300)
    expect(tracing.dropped()).toBe(0)
  })

  test('is retried when the collector is busy', async () => {
    const collector = await startCollector([503, 503])
    const tracing = open({ endpoint: collector.endpoint })
    tracing.span('x', 'internal').end()
    await tracing.flush()
    expect(collector.spans()).toHaveLength(1)
    expect(tracing.dropped()).toBe(0)
  })

  test.for([
    { it: 'a refusal', statuses: [400] },
    { it: 'three busy answers', statuses: [503, 503, 503] },
  ])('is given up and counted after $it', async ({ statuses }) => {
    const collector = await startCollector(statuses)
    const failures: number[] = []
    const tracing = open({ endpoint: collector.endpoint, onFailure: (_, spans) => failures.push(spans) })
    tracing.span('x', 'internal').end()
    await tracing.flush()
    expect(collector.spans()).toEqual([])
    expect(statuses).toEqual([])
    expect(failures).toEqual([1])
    expect(tracing.dropped()).toBe(1)
  })

  test('keeps the newest 2048 spans when the collector stalls, and counts the others', async () => {
    const collector = await startCollector([], true)
    const tracing = open({ endpoint: collector.endpoint })
    for (let at = 0; at < 5_000; at++) tracing.span(`span ${at}`, 'internal').end()
    collector.proceed()
    await tracing.flush()
    const names = collector.spans().map(({ name }) => name)
    // The first batch was sent before the queue filled.
    expect(names).toHaveLength(512 + 2_048)
    expect(names[512]).toBe('span 2952')
    expect(names.at(-1)).toBe('span 4999')
    expect(tracing.dropped()).toBe(5_000 - 512 - 2_048)
  })

  test('shuts down without a collector', async () => {
    const tracing = createTracer({ endpoint: 'http://127.0.0.1:9' })
    tracing.span('x', 'internal').end()
    await tracing.close()
    tracing.span('late', 'internal').end()
    expect(tracing.dropped()).toBe(2)
  })
})

test('without an endpoint, all spans are one shared no-op object', async () => {
  const tracing = createTracer({ endpoint: undefined })
  const span = tracing.span('x', 'server', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
  expect(span).toBe(tracing.span('y', 'client'))
  expect(span.traceparent).toBeUndefined()
  span.set({ a: 1 })
  span.end('ok')
  await tracing.flush()
  await tracing.close()
})
