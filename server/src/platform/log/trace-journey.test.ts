// A request with a trace: its spans, the calls to providers, the jobs that it enqueues and the log lines share the trace id.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { CANARY, type OpenAiApi, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Sent = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`
const SERVER = 2
const CLIENT = 3
const CONSUMER = 5

let collector: Server
let paystack: FakePaystack
let api: OpenAiApi
const sent: Sent[] = []
let bodies = ''
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = await text(request)
    bodies += body
    sent.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    response.end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  paystack = await startFakePaystack()
  const { port } = collector.address() as AddressInfo
  api = await startOpenAiApi({
    ...paystack.variables,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  })
})
afterAll(async () => {
  await api.close()
  await paystack.close()
  collector.close()
})

async function spansOf(name: string): Promise<Sent[]> {
  await expect
    .poll(async () => {
      await api.server.app.tracing.flush()
      return sent.map((span) => span.name)
    })
    .toContain(name)
  return sent.filter((span) => span.name === name)
}
const attributesOf = ({ attributes }: Sent) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const linesOf = (traceId: string) =>
  api.server.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ trace_id }) => trace_id === traceId)

test('a call of a model continues the trace of its request, and the provider gets the header', async () => {
  const ada = await api.customer()
  const { status } = await api.server.call('POST', '/v1/chat/completions', {
    as: { bearer: ada.key },
    headers: { traceparent: CALLER },
    body: { model: 'open', messages: [{ role: 'user', content: 'a prompt that stays private' }] },
  })
  expect(status).toBe(200)
  const [request] = await spansOf('POST /v1/chat/completions')
  expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: 'b7ad6b7169203331', kind: SERVER })
  expect(request && attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/chat/completions',
    'http.response.status_code': '200',
  })
  const [chat] = await spansOf('chat small-1')
  expect(chat).toMatchObject({ traceId: TRACE_ID, parentSpanId: request?.spanId, kind: CLIENT })
  expect(chat && attributesOf(chat)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'small-1',
    'gen_ai.provider.name': 'default',
  })
  const [call] = await spansOf('POST /chat/completions')
  expect(call).toMatchObject({ traceId: TRACE_ID, parentSpanId: chat?.spanId, kind: CLIENT })
  expect(api.upstream.requests.at(-1)?.headers.traceparent).toBe(`00-${TRACE_ID}-${call?.spanId}-01`)
  await expect.poll(() => linesOf(TRACE_ID)).toHaveLength(1)
  expect(linesOf(TRACE_ID)).toMatchObject([{ msg: 'http.request', span_id: request?.spanId }])
  for (const secret of ['stays private', CANARY, ada.email, ada.key]) expect(bodies).not.toContain(secret)
})

test('a call of a payment provider continues the trace of its request', async () => {
  const traceId = 'a'.repeat(32)
  const ada = await api.server.person({ email: 'ada@example.com' })
  const { status } = await api.server.call('POST', '/wallet/topup', {
    as: ada,
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    body: { channel: 'card', amountMinor: 10_000 },
  })
  expect(status).toBe(200)
  const calls = (await spansOf('POST')).filter((span) => span.traceId === traceId)
  expect(calls).toMatchObject([{ kind: CLIENT }])
  expect(calls.map(attributesOf)).toMatchObject([
    { 'server.address': '127.0.0.1', 'http.response.status_code': '200' },
  ])
  expect(paystack.requests.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${calls[0]?.spanId}-01`)
  expect(bodies).not.toContain('ada@example.com')
})

test('a job continues the trace of the request that enqueued it', async () => {
  const traceId = 'b'.repeat(32)
  await api.server.app.jobs.drain()
  const reply = await api.server.call('POST', '/auth/register', {
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    body: { email: 'new@example.com', password: 'a long password of a person' },
  })
  expect(reply.status).toBeLessThan(300)
  await api.server.app.jobs.drain()
  const mails = (await spansOf('process mail.send')).filter((span) => span.traceId === traceId)
  expect(mails).toMatchObject([{ kind: CONSUMER }])
  expect(mails.map(attributesOf)).toMatchObject([
    { 'messaging.operation.type': 'process', 'messaging.destination.name': 'mail.send' },
  ])
  expect(linesOf(traceId).map(({ msg }) => msg)).toContain('mail.message.captured')
  expect(bodies).not.toContain('new@example.com')
})
