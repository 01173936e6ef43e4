// The stand-in model keeps the manners of a real one: it streams, stops, is cut, and counts.

import { expect, test } from 'vitest'
import { workedMs } from '../../../../test/worked.ts'
import type { Message, Question } from '../question.ts'
import { countTokens, promptTokensOf } from '../tokens.ts'
import { applied, codingMessages, NONCE } from './coding/envelope.fixture.ts'
import { answerOfMock } from './mock.ts'
import { replyTo } from './reply.ts'

const MATH = 'export function add(a, b) {\n  return a + b;\n}\n'
const TASK = codingMessages('Add a slugify function to src/text.ts with a test', { 'src/math.ts': MATH })

const ask = (messages: readonly Message[], more: Partial<Question> = {}) =>
  answerOfMock({
    target: { kind: 'mock' },
    model: 'mock-1',
    messages,
    maxOutputTokens: 4_096,
    signal: new AbortController().signal,
    ...more,
  })

test('the same question gets the same bytes', async () => {
  expect(await ask(TASK)).toEqual(await ask(TASK))
})

test('it is heard in pieces of a few words, which together are the answer', async () => {
  const pieces: string[] = []
  const answer = await ask(TASK, { onText: (text) => void pieces.push(text) })
  expect(pieces.join('')).toBe(answer.text)
  expect(answer.finish).toBe('stop')
  expect(pieces.length).toBeGreaterThan(20)
  expect(Math.max(...pieces.map((piece) => piece.trim().split(/\s+/).length))).toBeLessThanOrEqual(4)
})

test('what it used is counted', async () => {
  const answer = await ask(TASK)
  expect(answer).toMatchObject({ model: 'mock-1' })
  expect(answer.used).toEqual({
    promptTokens: promptTokensOf(TASK),
    outputTokens: countTokens(answer.text),
    countedBy: 'us',
  })
})

test('whoever wants no more gets no more, and what had come by then', async () => {
  const stop = new AbortController()
  const pieces: string[] = []
  const answer = await ask(TASK, {
    signal: stop.signal,
    onText: (text) => {
      if (pieces.push(text) === 3) stop.abort()
    },
  })
  expect(answer).toMatchObject({ finish: 'stopped', text: pieces.join('') })
  expect(pieces).toHaveLength(3)
  expect(answer.used.outputTokens).toBe(countTokens(pieces.join('')))
})

test('whoever hangs up while it speaks is heard', async () => {
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  expect((await ask(TASK, { signal: stop.signal, onText: () => undefined })).finish).toBe('stopped')
})

test('whoever has gone before gets nothing', async () => {
  const answer = await ask(TASK, { signal: AbortSignal.abort() })
  expect(answer).toMatchObject({ finish: 'stopped', text: '', used: { outputTokens: 0 } })
})

test('a slow reader is waited for', async () => {
  let reading = 0
  let atOnce = 0
  await ask(TASK, {
    onText: async () => {
      reading += 1
      atOnce = Math.max(atOnce, reading)
      await Promise.resolve()
      reading -= 1
    },
  })
  expect(atOnce).toBe(1)
})

test.for([0, 1, 2, 7, 40])(
  'an answer is cut at %i tokens, and no character in two',
  async (maxOutputTokens) => {
    const messages: Message[] = [{ role: 'user', content: '₦₦₦₦₦₦₦₦ 🐚🐚🐚🐚🐚🐚🐚🐚' }]
    const whole = await ask(messages)
    const cut = await ask(messages, { maxOutputTokens })
    expect(cut.finish).toBe('length')
    expect(countTokens(cut.text)).toBeLessThanOrEqual(maxOutputTokens)
    expect(cut.used.outputTokens).toBe(countTokens(cut.text))
    expect(whole.text.startsWith(cut.text)).toBe(true)
    expect(cut.text).not.toContain('\ufffd')
  },
)

test('an envelope that is cut has no summary', async () => {
  const answer = await ask(TASK, { maxOutputTokens: 60 })
  expect(answer.finish).toBe('length')
  expect(() => applied(answer.text, {})).toThrow()
  expect(answer.text).toContain(`[[${NONCE} PLAN]]`)
})

test.for([
  ['a long file', (size: number) => MATH.repeat(size / MATH.length)],
  ['one long line', (size: number) => 'a b ( { " '.repeat(size / 10)],
  ['one letter', (size: number) => 'a'.repeat(size)],
  ['open brackets', (size: number) => '('.repeat(size)],
  ['blank lines', (size: number) => '\n'.repeat(size)],
  ['quotes', (size: number) => '`"\''.repeat(size / 3)],
] as const)('%s of 200 kB is answered quickly', ([, make]) => {
  const text = make(200_000)
  const questions: readonly (readonly Message[])[] = [
    codingMessages(
      'Rename add to plus and add a slugify function with tests. Fix the failing tests.',
      { 'src/a.ts': text, 'src/a.test.ts': text },
      text,
    ),
    codingMessages(text, { 'src/a.ts': MATH }),
    [{ role: 'user', content: text }],
    [
      { role: 'system', content: `Give a short title. Answer in JSON only. ${text}` },
      { role: 'user', content: text },
    ],
  ]
  for (const messages of questions) {
    // A few milliseconds; this is about what grows without bound.
    expect(workedMs(() => replyTo(messages))).toBeLessThan(1_000)
  }
})

test('asked for verdicts it gives one for each finding, and none that it cannot prove', () => {
  const messages: Message[] = [
    { role: 'system', content: 'Answer with one JSON object: {"verdicts": [{"id": "f1"}]}' },
    {
      role: 'user',
      content: '<<finding 0a1b id="f1">>\nx\n<<end 0a1b>>\n<<finding 0a1b id="f2">>\ny\n<<end 0a1b>>',
    },
  ]
  const { verdicts } = JSON.parse(replyTo(messages)) as { verdicts: { id: string; verdict: string }[] }
  expect(verdicts.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['f1', 'unproven'],
    ['f2', 'unproven'],
  ])
})
