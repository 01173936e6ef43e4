// Small transfers for clients on slow networks: differences, streams without outputs, short replies.
import { createHash } from 'node:crypto'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lineDelta } from '../../../../sdk/src/index.ts'

let world: TaskWorld
let baseUrl: string
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld()
  baseUrl = await world.server.listen()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

const CLIENT = { kind: 'client', name: 'my-laptop' }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const FILE = Array.from({ length: 400 }, (_, i) => `${String(i + 1).padStart(3)}| const v${i} = ${i}\n`).join(
  '',
)
const EDITED = FILE.replace('const v200 = 200', 'const total = 200')

const send = (task: string, results: object[]) =>
  world.server.call<{
    accepted: string[]
    ignored: string[]
    status: string
    code?: string
    callId?: string
  }>('POST', `/tasks/${task}/tool-results`, { as: ada, body: { results } })

/** A task whose model reads the same file several times. */
async function readingTask(reads: number): Promise<{ task: string; nextCall: () => Promise<string> }> {
  const answers = Array.from({ length: reads }, (_, i) => calls(['read', { path: 'a.js', from: i + 1 }]))
  world.upstream.fallback(byStep(...answers, 'Done.'))
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  const nextCall = async () => {
    await world.perform()
    return (await world.read(ada, task)).needs[0]?.callId ?? ''
  }
  return { task, nextCall }
}

const deltaOf = (callId: string, base: string, from: string, to: string) => ({
  callId,
  ok: true,
  base,
  sha256: sha256(to),
  delta: lineDelta(from, to),
})

describe('a result as the difference from an earlier one', () => {
  test('reaches the model whole, and can be the base of the next', async () => {
    const { task, nextCall } = await readingTask(3)
    const first = await nextCall()
    await send(task, [{ callId: first, ok: true, output: FILE }])
    const second = await nextCall()
    const sent = deltaOf(second, first, FILE, EDITED)
    expect(JSON.stringify(sent).length).toBeLessThan(300)
    expect((await send(task, [sent])).body).toMatchObject({ accepted: [second] })
    const third = await nextCall()
    expect((await send(task, [deltaOf(third, second, EDITED, EDITED)])).body).toMatchObject({
      accepted: [third],
    })
    await world.perform()
    expect(resultsIn(world.upstream.requests.at(-1) as never)).toEqual([FILE, EDITED, EDITED])
  })

  test('may refer to an output longer than the model reads, and to one of the same request', async () => {
    const long = FILE.repeat(20)
    world.upstream.fallback(
      byStep(
        calls(['read', { path: 'a' }], ['read', { path: 'b' }]),
        calls(['read', { path: 'c' }]),
        'Done.',
      ),
    )
    const task = await world.create(ada, CLIENT)
    await world.turn(ada, task)
    const [a = '', b = ''] = (await world.read(ada, task)).needs.map(({ callId }) => callId)
    const both = await send(task, [
      { callId: a, ok: true, output: long },
      deltaOf(b, a, long, `${long}end\n`),
    ])
    expect(both.body).toMatchObject({ accepted: [a, b] })
    await world.perform()
    const c = (await world.read(ada, task)).needs[0]?.callId ?? ''
    expect((await send(task, [deltaOf(c, b, `${long}end\n`, `${long}the end\n`)])).body.accepted).toEqual([c])
    const { body } = await world.server.call('GET', `/tasks/${task}/tool-results/${c}`, { as: ada })
    expect(body).toMatchObject({ output: `${long}the end\n` })
  })

  test('is refused if the service cannot rebuild it, nothing is stored, and the whole output is taken then', async () => {
    const { task, nextCall } = await readingTask(2)
    const first = await nextCall()
    await send(task, [{ callId: first, ok: true, output: FILE }])
    const second = await nextCall()
    const right = deltaOf(second, first, FILE, EDITED)
    for (const wrong of [
      { ...right, base: 'call_9_9' },
      { ...right, base: second },
      { ...right, sha256: sha256('another text') },
      { ...right, delta: [[0, 401]] },
      { ...right, delta: [[0, 400, 1, 999]] },
    ])
      expect(await send(task, [wrong])).toMatchObject({
        status: 409,
        body: { code: 'base_unknown', callId: second },
      })
    expect((await world.read(ada, task)).needs).toMatchObject([{ callId: second }])
    expect((await send(task, [{ callId: second, ok: true, output: EDITED }])).body.accepted).toEqual([second])
    // The call has its result, so that a repeated one is ignored without a look at its base.
    expect((await send(task, [{ ...right, base: 'call_9_9' }])).body).toMatchObject({ ignored: [second] })
  })

  test('has no base in a text that the service changed, and no stored text has the secret', async () => {
    const { task, nextCall } = await readingTask(3)
    const secret = `sk_live_${sha256('a test').slice(0, 40)}`
    const leaky = `const a = 1\nconst key = '${secret}'\nconst b = 2\n`
    const first = await nextCall()
    await send(task, [{ callId: first, ok: true, output: leaky }])
    const second = await nextCall()
    const changed = deltaOf(second, first, leaky, `${leaky}const c = 3\n`)
    expect(await send(task, [changed])).toMatchObject({ status: 409, body: { code: 'base_unknown' } })
    // A secret that only the whole text shows is hidden as in a whole result.
    await send(task, [{ callId: second, ok: true, output: 'const a = 1\nconst b = 2\n' }])
    const third = await nextCall()
    await send(task, [deltaOf(third, second, 'const a = 1\nconst b = 2\n', leaky)])
    await world.perform()
    expect(JSON.stringify(world.upstream.requests)).not.toContain(secret)
    const { body } = await world.server.call('GET', `/tasks/${task}/tool-results/${third}`, { as: ada })
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('that is too large, or not a difference at all, is refused before it is built', async () => {
    const { task, nextCall } = await readingTask(2)
    const first = await nextCall()
    await send(task, [{ callId: first, ok: true, output: 'x'.repeat(500_000) }])
    const second = await nextCall()
    const right = deltaOf(second, first, '', '')
    const bomb = { ...right, delta: Array.from({ length: 5_000 }, () => [0, 1]) }
    expect(await send(task, [bomb])).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    for (const wrong of [
      { ...right, output: 'x' },
      { ...right, base: 'call \u0000 of no task' },
      { ...right, sha256: undefined },
      { ...right, delta: undefined },
      { ...right, delta: [[0, 1, 2]] },
      { ...right, delta: [[-1, 1]] },
      { ...right, delta: Array.from({ length: 5_001 }, () => 'x') },
      { callId: second, ok: true },
      { callId: second, ok: true, delta: [] },
    ])
      expect(await send(task, [wrong])).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect((await world.read(ada, task)).needs).toMatchObject([{ callId: second }])
  })
})

/** The events of a finished task as the stream sends them, and the head of the reply. */
async function readStream(task: string, query: string, headers: Record<string, string> = {}) {
  const stop = new AbortController()
  const reply = await fetch(`${baseUrl}/tasks/${task}/stream?${query}`, {
    headers: { ...headers, authorization: `Bearer ${ada.bearer}` },
    signal: stop.signal,
  })
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('"stopReason"')) text += (await reader.read()).value ?? ''
  stop.abort()
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as { kind: string; [field: string]: unknown })
  return { events, headers: reply.headers }
}

async function finishedTask(): Promise<string> {
  const { task, nextCall } = await readingTask(1)
  await send(task, [{ callId: await nextCall(), ok: true, output: FILE }])
  await world.perform()
  return task
}

test('a stream leaves outputs out if the client asks for that', async () => {
  const task = await finishedTask()
  const { events } = await readStream(task, 'outputs=none')
  expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({
    ok: true,
    output: '',
    isTruncated: true,
  })
  const whole = await readStream(task, 'after=0')
  expect(whole.events.find(({ kind }) => kind === 'tool_result')).toMatchObject({
    output: FILE,
    isTruncated: false,
  })
  expect(events.map(({ kind }) => kind)).toEqual(whole.events.map(({ kind }) => kind))
})

test('a stream is compressed for a client that accepts it', async () => {
  const task = await finishedTask()
  const packed = await readStream(task, 'after=0')
  const plain = await readStream(task, 'after=0', { 'accept-encoding': 'identity' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(packed.events).toEqual(plain.events)
})

test('the event of a charge names what can still be spent', async () => {
  const task = await finishedTask()
  const costs = (await world.events(ada, task)).filter((event) => event.kind === 'cost')
  const { body } = await world.server.call<{ availableMinor: bigint }>('GET', '/wallet', { as: ada })
  expect(costs.at(-1)?.balanceMinor).toBe(body.availableMinor)
  expect(costs[0]?.balanceMinor).toBe(body.availableMinor + (costs[1]?.costMinor ?? 0n))
})

test('a task is read with its newest turns only', async () => {
  world.upstream.fallback(() => 'Done.')
  const task = await world.create(ada, CLIENT)
  for (const prompt of ['one', 'two', 'three']) await world.turn(ada, task, { prompt })
  const read = async (query: string) =>
    (await world.server.call<{ turns: { prompt: string }[] }>('GET', `/tasks/${task}${query}`, { as: ada }))
      .body
  expect((await read('?turns=2')).turns.map(({ prompt }) => prompt)).toEqual(['two', 'three'])
  expect((await read('?turns=500')).turns).toHaveLength(3)
  expect(await read('?turns=1')).toMatchObject({ status: 'idle', turnCount: 3 })
  expect(await world.server.call('GET', `/tasks/${task}?turns=0`, { as: ada })).toMatchObject({ status: 400 })
})

test('a program gets short heads if it prefers them, a browser never, and an error has all', async () => {
  const task = await world.create(ada, CLIENT)
  const names = async (path: string, headers: Record<string, string>) => {
    const reply = await fetch(`${baseUrl}${path}`, { headers })
    await reply.body?.cancel()
    return [...reply.headers.keys()].sort()
  }
  const authorization = `Bearer ${ada.bearer}`
  const prefer = 'return=minimal'
  expect(await names(`/tasks/${task}`, { authorization, prefer })).toEqual(['content-length', 'content-type'])
  const stream = await names(`/tasks/${task}/stream`, {
    authorization,
    prefer,
    'accept-encoding': 'identity',
  })
  expect(stream).toEqual(['cache-control', 'content-type', 'transfer-encoding', 'x-accel-buffering'])
  const full = [
    'content-security-policy',
    'ratelimit-remaining',
    'x-content-type-options',
    'x-request-id',
    'x-service-version',
  ]
  for (const [path, headers] of [
    [`/tasks/${task}`, { authorization }],
    [`/tasks/${task}`, { authorization, prefer: 'return=minimally' }],
    ['/tasks/tsk_00000000000000000000000000', { authorization, prefer }],
    ['/auth/session', { prefer }],
  ] as const)
    expect(await names(path, headers)).toEqual(expect.arrayContaining(full))
})
