// Every kind of bad upstream: each call ends in time, with a plain failure of ours, and our key stays where it belongs.
import { createServer } from 'node:net'
import type { FakeAnswer, StreamPiece } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import {
  CANARY_KEY,
  startUpstreamTest,
  type UpstreamTest,
  withTimeouts,
} from '@cowrie/testkit/platform/upstream.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callModel } from './call-model.ts'
import type { ModelRequest } from './model-request.ts'
import { UpstreamFailed } from './model-request.ts'

let asking: UpstreamTest
let upstream: UpstreamTest['upstream']
beforeAll(async () => {
  asking = await startUpstreamTest()
  upstream = asking.upstream
  // The first call loads the tokenizer, and some tests here look at the clock.
  await asking.ask()
})
afterAll(() => asking.close())
beforeEach(() => {
  upstream.reset()
  asking.server.logged.length = 0
})
// Whatever happened: no call is left hanging, and nobody has read the key.
afterEach(async () => {
  await expect.poll(() => upstream.open).toBe(0)
  expect(asking.server.logged.join('')).not.toContain('canary')
})

const failureOf = async (call: Promise<unknown>): Promise<UpstreamFailed> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof UpstreamFailed))
    throw new Error('it did not fail as it should', { cause: failure })
  expect(`${failure.message} ${failure.stack} ${failure.cause}`).not.toContain('canary')
  return failure
}

/** The time that the upstream takes is what these are about. */
const afterMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an upstream that is not there', () => {
  const elsewhere = (port: number) => {
    const target = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: CANARY_KEY } as const
    const question: ModelRequest = {
      target,
      model: 'small-1',
      messages: [{ role: 'user', content: 'Hello' }],
      maxOutputTokens: 10,
      signal: new AbortController().signal,
    }
    return callModel(withTimeouts(asking.server.app, { firstByteMs: 15_000 }), question)
  }

  test('is unavailable', async () => {
    expect((await failureOf(elsewhere(1))).kind).toBe('unavailable')
    expect(asking.server.logged.filter((line) => line.includes('inference.request.retried'))).toHaveLength(2)
  })

  test('because it hangs up on everybody is unavailable', async () => {
    let visits = 0
    const rude = createServer((socket) => {
      visits++
      socket.destroy()
    })
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    const address = rude.address()
    expect((await failureOf(elsewhere(address && typeof address === 'object' ? address.port : 1))).kind).toBe(
      'unavailable',
    )
    expect(visits).toBe(3)
    rude.close()
  })
})

describe('an upstream that is slow', () => {
  const SILENT: [string, FakeAnswer][] = [
    ['says no more than that it will', { pieces: ['x'], hangAfter: 0 }],
    ['says nothing at all', { hang: true }],
  ]

  test.for(isSoak ? SILENT : SILENT.slice(0, 1))('and %s is given up and let go', async ([, reply]) => {
    upstream.fallback(() => reply)
    // Time enough to arrive there first, on a busy machine as well.
    const failure = await failureOf(asking.ask({}, { firstByteMs: 1_000 }))
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('begin') })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect(upstream.requests).toHaveLength(1)
  })

  test('and falls silent in the middle is given up and not asked again', async () => {
    upstream.script({ pieces: ['Half ', 'an answer'], hangAfter: 1 })
    const failure = await failureOf(asking.ask({}, { idleMs: 120 }))
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('silent') })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect(upstream.requests).toHaveLength(1)
  })

  test('but has said everything is believed', async () => {
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
    upstream.script({ pieces: ['All of it.', { data: end }, 'never'], hangAfter: 2 })
    const answer = await asking.ask({}, { idleMs: 10_000 })
    expect(answer).toMatchObject({ text: 'All of it.', finish: 'stop', used: { countedBy: 'us' } })
  })

  test('but shows signs of life has twice the time', async () => {
    upstream.script({ pieces: [{ comment: 'still here' }, () => afterMs(10)], endless: true })
    const startedMs = performance.now()
    expect((await failureOf(asking.ask({}, { firstByteMs: 1_000 }))).message).toContain('begin')
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_998)
  })

  test('because the prompt is long has longer', async () => {
    upstream.script({ pieces: [afterMs(250), 'Read it all.'] })
    const content = 'word '.repeat(20_000)
    const answer = await asking.ask({ messages: [{ role: 'user', content }] }, { firstByteMs: 100 })
    expect(answer.text).toBe('Read it all.')
  })

  const ENDLESS: [string, StreamPiece[], object][] = [
    ['in floods', ['endless '.repeat(8_000)], {}],
    // The first drop must fall within the time, on a busy machine as well.
    ['drop by drop', ['drop ', () => afterMs(10)], { totalMs: 2_000 }],
  ]

  test.for(isSoak ? ENDLESS : ENDLESS.slice(0, 1))(
    'and never ends, %s, is ended, and what it said is kept as an answer that was cut',
    async ([, pieces, limits]) => {
      upstream.script({ pieces, endless: true })
      const heard: string[] = []
      const onText = async (text: string) => {
        heard.push(text)
        await new Promise(setImmediate)
      }
      const answer = await asking.ask({ onText, maxOutputTokens: 50_000 }, limits)
      expect(answer).toMatchObject({ finish: 'length', used: { countedBy: 'us' } })
      expect(answer.text).toBe(heard.join(''))
      expect(answer.used.outputTokens).toBeGreaterThan(0)
      expect(answer.used.outputTokens).toBeLessThanOrEqual(50_000)
      await expect.poll(() => upstream.aborted).toBe(1)
      expect(upstream.requests).toHaveLength(1)
    },
  )
})

describe('an upstream that has too much to do', () => {
  test.for(isSoak ? [408, 429, 503] : [503])('(%i) is asked again', async (status) => {
    upstream.script({ status, body: 'busy' })
    expect((await asking.ask()).text).toBe('Hello from the stand-in.')
    expect(upstream.requests).toHaveLength(2)
  })

  test('for good is asked three times in all', async () => {
    upstream.fallback(() => ({ status: 500, body: 'oops' }))
    expect(await failureOf(asking.ask())).toMatchObject({ kind: 'unavailable', retryAfter: undefined })
    expect(upstream.requests).toHaveLength(3)
  })

  test('says how long to wait, and is obeyed', async () => {
    const asked: number[] = []
    upstream.fallback(() => {
      asked.push(performance.now())
      return asked.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 'Hello.'
    })
    expect((await asking.ask()).text).toBe('Hello.')
    const [first = 0, second = 0] = asked
    expect(second - first).toBeGreaterThanOrEqual(990)
  })

  test.for<[string, number]>([
    ['60', 60],
    ['99999999', 3_600],
    ['Sun, 15 Nov 2026 09:00:30 GMT', 30],
  ])(
    'for longer than we wait (%s) is not asked again, and the customer is told',
    async ([header, seconds]) => {
      asking.server.clock.advance({
        ms: Date.parse('2026-11-15T09:00:00Z') - asking.server.clock.now().getTime(),
      })
      upstream.script({ status: 429, headers: { 'retry-after': header } })
      expect(await failureOf(asking.ask())).toMatchObject({ kind: 'unavailable', retryAfter: seconds })
      expect(upstream.requests).toHaveLength(1)
    },
  )

  test('before its first word is asked again, also when it had begun', async () => {
    upstream.script({ pieces: [{ comment: 'hello' }], cutAfter: 1 })
    expect((await asking.ask()).text).toBe('Hello from the stand-in.')
    expect(upstream.requests).toHaveLength(2)
  })
})

describe('an upstream that refuses us', () => {
  test.for([401, 402, 403, 302])('(%i) is unavailable, and the operators hear of it', async (status) => {
    upstream.fallback(({ headers }) => ({
      status,
      body: { error: { message: `bad ${headers.authorization}` } },
    }))
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
    expect(upstream.requests).toHaveLength(1)
    const errors = asking.server.logged.filter((line) => line.includes('"level":"error"'))
    expect(errors.length).toBeGreaterThan(0)
  })

  test.for([404, 405])('(%i), because there is no such model, is unavailable', async (status) => {
    upstream.fallback(() => ({ status, body: { error: { message: 'no such model' } } }))
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
    expect(asking.server.logged.join('')).toContain('"level":"error"')
  })

  test('and quotes our key has failed, and is not quoted', async () => {
    upstream.fallback(({ headers }) => ({ status: 400, body: `You sent ${headers.authorization}` }))
    expect((await failureOf(asking.ask())).kind).toBe('failed')
  })

  test.for([400, 413, 422, 501])('by the request itself (%i) has failed', async (status) => {
    upstream.fallback(() => ({ status, body: { error: { message: 'context too long' } } }))
    expect((await failureOf(asking.ask())).kind).toBe('failed')
    expect(upstream.requests).toHaveLength(1)
  })
})

const event = (data: unknown): StreamPiece => ({ data })
const raw = (text: string | Buffer): StreamPiece => ({ raw: text })
const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}`

describe('a stream that is odd is understood', () => {
  test.for<[string, FakeAnswer]>([
    ['with the old line end', { text: 'Hello, wörld 👋', lineEnd: '\r' }],
    ['with both line ends', { text: 'Hello, wörld 👋', lineEnd: '\r\n' }],
    ['after a byte order mark', { text: 'Hello, wörld 👋', byteOrderMark: true }],
    ['without spaces', { text: 'Hello, wörld 👋', tight: true }],
    ['in packets of one byte', { text: 'Hello, wörld 👋', packetBytes: 1 }],
    [
      'in packets of seven bytes with both line ends',
      { text: 'Hello, wörld 👋', packetBytes: 7, lineEnd: '\r\n' },
    ],
    ['with two ends', { text: 'Hello, wörld 👋', done: 2 }],
    ['without an end', { text: 'Hello, wörld 👋', done: 0 }],
    ['without a reason to end', { text: 'Hello, wörld 👋', finish: null }],
    ['with comments between', { pieces: [{ comment: 'x' }, 'Hello, ', { comment: 'y' }, 'wörld 👋'] }],
    [
      'with events between that only keep the connection alive',
      { pieces: ['Hello, ', event({ type: 'ping' }), raw('data:\n\n'), 'wörld 👋'] },
    ],
    [
      'with a last event that is not finished',
      { pieces: [raw(`${chunk('Hello, wörld 👋')}\n\ndata: [DONE]`)], finish: null, usage: 'none', done: 0 },
    ],
    [
      'with text in parts',
      { pieces: [event({ choices: [{ delta: { content: [{ type: 'text', text: 'Hello, wörld 👋' }] } }] })] },
    ],
  ])('%s', async ([, reply]) => {
    upstream.script(reply)
    expect(await asking.ask()).toMatchObject({ text: 'Hello, wörld 👋', finish: 'stop' })
    expect(upstream.requests).toHaveLength(1)
  })
})

describe('a stream that is no answer has failed, and is not asked for again', () => {
  test.for<[string, FakeAnswer]>([
    ['nothing', { text: '' }],
    ['only spaces', { pieces: ['  \n'] }],
    ['no bytes', { body: '' }],
    ['a page', { body: '<html>Welcome to our proxy</html>' }],
    ['half a JSON object', { body: '{"choices":[{"message":{"content":"Hel' }],
    ['an object that means nothing', { body: { hello: 'world' } }],
    ['a tool that was never offered', { toolCalls: [{ name: 'rm', arguments: '{}' }] }],
    ['an answer that was withheld', { text: '', finish: 'content_filter' }],
    ['an answer that was given up', { text: 'Well, ', finish: 'error' }],
    ['a line of 50 MB', { pieces: [raw('data: '), raw(Buffer.alloc(50 * 1024 * 1024, 120))] }],
    ['an event that is cut in the middle', { pieces: ['Hello, ', raw('data: {"choi\n\n'), 'wörld 👋'] }],
    ['an event that is no object', { pieces: ['Hello, ', event(42), 'wörld 👋'] }],
    [
      'bytes that are no UTF-8',
      { pieces: [raw(Buffer.from('data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n', 'latin1'))] },
    ],
    ['content that is a number', { pieces: ['Hello, ', event({ choices: [{ delta: { content: 7 } }] })] }],
    ['choices that are no list', { pieces: ['Hello, ', event({ choices: 'none' })] }],
    [
      'a stream that stops in the middle',
      { pieces: ['Half an ', 'answer'], finish: null, done: 0, usage: 'none' },
    ],
    ['a stream that is cut', { pieces: ['Half an ', 'answer', 'x'], cutAfter: 2 }],
    ['an error in the middle', { pieces: ['Half ', event({ error: { code: 500, message: 'boom' } })] }],
    ['our own key', { pieces: ['You sent me ', CANARY_KEY] }],
    ['our own key in small packets', { pieces: [`You sent me ${CANARY_KEY}`], packetBytes: 3 }],
  ])('%s', async ([, reply]) => {
    upstream.script(reply)
    const heard: string[] = []
    expect((await failureOf(asking.ask({ onText: (text) => void heard.push(text) }))).kind).toBe('failed')
    expect(upstream.requests).toHaveLength(1)
    expect(heard.join('')).not.toContain(CANARY_KEY)
  })

  test('but an error at its beginning that may pass is unavailable', async () => {
    upstream.script({
      pieces: [event({ error: { code: 429, message: `too much for ${CANARY_KEY.slice(0, 6)}` } })],
    })
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
  })
})

describe('usage', () => {
  test.for<[string, FakeAnswer]>([
    ['in the last chunk', { usageIn: 'last' }],
    ['in a chunk of its own', { usageIn: 'own' }],
    ['in every chunk', { usageIn: 'every' }],
    ['at once', { whole: true }],
  ])('is taken from the upstream %s', async ([, reply]) => {
    const usage = { prompt_tokens: 17, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } }
    upstream.script({ text: 'Hello there.', usage, ...reply })
    expect((await asking.ask()).used).toEqual({
      promptTokens: 17,
      outputTokens: 5,
      cachedTokens: 9,
      countedBy: 'upstream',
    })
  })

  test.for<[string, unknown]>([
    ['is negative', { prompt_tokens: 17, completion_tokens: -5 }],
    ['is no number', { prompt_tokens: 'many', completion_tokens: 'more' }],
    ['is nothing for something', { prompt_tokens: 17, completion_tokens: 0 }],
    ['is a fortune', { prompt_tokens: 17, completion_tokens: 1_000_000_000_000 }],
    ['is more than was allowed', { prompt_tokens: 17, completion_tokens: 1_001 }],
    ['is more prompt than was sent', { prompt_tokens: 90_000, completion_tokens: 3 }],
    ['is null', null],
    ['is a list', []],
    ['is missing', 'none'],
  ])('that %s is not believed', async ([, usage]) => {
    upstream.script({ text: 'Hello there.', usage })
    const { used } = await asking.ask()
    expect(used).toEqual({ promptTokens: 13, outputTokens: 3, countedBy: 'us' })
  })

  test('that cannot be believed is noted', async () => {
    upstream.script({ text: 'Hello there.', usage: { prompt_tokens: 17, completion_tokens: -5 } })
    await asking.ask()
    expect(asking.server.logged.join('')).toContain('inference.usage.implausible')
  })

  test('is what was last said that can be believed', async () => {
    const said = (completion: number) =>
      event({ choices: [], usage: { prompt_tokens: 20, completion_tokens: completion } })
    upstream.script({ pieces: ['Hello ', said(1), 'there.', said(4)], usage: { prompt_tokens: -1 } })
    expect((await asking.ask()).used).toMatchObject({ outputTokens: 4, countedBy: 'upstream' })
  })

  test('of ours is never more than was allowed', async () => {
    upstream.script({ pieces: ['one two three four five six seven eight'], usage: 'none' })
    expect((await asking.ask({ maxOutputTokens: 3 })).used.outputTokens).toBe(3)
  })
})
