// Calls to a fake upstream on loopback: the request, the answer and the end of a call.

import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { CANARY_KEY, startUpstreamTest, type UpstreamTest } from '@cowrie/testkit/platform/upstream.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let asking: UpstreamTest
let upstream: UpstreamTest['upstream']
beforeAll(async () => {
  asking = await startUpstreamTest()
  upstream = asking.upstream
})
afterAll(() => asking.close())
beforeEach(() => {
  upstream.reset()
  asking.server.logged.length = 0
})

describe('a model', () => {
  test('receives a request for a stream, for usage and for the output limit', async () => {
    const answer = await asking.ask({ maxOutputTokens: 321 })
    expect(answer).toMatchObject({ text: 'Hello from the fake model.', finish: 'stop', model: 'small-1' })
    expect(answer.used.countedBy).toBe('upstream')
    const [request] = upstream.requests
    expect(request?.body).toEqual({
      model: 'small-1',
      messages: [{ role: 'user', content: 'Say hello, please.' }],
      max_tokens: 321,
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(request?.headers.authorization).toBe(`Bearer ${CANARY_KEY}`)
  })

  test('is streamed to the caller as it writes', async () => {
    const pause = gate()
    const heard: string[] = []
    upstream.script({ pieces: ['one ', pause.opened, 'two'] })
    const answer = asking.ask({ onText: (text) => void heard.push(text) })
    await expect.poll(() => heard).toEqual(['one '])
    pause.open()
    expect((await answer).text).toBe('one two')
    expect(heard).toEqual(['one ', 'two'])
  })

  test('answer has no NUL and no unpaired surrogates, however its chunks are split', async () => {
    const heard: string[] = []
    upstream.script({ pieces: ['a\0b', '\0', ' \ud83d', '\ude00 \ud83d', '', 'c \ude00 d', '\ud83d'] })
    const answer = await asking.ask({ onText: (text) => void heard.push(text) })
    expect(answer.text).toBe('ab \u{1f600} \ufffdc \ufffd d')
    expect(heard.join('')).toBe(answer.text)
    expect(heard.every((text) => text !== '' && text.isWellFormed())).toBe(true)
  })

  test('answer of only NUL is empty', async () => {
    upstream.script({ pieces: ['\0', '\0\0'] })
    await expect(asking.ask()).rejects.toMatchObject({ name: 'UpstreamFailed', kind: 'failed' })
  })

  test('waits for a slow reader', async () => {
    const slow = gate()
    upstream.script({ pieces: ['one ', 'two ', 'three'] })
    let heard = 0
    const answer = asking.ask({ onText: () => (heard++ === 0 ? slow.opened : undefined) })
    await expect.poll(() => [heard, upstream.open]).toEqual([1, 0])
    slow.open()
    expect((await answer).text).toBe('one two three')
    expect(heard).toBe(3)
  })

  test('answer at the limit has the finish reason length', async () => {
    upstream.script('one two three four five six seven eight nine ten eleven twelve')
    const answer = await asking.ask({ maxOutputTokens: 4 })
    expect(answer.finish).toBe('length')
    expect(answer.used.outputTokens).toBeLessThanOrEqual(4)
  })

  test('may report another name', async () => {
    upstream.script({ text: 'Hello.', model: 'large-9-2026' })
    expect((await asking.ask()).model).toBe('large-9-2026')
  })

  test('may return one JSON object although a stream was requested', async () => {
    upstream.script({ text: 'Grüße, all at once.', whole: true, packetBytes: 5 })
    expect(await asking.ask()).toMatchObject({ text: 'Grüße, all at once.', used: { countedBy: 'upstream' } })
  })

  test('may reason before it answers: reasoning is counted and not shown', async () => {
    const thought = { choices: [{ index: 0, delta: { reasoning_content: 'Let me think about this.' } }] }
    upstream.script({ pieces: [{ data: thought }, 'Yes.'], usage: 'none' })
    const { text, used } = await asking.ask()
    expect(text).toBe('Yes.')
    expect(used).toMatchObject({ countedBy: 'us' })
    expect(used.outputTokens).toBe((used.reasoningTokens ?? 0) + 2)
    expect(used.reasoningTokens).toBeGreaterThan(3)
  })
})

describe('a dialect', () => {
  const refuse = (message: string) => ({ status: 400, body: { error: { message } } })

  test('with another name for the output limit is learned once and cached for a day', async () => {
    const refusal = refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    const strict = (body: object) => ('max_tokens' in body ? refusal : 'Fine.')
    upstream.fallback(({ body }) => strict(body))
    expect((await asking.ask({ model: 'thinker' })).text).toBe('Fine.')
    expect((await asking.ask({ model: 'thinker' })).text).toBe('Fine.')
    expect(upstream.requests.map(({ body }) => 'max_completion_tokens' in body)).toEqual([false, true, true])
    asking.server.clock.advance({ hours: 25 })
    expect((await asking.ask({ model: 'thinker' })).text).toBe('Fine.')
    expect(upstream.requests.map(({ body }) => 'max_completion_tokens' in body)).toHaveLength(5)
  })

  test('without stream options is learned as well', async () => {
    const refusal = refuse('Extra inputs are not permitted: stream_options')
    upstream.fallback(({ body }) => ('stream_options' in body ? refusal : { text: 'Fine.', usage: 'none' }))
    const answer = await asking.ask({ model: 'old' })
    expect(answer).toMatchObject({ text: 'Fine.', used: { countedBy: 'us' } })
    await asking.ask({ model: 'old' })
    expect(upstream.requests).toHaveLength(3)
  })

  test('is not learned from a rejection that persists', async () => {
    upstream.fallback(() => refuse('max_tokens is too large: 1000'))
    await expect(asking.ask({ model: 'small-2' })).rejects.toMatchObject({ kind: 'failed' })
    upstream.fallback(() => 'Fine.')
    await asking.ask({ model: 'small-2' })
    expect(upstream.requests.at(-1)?.body).toHaveProperty('max_tokens')
  })
})

describe('a caller that disconnects', () => {
  test('before the first text is charged for nothing, and the upstream connection is closed', async () => {
    const gone = new AbortController()
    upstream.script({ hang: true })
    const answer = asking.ask({ signal: gone.signal })
    await expect.poll(() => upstream.requests.length).toBe(1)
    gone.abort()
    expect(await answer).toMatchObject({ text: '', finish: 'stopped', used: { outputTokens: 0 } })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect(upstream.open).toBe(0)
  })

  test('in the middle keeps the text so far, counted by us', async () => {
    const gone = new AbortController()
    upstream.script({ pieces: ['Half an ', 'answer'], hangAfter: 2 })
    const answer = asking.ask({
      signal: gone.signal,
      onText: (text) => {
        if (text === 'answer') gone.abort()
      },
    })
    expect(await answer).toMatchObject({
      text: 'Half an answer',
      finish: 'stopped',
      used: { outputTokens: 3, countedBy: 'us' },
    })
    await expect.poll(() => upstream.aborted).toBe(1)
  })

  test('does not wait for a slow reader', async () => {
    const gone = new AbortController()
    upstream.script({ pieces: ['one ', 'two'] })
    const never = new Promise<void>(() => undefined)
    const answer = asking.ask({ signal: gone.signal, onText: () => never })
    await expect.poll(() => upstream.requests.length).toBe(1)
    gone.abort()
    expect((await answer).finish).toBe('stopped')
  })

  test('before the call makes no request', async () => {
    expect(await asking.ask({ signal: AbortSignal.abort() })).toMatchObject({ text: '', finish: 'stopped' })
    expect(upstream.requests).toHaveLength(0)
  })

  test('between two attempts ends the retries', async () => {
    const gone = new AbortController()
    upstream.fallback(() => ({ status: 503, headers: { 'retry-after': '4' } }))
    const answer = asking.ask({ signal: gone.signal })
    await expect
      .poll(() => asking.server.logged.some((line) => line.includes('inference.request.retried')))
      .toBe(true)
    gone.abort()
    expect((await answer).finish).toBe('stopped')
    expect(upstream.requests).toHaveLength(1)
  })
})

test('a connection is reused after a complete answer', async () => {
  const before = upstream.connections
  for (let call = 0; call < 5; call++) {
    await asking.ask()
    // The answer is complete with its last text. The connection is free slightly later, when its end was read.
    await expect.poll(() => upstream.open).toBe(0)
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  }
  expect(upstream.connections - before).toBeLessThanOrEqual(1)
})
