// A model that edits a file with the tools of a coding client: it reads the file, replaces a word and shows the result.
import type { MakeReply } from '../fakes/models/fake-provider.ts'
import type { FakeAnswer, FakeRequest } from '../fakes/models/fake-reply.ts'
import type { CodingClient, ModelStep } from './clients.ts'

/** The task that the model understands. */
export const taskFor = (file: string): string => `Replace world with Lagos in the file ${file}`
const TASK = /Replace (\w+) with (\w+) in the file ([^\s"'\\<]+)/

export type ProviderWire = 'openai' | 'anthropic' | 'gemini'

/** Tokens per class. `input` excludes the other two classes of the prompt. */
export type Tokens = {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

export type EditSession = {
  readonly reply: MakeReply
  /** The usage of each reply, oldest first. */
  readonly usage: readonly Tokens[]
  /** The results of the tools, as the model received them. */
  readonly results: readonly string[]
}

/** The replies of the model for one run of the client. */
export function editSession(client: CodingClient, wire: ProviderWire): EditSession {
  const usage: Tokens[] = []
  let results: readonly string[] = []

  const reply: MakeReply = (request) => {
    const talk = TALK[wire](request.body)
    const [, from = '', to = '', file = ''] = TASK.exec(JSON.stringify(request.body)) ?? []
    const steps = client.steps(file, from, to)
    const isMain = steps.some((step) => 'text' in step || talk.tools.includes(step.tool))
    // Clients also request titles and summaries, which offer no tools.
    if (!isMain) return answer('A greeting for a city')
    const isText = steps.some((step) => 'text' in step)
    results = isText ? talk.laterTurns : talk.results
    const done = results.length
    const step = steps[done]
    return step ? answer('', step, done) : answer('Done: the file has the new word.')
  }

  function answer(text: string, step?: ModelStep, count = 0): FakeAnswer {
    const tokens = tokensOf(wire, usage.length)
    usage.push(tokens)
    return {
      text: step && 'text' in step ? step.text : text,
      ...(step && 'tool' in step && { toolCalls: [callOf(step, count)] }),
      // Gemini and Anthropic require the signature of this thinking in the next request.
      ...(step && wire !== 'openai' && { thinking: 'One step at a time.' }),
      usage: USAGE[wire](tokens),
    }
  }

  return {
    reply,
    usage,
    get results() {
      return results
    },
  }
}

const callOf = (step: { tool: string; input: object }, count: number) => ({
  id: `call_${count}_${step.tool}`,
  name: step.tool,
  arguments: JSON.stringify(step.input),
})

/** Different counts for each reply and class, so that a mistake in one changes the sum. */
const tokensOf = (wire: ProviderWire, count: number): Tokens => ({
  input: 101 + 7 * count,
  cached: 40 * count,
  written: wire === 'anthropic' ? 13 + count : 0,
  output: 17 + 3 * count,
})

const USAGE: Readonly<Record<ProviderWire, (tokens: Tokens) => object>> = {
  openai: ({ input, cached, output }) => ({
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
  }),
  anthropic: ({ input, cached, written, output }) => ({
    input_tokens: input,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
  }),
  gemini: ({ input, cached, output }) => ({
    promptTokenCount: input + cached,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - 5,
    thoughtsTokenCount: 5,
    totalTokenCount: input + cached + output,
  }),
}

type Talk = {
  readonly tools: readonly string[]
  readonly results: readonly string[]
  readonly laterTurns: readonly string[]
}
type Body = FakeRequest['body']
type Fields = Record<string, unknown>

const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const textIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The turns of the user after the first answer: the results of clients that read calls from the text. */
const laterTurnsOf = (messages: readonly Fields[]): string[] =>
  messages
    .filter(
      ({ role }, at) =>
        role === 'user' &&
        messages.slice(0, at).some((other) => other.role !== 'user' && other.role !== 'system'),
    )
    .map(({ content, parts }) => textIn(content ?? parts))

const TALK: Readonly<Record<ProviderWire, (body: Body) => Talk>> = {
  openai: ({ tools, messages }) => ({
    tools: listIn(tools).map((tool) => String((tool.function as Fields | undefined)?.name)),
    results: listIn(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textIn(content)),
    laterTurns: laterTurnsOf(listIn(messages)),
  }),
  anthropic: ({ tools, messages }) => ({
    tools: listIn(tools).map(({ name }) => String(name)),
    results: listIn(messages)
      .flatMap(({ content }) => listIn(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textIn(content)),
    laterTurns: laterTurnsOf(listIn(messages)),
  }),
  gemini: ({ tools, contents }) => ({
    tools: listIn(tools)
      .flatMap(({ functionDeclarations }) => listIn(functionDeclarations))
      .map(({ name }) => String(name)),
    results: listIn(contents)
      .flatMap(({ parts }) => listIn(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => textIn(functionResponse)),
    laterTurns: laterTurnsOf(listIn(contents)),
  }),
}
