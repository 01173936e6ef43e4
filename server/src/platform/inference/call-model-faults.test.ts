// Every kind of faulty upstream: each call ends in time with an `UpstreamFailed`, and our API key never leaks.
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
  // The first call loads the tokenizer, and some tests measure time.
  await asking.ask()
})
afterAll(() => asking.close())
beforeEach(() => {
  upstream.reset()
  asking.server.logged.length = 0
})
// After every test: no call is still open, and the key was not leaked.
afterEach(async () => {
  await expect.poll(() => upstream.open).toBe(0)
  expect(asking.server.logged.join('')).not.toContain('canary')
})

const failureOf = async (call: Promise<unknown>): Promise<UpstreamFailed> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof UpstreamFailed)) throw new Error('expected an UpstreamFailed', { cause: failure })
  expect(`${failure.message} ${failure.stack} ${failure.cause}`).not.toContain('canary')
  return failure
}

/** A delay of the upstream. */
const afterMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an upstream that is not running', () => {
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

  test('that closes every connection is unavailable', async () => {
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

describe('a slow upstream', () => {
  const SILENT: [string, FakeAnswer][] = [
    ['sends only its headers', { pieces: ['x'], hangAfter: 0 }],
    ['sends no response', { hang: true }],
  ]

  test.for(isSoak ? SILENT : SILENT.slice(0, 1))(
    'that %s times out and its connection is closed',
    async ([, reply]) => {
      upstream.fallback(() => reply)
      // Long enough for the request to arrive on a busy machine.
      const failure = await failureOf(asking.ask({}, { firstByteMs: 1_000 }))
      expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('start') })
      await expect.poll(() => upstream.aborted).toBe(1)
      expect(upstream.requests).toHaveLength(1)
    },
  )

  test('that stops in the middle times out and is not retried', async () => {
    upstream.script({ pieces: ['Half ', 'an answer'], hangAfter: 1 })
    // Long enough for the first piece to follow its headers on a busy machine.
    const failure = await failureOf(asking.ask({}, { idleMs: 1_000 }))
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('stopped') })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect(upstream.requests).toHaveLength(1)
  })

  test('that has completed its answer is accepted without its end', async () => {
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
    upstream.script({ pieces: ['All of it.', { data: end }, 'never'], hangAfter: 2 })
    const answer = await asking.ask({}, { idleMs: 10_000 })
    expect(answer).toMatchObject({ text: 'All of it.', finish: 'stop', used: { countedBy: 'us' } })
  })

  test('that sends comments has twice the time', async () => {
    upstream.script({ pieces: [{ comment: 'still here' }, () => afterMs(10)], endless: true })
    const startedMs = performance.now()
    expect((await failureOf(asking.ask({}, { firstByteMs: 1_000 }))).message).toContain('start')
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_998)
  })

  test('has more time for a long prompt', async () => {
    upstream.script({ pieces: [afterMs(250), 'Read it all.'] })
    const content = 'word '.repeat(20_000)
    const answer = await asking.ask({ messages: [{ role: 'user', content }] }, { firstByteMs: 100 })
    expect(answer.text).toBe('Read it all.')
  })

  const ENDLESS: [string, StreamPiece[], object][] = [
    ['in large chunks', ['endless '.repeat(8_000)], {}],
    // The first chunk must arrive in time on a busy machine.
    ['in small chunks', ['drop ', () => afterMs(10)], { totalMs: 2_000 }],
  ]

  test.for(isSoak ? ENDLESS : ENDLESS.slice(0, 1))(
    'that never ends its answer (%s) is stopped, and the text is returned as truncated',
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

describe('an overloaded upstream', () => {
  test.for(isSoak ? [408, 429, 503] : [503])('(%i) is retried', async (status) => {
    upstream.script({ status, body: 'busy' })
    expect((await asking.ask()).text).toBe('Hello from the fake model.')
    expect(upstream.requests).toHaveLength(2)
  })

  test('that stays overloaded is called three times in total', async () => {
    upstream.fallback(() => ({ status: 500, body: 'oops' }))
    expect(await failureOf(asking.ask())).toMatchObject({ kind: 'unavailable', retryAfter: undefined })
    expect(upstream.requests).toHaveLength(3)
  })

  test('is retried after the delay that it requests', async () => {
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
    'that requests a long delay (%s) is not retried, and the customer receives the delay',
    async ([header, seconds]) => {
      asking.server.clock.advance({
        ms: Date.parse('2026-11-15T09:00:00Z') - asking.server.clock.now().getTime(),
      })
      upstream.script({ status: 429, headers: { 'retry-after': header } })
      expect(await failureOf(asking.ask())).toMatchObject({ kind: 'unavailable', retryAfter: seconds })
      expect(upstream.requests).toHaveLength(1)
    },
  )

  test('that disconnects before its first text is retried', async () => {
    upstream.script({ pieces: [{ comment: 'hello' }], cutAfter: 1 })
    expect((await asking.ask()).text).toBe('Hello from the fake model.')
    expect(upstream.requests).toHaveLength(2)
  })
})

describe('an upstream that rejects our account', () => {
  test.for([401, 402, 403, 302])('(%i) is unavailable, and the error is logged', async (status) => {
    upstream.fallback(({ headers }) => ({
      status,
      body: { error: { message: `bad ${headers.authorization}` } },
    }))
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
    expect(upstream.requests).toHaveLength(1)
    const errors = asking.server.logged.filter((line) => line.includes('"level":"error"'))
    expect(errors.length).toBeGreaterThan(0)
  })

  test.for([404, 405])('(%i), because the model does not exist, is unavailable', async (status) => {
    upstream.fallback(() => ({ status, body: { error: { message: 'no such model' } } }))
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
    expect(asking.server.logged.join('')).toContain('"level":"error"')
  })

  test('and quotes our key fails without leaking it', async () => {
    upstream.fallback(({ headers }) => ({ status: 400, body: `You sent ${headers.authorization}` }))
    expect((await failureOf(asking.ask())).kind).toBe('failed')
  })

  test.for([400, 413, 422, 501])('(%i) because of the request fails', async (status) => {
    upstream.fallback(() => ({ status, body: { error: { message: 'context too long' } } }))
    expect((await failureOf(asking.ask())).kind).toBe('failed')
    expect(upstream.requests).toHaveLength(1)
  })
})

const event = (data: unknown): StreamPiece => ({ data })
const raw = (text: string | Buffer): StreamPiece => ({ raw: text })
const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}`

describe('an unusual stream is accepted', () => {
  test.for<[string, FakeAnswer]>([
    ['with carriage returns as line ends', { text: 'Hello, wörld 👋', lineEnd: '\r' }],
    ['with CRLF line ends', { text: 'Hello, wörld 👋', lineEnd: '\r\n' }],
    ['after a byte order mark', { text: 'Hello, wörld 👋', byteOrderMark: true }],
    ['without spaces after colons', { text: 'Hello, wörld 👋', tight: true }],
    ['in packets of one byte', { text: 'Hello, wörld 👋', packetBytes: 1 }],
    [
      'in packets of seven bytes with CRLF line ends',
      { text: 'Hello, wörld 👋', packetBytes: 7, lineEnd: '\r\n' },
    ],
    ['with two end markers', { text: 'Hello, wörld 👋', done: 2 }],
    ['without an end marker', { text: 'Hello, wörld 👋', done: 0 }],
    ['without a finish reason', { text: 'Hello, wörld 👋', finish: null }],
    ['with comments', { pieces: [{ comment: 'x' }, 'Hello, ', { comment: 'y' }, 'wörld 👋'] }],
    [
      'with keep-alive events',
      { pieces: ['Hello, ', event({ type: 'ping' }), raw('data:\n\n'), 'wörld 👋'] },
    ],
    [
      'with an unfinished last event',
      { pieces: [raw(`${chunk('Hello, wörld 👋')}\n\ndata: [DONE]`)], finish: null, usage: 'none', done: 0 },
    ],
    [
      'with text parts',
      { pieces: [event({ choices: [{ delta: { content: [{ type: 'text', text: 'Hello, wörld 👋' }] } }] })] },
    ],
  ])('%s', async ([, reply]) => {
    upstream.script(reply)
    expect(await asking.ask()).toMatchObject({ text: 'Hello, wörld 👋', finish: 'stop' })
    expect(upstream.requests).toHaveLength(1)
  })
})

describe('an unusable stream fails and is not retried', () => {
  test.for<[string, FakeAnswer]>([
    ['nothing', { text: '' }],
    ['only spaces', { pieces: ['  \n'] }],
    ['no bytes', { body: '' }],
    ['an HTML page', { body: '<html>Welcome to our proxy</html>' }],
    ['a truncated JSON object', { body: '{"choices":[{"message":{"content":"Hel' }],
    ['an unknown object', { body: { hello: 'world' } }],
    ['a tool that was not offered', { toolCalls: [{ name: 'rm', arguments: '{}' }] }],
    ['a filtered answer', { text: '', finish: 'content_filter' }],
    ['an answer that ended with an error', { text: 'Well, ', finish: 'error' }],
    ['a line of 50 MB', { pieces: [raw('data: '), raw(Buffer.alloc(50 * 1024 * 1024, 120))] }],
    ['a truncated event', { pieces: ['Hello, ', raw('data: {"choi\n\n'), 'wörld 👋'] }],
    ['an event that is not an object', { pieces: ['Hello, ', event(42), 'wörld 👋'] }],
    [
      'bytes that are not UTF-8',
      { pieces: [raw(Buffer.from('data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n', 'latin1'))] },
    ],
    ['content that is a number', { pieces: ['Hello, ', event({ choices: [{ delta: { content: 7 } }] })] }],
    ['choices that are not a list', { pieces: ['Hello, ', event({ choices: 'none' })] }],
    ['a stream without an end', { pieces: ['Half an ', 'answer'], finish: null, done: 0, usage: 'none' }],
    ['a broken connection', { pieces: ['Half an ', 'answer', 'x'], cutAfter: 2 }],
    ['an error in the middle', { pieces: ['Half ', event({ error: { code: 500, message: 'boom' } })] }],
    ['our API key', { pieces: ['You sent me ', CANARY_KEY] }],
    ['our API key in small packets', { pieces: [`You sent me ${CANARY_KEY}`], packetBytes: 3 }],
  ])('%s', async ([, reply]) => {
    upstream.script(reply)
    const heard: string[] = []
    expect((await failureOf(asking.ask({ onText: (text) => void heard.push(text) }))).kind).toBe('failed')
    expect(upstream.requests).toHaveLength(1)
    expect(heard.join('')).not.toContain(CANARY_KEY)
  })

  test('but a temporary error at its beginning is unavailable', async () => {
    upstream.script({
      pieces: [event({ error: { code: 429, message: `too much for ${CANARY_KEY.slice(0, 6)}` } })],
    })
    expect((await failureOf(asking.ask())).kind).toBe('unavailable')
  })
})

describe('usage', () => {
  test.for<[string, FakeAnswer]>([
    ['in the last chunk', { usageIn: 'last' }],
    ['in a separate chunk', { usageIn: 'own' }],
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
    ['is not a number', { prompt_tokens: 'many', completion_tokens: 'more' }],
    ['is zero for a text', { prompt_tokens: 17, completion_tokens: 0 }],
    ['is extremely high', { prompt_tokens: 17, completion_tokens: 1_000_000_000_000 }],
    ['is above the limit', { prompt_tokens: 17, completion_tokens: 1_001 }],
    ['exceeds the prompt', { prompt_tokens: 90_000, completion_tokens: 3 }],
    ['is null', null],
    ['is a list', []],
    ['is missing', 'none'],
  ])('that %s is not accepted', async ([, usage]) => {
    upstream.script({ text: 'Hello there.', usage })
    const { used } = await asking.ask()
    expect(used).toEqual({ promptTokens: 13, outputTokens: 3, countedBy: 'us' })
  })

  test('that is not plausible is logged', async () => {
    upstream.script({ text: 'Hello there.', usage: { prompt_tokens: 17, completion_tokens: -5 } })
    await asking.ask()
    expect(asking.server.logged.join('')).toContain('inference.usage.implausible')
  })

  test('is the last plausible report', async () => {
    const usageEvent = (completion: number) =>
      event({ choices: [], usage: { prompt_tokens: 20, completion_tokens: completion } })
    upstream.script({
      pieces: ['Hello ', usageEvent(1), 'there.', usageEvent(4)],
      usage: { prompt_tokens: -1 },
    })
    expect((await asking.ask()).used).toMatchObject({ outputTokens: 4, countedBy: 'upstream' })
  })

  test('that we count never exceeds the limit', async () => {
    upstream.script({ pieces: ['one two three four five six seven eight'], usage: 'none' })
    expect((await asking.ask({ maxOutputTokens: 3 })).used.outputTokens).toBe(3)
  })
})
