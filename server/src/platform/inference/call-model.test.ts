// Asking a real service on loopback: what it hears, what we hear, and how a call ends.

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
  test('is asked for a stream, for its usage and for no more than may be written', async () => {
    const answer = await asking.ask({ maxOutputTokens: 321 })
    expect(answer).toMatchObject({ text: 'Hello from the stand-in.', finish: 'stop', model: 'small-1' })
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

  test('is heard as it writes', async () => {
    const pause = gate()
    const heard: string[] = []
    upstream.script({ pieces: ['one ', pause.opened, 'two'] })
    const answer = asking.ask({ onText: (text) => void heard.push(text) })
    await expect.poll(() => heard).toEqual(['one '])
    pause.open()
    expect((await answer).text).toBe('one two')
    expect(heard).toEqual(['one ', 'two'])
  })

  test('is heard and answered for without NUL and halves of characters, however its pieces are cut', async () => {
    const heard: string[] = []
    upstream.script({ pieces: ['a\0b', '\0', ' \ud83d', '\ude00 \ud83d', '', 'c \ude00 d', '\ud83d'] })
    const answer = await asking.ask({ onText: (text) => void heard.push(text) })
    expect(answer.text).toBe('ab \u{1f600} \ufffdc \ufffd d')
    expect(heard.join('')).toBe(answer.text)
    expect(heard.every((text) => text !== '' && text.isWellFormed())).toBe(true)
  })

  test('that says nothing but NUL has said nothing', async () => {
    upstream.script({ pieces: ['\0', '\0\0'] })
    await expect(asking.ask()).rejects.toMatchObject({ name: 'UpstreamFailed', kind: 'failed' })
  })

  test('waits for a slow listener', async () => {
    const slow = gate()
    upstream.script({ pieces: ['one ', 'two ', 'three'] })
    let heard = 0
    const answer = asking.ask({ onText: () => (heard++ === 0 ? slow.opened : undefined) })
    await expect.poll(() => [heard, upstream.open]).toEqual([1, 0])
    slow.open()
    expect((await answer).text).toBe('one two three')
    expect(heard).toBe(3)
  })

  test('that reaches the ceiling says so', async () => {
    upstream.script('one two three four five six seven eight nine ten eleven twelve')
    const answer = await asking.ask({ maxOutputTokens: 4 })
    expect(answer.finish).toBe('length')
    expect(answer.used.outputTokens).toBeLessThanOrEqual(4)
  })

  test('that names itself otherwise is quoted', async () => {
    upstream.script({ text: 'Hello.', model: 'large-9-2026' })
    expect((await asking.ask()).model).toBe('large-9-2026')
  })

  test('may answer at once although it was asked to stream', async () => {
    upstream.script({ text: 'Grüße, all at once.', whole: true, packetBytes: 5 })
    expect(await asking.ask()).toMatchObject({ text: 'Grüße, all at once.', used: { countedBy: 'upstream' } })
  })

  test('may think before it speaks: its thoughts are counted and not shown', async () => {
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

  test('in which the ceiling has another name is learnt once, for a day', async () => {
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

  test('that knows no options of a stream is learnt as well', async () => {
    const refusal = refuse('Extra inputs are not permitted: stream_options')
    upstream.fallback(({ body }) => ('stream_options' in body ? refusal : { text: 'Fine.', usage: 'none' }))
    const answer = await asking.ask({ model: 'old' })
    expect(answer).toMatchObject({ text: 'Fine.', used: { countedBy: 'us' } })
    await asking.ask({ model: 'old' })
    expect(upstream.requests).toHaveLength(3)
  })

  test('is not learnt from a refusal that stays one', async () => {
    upstream.fallback(() => refuse('max_tokens is too large: 1000'))
    await expect(asking.ask({ model: 'small-2' })).rejects.toMatchObject({ kind: 'failed' })
    upstream.fallback(() => 'Fine.')
    await asking.ask({ model: 'small-2' })
    expect(upstream.requests.at(-1)?.body).toHaveProperty('max_tokens')
  })
})

describe('whoever asks and goes away', () => {
  test('before anything was said gets nothing, and the upstream is let go', async () => {
    const gone = new AbortController()
    upstream.script({ hang: true })
    const answer = asking.ask({ signal: gone.signal })
    await expect.poll(() => upstream.requests.length).toBe(1)
    gone.abort()
    expect(await answer).toMatchObject({ text: '', finish: 'stopped', used: { outputTokens: 0 } })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect(upstream.open).toBe(0)
  })

  test('in the middle keeps what was said, counted by us', async () => {
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

  test('while somebody is slow to hear need not wait for them', async () => {
    const gone = new AbortController()
    upstream.script({ pieces: ['one ', 'two'] })
    const never = new Promise<void>(() => undefined)
    const answer = asking.ask({ signal: gone.signal, onText: () => never })
    await expect.poll(() => upstream.requests.length).toBe(1)
    gone.abort()
    expect((await answer).finish).toBe('stopped')
  })

  test('before the call has begun makes none', async () => {
    expect(await asking.ask({ signal: AbortSignal.abort() })).toMatchObject({ text: '', finish: 'stopped' })
    expect(upstream.requests).toHaveLength(0)
  })

  test('between two tries ends the trying', async () => {
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

test('a connection is used again when its answer is complete', async () => {
  const before = upstream.connections
  for (let call = 0; call < 5; call++) {
    await asking.ask()
    // The answer is complete with its last word; the connection is free when its end has been read, a turn or two later.
    await expect.poll(() => upstream.open).toBe(0)
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  }
  expect(upstream.connections - before).toBeLessThanOrEqual(1)
})
