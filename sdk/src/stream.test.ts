import {
  breakOff,
  drop,
  type FakeService,
  json,
  silent,
  startFakeService,
  stream,
} from '@cowrie/testkit/fakes/service.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { bindOperations } from './client.ts'
import type { CallOptions } from './operation.ts'
import { type ClientOptions, createTransport } from './transport.ts'

type Frame = { delta?: string; totalCostMinor?: bigint }
type Sample = { agent: { runLoop(body: { prompt: string }, options?: CallOptions): AsyncGenerator<Frame> } }
const TABLE = {
  'agent.runLoop': { method: 'POST', path: '/agent/run-loop', body: true, idempotent: true, reply: 'stream' },
} as const

let fakeService: FakeService
afterEach(() => fakeService.close())

function runLoop(options: Partial<ClientOptions> = {}, call: CallOptions = {}): AsyncGenerator<Frame> {
  return bindOperations<Sample>(
    TABLE,
    createTransport({ baseUrl: fakeService.url, ...options }),
  ).agent.runLoop({ prompt: 'x' }, call)
}

/** All frames and the final error, if any. */
async function gather(frames: AsyncGenerator<Frame>): Promise<{ seen: Frame[]; error: unknown }> {
  const seen: Frame[] = []
  try {
    for await (const frame of frames) seen.push(frame)
    return { seen, error: null }
  } catch (error) {
    return { seen, error }
  }
}

describe('a stream', () => {
  test('yields its frames one by one with exact amounts, however the network splits them', async () => {
    const naira = Buffer.from('data: {"delta":"₦"}\r\n\r\n')
    fakeService = await startFakeService(
      stream(
        ': keep-alive\n\nda',
        'ta: {"delta":"a"}\n',
        '\n',
        naira.subarray(0, 17),
        naira.subarray(17),
        'data: {"totalCostMinor":9007199254740993}\n\n',
      ),
    )
    expect(await gather(runLoop())).toEqual({
      seen: [{ delta: 'a' }, { delta: '₦' }, { totalCostMinor: 9007199254740993n }],
      error: null,
    })
    expect(fakeService.requests[0]?.headers.accept).toBe('text/event-stream')
  })

  test('sends nothing before the first frame is requested', async () => {
    fakeService = await startFakeService(stream())
    const frames = runLoop()
    expect(fakeService.requests).toHaveLength(0)
    await frames.next()
    expect(fakeService.requests).toHaveLength(1)
  })

  test('that is refused before it starts throws the error', async () => {
    fakeService = await startFakeService(json(402, { error: 'Not enough.', code: 'insufficient_funds' }))
    expect(await gather(runLoop())).toMatchObject({
      seen: [],
      error: { status: 402, code: 'insufficient_funds' },
    })
  })

  test('that fails later throws after its valid frames, with the request id of the response', async () => {
    fakeService = await startFakeService(
      stream('data: {"delta":"a"}\n\ndata: {"error":"Something broke.","code":"internal"}\n\n'),
    )
    expect(await gather(runLoop())).toMatchObject({
      seen: [{ delta: 'a' }],
      error: { status: 500, code: 'internal', message: 'Something broke.', requestId: 'req_of_the_stream' },
    })
  })

  test('that fails with an unknown code counts as a failure of the service', async () => {
    fakeService = await startFakeService(stream('data: {"error":"New.","code":"brand_new"}\n\n'))
    expect((await gather(runLoop())).error).toMatchObject({ status: 500, code: 'brand_new' })
  })

  test('that cannot be opened is retried with the same key', async () => {
    fakeService = await startFakeService(drop, stream('data: {"delta":"a"}\n\n'))
    expect((await gather(runLoop())).seen).toEqual([{ delta: 'a' }])
    const [first, second] = fakeService.requests.map(({ headers }) => headers['idempotency-key'])
    expect(second).toBe(first)
  })

  test.for([
    {
      it: 'whose connection breaks',
      answer: breakOff('text/event-stream', 'data: {"delta":"a"}\n\ndata: {"del'),
    },
    { it: 'that ends in the middle of a frame', answer: stream('data: {"delta":"a"}\n\n', 'data: {"del') },
  ])('$it throws and is not restarted', async ({ answer }) => {
    fakeService = await startFakeService(answer)
    expect(await gather(runLoop())).toMatchObject({
      seen: [{ delta: 'a' }],
      error: {
        status: 0,
        code: 'stream_cut',
        idempotencyKey: fakeService.requests[0]?.headers['idempotency-key'],
      },
    })
    expect(fakeService.requests).toHaveLength(1)
  })

  test('that becomes silent counts as broken', async () => {
    fakeService = await startFakeService(silent('data: {"delta":"a"}\n\n'))
    expect(await gather(runLoop({ streamSilenceMs: 2_000 }))).toMatchObject({
      seen: [{ delta: 'a' }],
      error: { status: 0, code: 'timeout' },
    })
    await fakeService.requests[0]?.closed
  })

  test('does not time out while the caller handles a frame', async () => {
    fakeService = await startFakeService(stream('data: {"delta":"a"}\n\n', 'data: {"delta":"b"}\n\n'))
    const seen: Frame[] = []
    for await (const frame of runLoop({ streamSilenceMs: 1_000 })) {
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      seen.push(frame)
    }
    expect(seen).toHaveLength(2)
  })

  test('with another content type is an error', async () => {
    fakeService = await startFakeService(json(200, { ok: true }))
    expect(await gather(runLoop())).toMatchObject({ seen: [], error: { code: 'malformed_reply' } })
  })
})

describe('a caller', () => {
  test('that stops reading closes the connection, which cancels the work', async () => {
    fakeService = await startFakeService(silent('data: {"delta":"a"}\n\n'))
    for await (const frame of runLoop()) {
      expect(frame).toEqual({ delta: 'a' })
      break
    }
    await fakeService.requests[0]?.closed
  })

  test('that aborts gets the abort reason', async () => {
    fakeService = await startFakeService(silent('data: {"delta":"a"}\n\n'))
    const caller = new AbortController()
    const frames = runLoop({}, { signal: caller.signal })
    await frames.next()
    const next = frames.next()
    const reason = new Error('enough')
    caller.abort(reason)
    await expect(next).rejects.toBe(reason)
    await fakeService.requests[0]?.closed
  })
})
