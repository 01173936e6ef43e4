// Answers of models, independent of any format. Each format writes them in the shapes that its provider documents.

export type Call = {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
export type Thought = { readonly text: string; readonly signature?: string; readonly redacted?: string }
export type Usage = {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly reasoning: number
}
export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'
export type Answer = {
  readonly thoughts: readonly Thought[]
  readonly text: string
  readonly refusal: string
  readonly calls: readonly Call[]
  readonly finish: Finish
  readonly stopSequence?: string
  readonly logprobs?: boolean
}
export type Case = {
  readonly name: string
  readonly number: number
  /** Several where the format has them. */
  readonly answers: readonly [Answer, ...Answer[]]
  readonly usage: Usage | null
  /** The length of a piece in a stream. */
  readonly piece: number
  /** The provider ends with an error. */
  readonly error?: { readonly code: string; readonly message: string }
  /** Details that a client does not need: citations, annotations, safety ratings. */
  readonly hasExtras: boolean
}

const TEXTS = [
  'Hello! How can I help you today?',
  'Done. I renamed `total` to `sum` in 3 files.',
  'E ku ọjọ́ o. Mo ti ṣe àtúnṣe náà.',
  'Sannu! An gyara kuskuren a `app.ts`.',
  'Habari, kosa limerekebishwa.',
  'مرحبا، تم إصلاح الخطأ في الملف.',
  '修正しました。テストは全部通ります。',
  'Emoji 👩🏽‍💻 family 👨‍👩‍👧‍👦 flag 🇳🇬 end.',
  'e\u0301 and \u00e9 differ; a\u200db joins; \u2028 separates.',
  'Quotes "double" and \'single\', backslash \\ and tab\tend.',
  '```ts\nconst a = { b: [1, 2], "c": `x` }\n```\n',
  '{"looks": "like JSON", "but": ["is", "text"]}',
  '<think>not a tag</think> & <b>html</b>',
  'data: [DONE]\n\nevent: ping\n',
  'Line one\r\nLine two\n\n\nLine five',
  'A long sentence that a stream delivers in several pieces, cut at many places.',
] as const
const ARGUMENTS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { path: 'src/app.ts' },
  { path: 'src/ọjà.ts', line: 12, all: false },
  { command: 'echo "a\\b" && exit 1', env: { A: '1', B: null } },
  {
    edits: [
      { from: 'a{b', to: 'a}b' },
      { from: '"', to: "'" },
    ],
    depth: { a: { b: { c: [1, [2, [3]]] } } },
  },
  { text: 'x'.repeat(60) },
  { number: -1.5e-7, big: 9007199254740991, empty: '', list: [] },
  { emoji: '👩🏽‍💻', control: 'a\u0001b\u2028c' },
]
const TOOLS = ['Read', 'edit_file', 'run-command', 'mcp__github__search'] as const
const THOUGHTS = [
  'The user wants a rename. I read the file first.',
  'Ẹ jẹ́ kí n wo fáìlì náà.',
  'Step 1: parse.\nStep 2: compare "a" with \\b.',
  '考える 🤔 then act.',
] as const
const ERRORS = [
  { code: 'overloaded_error', message: 'Overloaded' },
  { code: 'rate_limit_exceeded', message: 'Too many requests' },
  { code: 'server_error', message: 'The server had an error' },
] as const

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** Base64 like the proofs of providers. */
const proofOf = (number: number): string => Buffer.from(`proof ${number} ÿþ`.repeat(2)).toString('base64')

export function callOf(number: number, at: number): Call {
  return {
    id: `call_${number}_${at}`,
    name: pick(TOOLS, number + at),
    args: pick(ARGUMENTS, number * 3 + at),
  }
}

const usageOf = (number: number): Usage => {
  const written = number % 7 === 3 ? 256 : 0
  const cached = number % 3 === 1 ? 1_024 : 0
  const reasoning = number % 4 === 2 ? 96 : 0
  return {
    input: 40 + number + cached + written,
    cached,
    written,
    output: 12 + number + reasoning,
    reasoning,
  }
}

const EMPTY: Answer = { thoughts: [], text: '', refusal: '', calls: [], finish: 'stop' }

/** The parts of the answer of a case, by its number. */
function answerOf(number: number): { readonly topic: string; readonly answer: Answer } {
  const text = pick(TEXTS, number)
  const calls = (count: number) => Array.from({ length: count }, (_, at) => callOf(number, at))
  const thought: Thought = { text: pick(THOUGHTS, number), signature: proofOf(number) }
  if (number < 24) return { topic: 'text', answer: { ...EMPTY, text } }
  if (number < 36) return { topic: 'call', answer: { ...EMPTY, calls: calls(1), finish: 'tool_calls' } }
  if (number < 46)
    return { topic: 'text and call', answer: { ...EMPTY, text, calls: calls(1), finish: 'tool_calls' } }
  if (number < 58)
    return {
      topic: 'parallel calls',
      answer: { ...EMPTY, calls: calls(2 + (number % 3)), finish: 'tool_calls' },
    }
  if (number < 68) return { topic: 'reasoning', answer: { ...EMPTY, thoughts: [thought], text } }
  if (number < 76)
    return {
      topic: 'reasoning and calls',
      answer: { ...EMPTY, thoughts: [thought], text, calls: calls(1 + (number % 2)), finish: 'tool_calls' },
    }
  if (number < 80)
    return { topic: 'unsigned reasoning', answer: { ...EMPTY, thoughts: [{ text: thought.text }], text } }
  if (number < 83)
    return {
      topic: 'encrypted reasoning',
      answer: { ...EMPTY, thoughts: [{ text: '', redacted: proofOf(number) }], text },
    }
  if (number < 87) return { topic: 'limit', answer: { ...EMPTY, text, finish: 'length' } }
  if (number < 90) return { topic: 'filter', answer: { ...EMPTY, text, finish: 'content_filter' } }
  if (number < 92) return { topic: 'refusal', answer: { ...EMPTY, refusal: 'I cannot help with that.' } }
  if (number < 94) return { topic: 'stop sequence', answer: { ...EMPTY, text, stopSequence: '</done>' } }
  if (number < 96) return { topic: 'log probabilities', answer: { ...EMPTY, text: 'Hello!', logprobs: true } }
  return { topic: 'empty', answer: { ...EMPTY, text: number === 96 ? '' : text } }
}

export const CASES: readonly Case[] = Array.from({ length: 100 }, (_, number): Case => {
  const { topic, answer } = answerOf(number)
  const isSeveral = number === 97
  const error = number >= 98 ? pick(ERRORS, number) : number === 23 ? pick(ERRORS, 0) : undefined
  const other: Answer = { ...EMPTY, text: 'Another answer.' }
  const name = error ? 'error' : isSeveral ? 'several answers' : topic
  return {
    name: `${name} ${number}`,
    number,
    answers: isSeveral ? [answer, other] : [answer],
    usage: number % 25 === 24 ? null : usageOf(number),
    piece: pick([5, 9, 17, 40], number),
    ...(error && { error }),
    hasExtras: number % 10 === 5,
  }
})

/** The pieces of a text. They may cut a character of two code units. */
export function piecesOf(text: string, length: number): string[] {
  const size = Math.max(length, Math.ceil(text.length / 3))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

export const TOKENS = [
  { token: 'Hello', logprob: -0.25, top: [{ token: 'Hi', logprob: -1.5 }] },
  { token: '!', logprob: -0.125, top: [{ token: '.', logprob: -2.5 }] },
] as const
