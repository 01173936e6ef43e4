import {
  breakOff,
  drop,
  type FakeService,
  json,
  type ReplyWriter,
  silent,
  startFakeService,
  stream,
} from '@cowrie/testkit/fakes/service.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { type ClientOptions, collect, createClient, followResearch, followTask } from './index.ts'

let fakeService: FakeService
afterEach(() => fakeService.close())

async function clientOf(options: Partial<ClientOptions>, ...answers: ReplyWriter[]) {
  fakeService = await startFakeService(...answers)
  return createClient({ baseUrl: fakeService.url, retries: 0, ...options })
}

const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const cutAfter = (...values: object[]) => breakOff('text/event-stream', values.map(frame).join(''))
const RESULT = { seq: 9, result: { id: 'agr_1' }, verified: true, totalCostMinor: 91 }
const BUSY = json(409, { error: 'Still running.', code: 'idempotency_in_progress' }, { 'retry-after': '0' })

describe('the last frame of a paid stream', () => {
  test('is fetched with the same key after a broken connection, and each frame is delivered once', async () => {
    const cowrie = await clientOf({}, cutAfter({ seq: 1, delta: 'a' }), drop, BUSY, stream(frame(RESULT)))
    const heard: number[] = []
    const last = await collect((options) => cowrie.agent.runLoop({ prompt: 'x' }, options), {
      onFrame: ({ seq }) => heard.push(seq),
    })
    expect(last).toMatchObject({ verified: true, totalCostMinor: 91n })
    expect(heard).toEqual([1, 9])
    const keys = new Set(fakeService.requests.map(({ headers }) => headers['idempotency-key']))
    expect([fakeService.requests.length, keys.size]).toEqual([4, 1])
    expect(new Set(fakeService.requests.map(({ body }) => body)).size).toBe(1)
  })

  test('is fetched after a silent stream and after one that ended early', async () => {
    const cowrie = await clientOf(
      { streamSilenceMs: 2_000 },
      silent(frame({ seq: 1, delta: 'a' })),
      stream(frame({ seq: 2, delta: 'b' })),
      stream(frame({ seq: 3, message: { id: 'msg_1' }, costMinor: 5 })),
    )
    const asked = collect((options) => cowrie.chat.messages.send('thr_1', { prompt: 'x' }, options), {
      idempotencyKey: 'written-down',
    })
    expect(await asked).toMatchObject({ costMinor: 5n })
    expect(fakeService.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill('written-down'),
    )
  })

  test('is an error if the service refuses', async () => {
    const cowrie = await clientOf({}, json(402, { error: 'Not enough.', code: 'insufficient_funds' }))
    await expect(
      collect((options) => cowrie.agent.runLoop({ prompt: 'x' }, options), { idempotencyKey: 'k' }),
    ).rejects.toMatchObject({ code: 'insufficient_funds', idempotencyKey: 'k' })
    expect(fakeService.requests).toHaveLength(1)
  })

  test('is given up after the time limit', async () => {
    const cowrie = await clientOf({}, ...Array<ReplyWriter>(20).fill(drop))
    await expect(
      collect((options) => cowrie.agent.runLoop({ prompt: 'x' }, options), { patienceMs: 300 }),
    ).rejects.toMatchObject({ code: 'network_error' })
    expect(fakeService.requests.length).toBeLessThan(5)
  })

  test('is given up when the caller aborts', async () => {
    const caller = new AbortController()
    const cowrie = await clientOf({}, cutAfter({ seq: 1, delta: 'a' }), silent())
    const asked = collect((options) => cowrie.agent.runLoop({ prompt: 'x' }, options), {
      signal: caller.signal,
      onFrame: () => caller.abort(new Error('no longer wanted')),
    })
    await expect(asked).rejects.toThrow('no longer wanted')
    expect(fakeService.requests).toHaveLength(1)
  })
})

describe('a research run', () => {
  const event = (seq: number, kind = 'phase') => ({ seq, at: '2026-11-15T09:00:00.000Z', kind })

  test('is followed to its end over several connections, with each frame once and in order', async () => {
    const cowrie = await clientOf(
      {},
      cutAfter(event(1), event(2)),
      json(503, { error: 'Busy.', code: 'busy' }, { 'retry-after': '0' }),
      // A stream that reached its maximum duration, and one that repeats earlier frames.
      stream(frame(event(3))),
      stream(frame(event(3)), frame(event(4)), frame(event(5, 'done'))),
    )
    const seen: number[] = []
    for await (const { seq } of followResearch(cowrie, 'run_1')) seen.push(seq)
    expect(seen).toEqual([1, 2, 3, 4, 5])
    expect(fakeService.requests.map(({ url }) => url)).toEqual(
      [0, 2, 2, 3].map((after) => `/research/run_1/stream?after=${after}`),
    )
  })

  test('is resumed after a given frame', async () => {
    const cowrie = await clientOf({}, stream(frame(event(8)), frame(event(9, 'done'))))
    const seen: number[] = []
    for await (const { seq } of followResearch(cowrie, 'run_1', { after: 7 })) seen.push(seq)
    expect([seen, fakeService.requests[0]?.url]).toEqual([[8, 9], '/research/run_1/stream?after=7'])
  })

  test('that no longer exists is an error', async () => {
    const cowrie = await clientOf({}, json(404, { error: 'No such run.', code: 'not_found' }))
    await expect(followResearch(cowrie, 'run_1').next()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a task', () => {
  const event = (seq: number, more: object = { kind: 'message', text: 'a' }) => ({
    ...{ seq, at: '2026-11-15T09:00:00.000Z', turnId: 'trn_1' },
    ...more,
  })
  const finished = (seq: number, turnId: string) => event(seq, { kind: 'status', status: 'finished', turnId })

  const open = json(200, { turns: [{ id: 'trn_1', finishedAt: null }], lastSeq: 0 })

  test('is followed over empty and broken streams until its turn has finished', async () => {
    const cowrie = await clientOf(
      {},
      drop,
      open,
      stream(frame(finished(1, 'trn_0'))),
      stream(),
      stream(),
      cutAfter(event(2), event(2)),
      stream(frame(event(3)), frame(finished(4, 'trn_1')), frame(event(5))),
    )
    const seen: number[] = []
    for await (const { seq } of followTask(cowrie, 'tsk_1', { turnId: 'trn_1' })) seen.push(seq)
    expect(seen).toEqual([1, 2, 3, 4])
    expect(fakeService.requests.map(({ url }) => url)).toEqual([
      '/tasks/tsk_1?turns=1',
      '/tasks/tsk_1?turns=1',
      ...[0, 1, 1, 1, 2].map((after) => `/tasks/tsk_1/stream?after=${after}`),
    ])
  })

  test('whose streams always end at once is given up after the time limit', async () => {
    const cowrie = await clientOf({}, ...Array<ReplyWriter>(20).fill(stream()))
    await expect(followTask(cowrie, 'tsk_1', { patienceMs: 300 }).next()).rejects.toMatchObject({
      code: 'stream_cut',
    })
    expect(fakeService.requests.length).toBeLessThan(5)
  })

  test('of a service that cannot be reached is given up after the time limit', async () => {
    const cowrie = await clientOf({}, ...Array<ReplyWriter>(20).fill(drop))
    await expect(followTask(cowrie, 'tsk_1', { patienceMs: 300 }).next()).rejects.toMatchObject({
      code: 'network_error',
    })
  })
})
