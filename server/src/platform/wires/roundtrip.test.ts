import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropic } from './anthropic/anthropic.ts'
import type { Block, Conversation, Message, Reply, StreamEvent, TokenUsage, Tool } from './conversation.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat, openaiResponses } from './openai/openai.ts'
import type { Wire } from './wire.ts'

const WIRES: readonly Wire[] = [openaiChat, openaiResponses, anthropic, gemini]
const PAIRS = WIRES.flatMap((from) => WIRES.map((to) => [from.name, to.name, from, to] as const))

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((each) => each.trim() !== '')
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/)
const data = fc.base64String({ minLength: 4, maxLength: 40 })
const json = fc
  .dictionary(
    name,
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer())),
  )
  .map((value) => JSON.stringify(value))
const image = data.map((each) => ({
  kind: 'image' as const,
  source: { kind: 'data' as const, mediaType: 'image/png', data: each },
}))
const textBlock = text.map((each) => ({ kind: 'text' as const, text: each }))

type Step = { asks: Block[]; says: string; calls: { name: string; arguments: string; result: string }[] }
const step: fc.Arbitrary<Step> = fc.record({
  asks: fc.array(fc.oneof(textBlock, image), { minLength: 1, maxLength: 3 }),
  says: text,
  calls: fc.array(fc.record({ name, arguments: json, result: text }), { maxLength: 3 }),
})

/** Messages of a user, a model and its tools. Neighbours have different roles, as every format allows. */
function messagesOf(steps: readonly Step[]): Message[] {
  let count = 0
  return steps.flatMap(({ asks, says, calls }): Message[] => {
    const named = calls.map((call) => ({ ...call, id: `call_${count++}` }))
    const answer: Block[] = [{ kind: 'text', text: says }]
    answer.push(
      ...named.map(({ id, name, arguments: args }) => ({
        kind: 'tool_call' as const,
        id,
        name,
        arguments: args,
      })),
    )
    const results = named.map(
      ({ id, name, result }): Block => ({
        kind: 'tool_result',
        callId: id,
        name,
        content: [{ kind: 'text', text: result }],
      }),
    )
    return [
      { role: 'user', blocks: asks },
      { role: 'assistant', blocks: answer },
      ...(results.length > 0
        ? [
            { role: 'user' as const, blocks: results },
            { role: 'assistant' as const, blocks: [{ kind: 'text' as const, text: says }] },
          ]
        : []),
    ]
  })
}

const tool: fc.Arbitrary<Tool> = fc.record({
  name,
  description: text,
  schema: fc.constant({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
})

const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    system: fc.array(textBlock, { maxLength: 1 }),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    last: textBlock,
    tools: fc.uniqueArray(tool, { maxLength: 3, selector: (each) => each.name }),
    isStream: fc.boolean(),
    temperature: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
    topP: fc.option(fc.constantFrom(0.1, 0.9), { nil: undefined }),
    choice: fc.constantFrom('auto', 'none', 'required', null),
  })
  .map(({ system, steps, last, tools, isStream, temperature, topP, choice }) => ({
    wire: 'openai-chat' as const,
    ignored: [],
    model: 'm',
    system,
    messages: [...messagesOf(steps), { role: 'user' as const, blocks: [last] }],
    tools,
    toolChoice: tools.length > 0 && choice ? { kind: choice } : null,
    options: {
      maxTokens: 1000,
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
    },
    isStream,
  }))

/** Formats differ in what they leave to the reader: the tool's name in a result and defaults. */
const comparable = ({ wire: _, messages, ...rest }: Conversation): unknown => ({
  ...rest,
  tools: rest.tools.map(({ isStrict, ...each }) => (isStrict ? { ...each, isStrict } : each)),
  messages: messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks.map((block) => {
      if (block.kind === 'image') return { kind: block.kind, source: block.source }
      if (block.kind === 'tool_result') return { ...block, name: undefined }
      if (block.kind === 'tool_call') return { ...block, arguments: JSON.parse(block.arguments) as unknown }
      return block
    }),
  })),
})

describe.each(PAIRS)('a conversation in %s for %s', (_, __, from, to) => {
  test('is the same after both formats', () => {
    fc.assert(
      fc.property(conversation, (asked) => {
        const target = { model: asked.model, maxTokens: 1000 }
        const context = { model: asked.model, isStream: asked.isStream }
        const written = from.writeRequest(asked, target)
        const read = from.readRequest(JSON.parse(JSON.stringify(written.body)), context)
        const again = to.writeRequest(read, target)
        const last = to.readRequest(JSON.parse(JSON.stringify(again.body)), context)
        expect(comparable(last)).toEqual(comparable(asked))
        expect([...written.adapted, ...again.adapted]).toEqual([])
      }),
      { numRuns: rounds(15, 60) },
    )
  })
})

const count = fc.nat({ max: 100_000 })
const usage: fc.Arbitrary<TokenUsage> = fc
  .record({ fresh: count, cached: count, output: count, reasoning: count })
  .map(({ fresh, cached, output, reasoning }) => ({
    inputTokens: fresh + cached,
    cachedInputTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: output + reasoning,
    reasoningTokens: reasoning,
  }))

type Answer = {
  thoughts: string | null
  says: string
  calls: { name: string; arguments: string }[]
  usage: TokenUsage
}
const answer: fc.Arbitrary<Answer> = fc.record({
  thoughts: fc.option(text),
  says: text,
  calls: fc.array(fc.record({ name, arguments: json }), { maxLength: 3 }),
  usage,
})

function replyOf({ thoughts, says, calls, usage: used }: Answer): Reply {
  const blocks: Block[] = thoughts === null ? [] : [{ kind: 'thinking', text: thoughts }]
  blocks.push({ kind: 'text', text: says })
  blocks.push(...calls.map((call, i) => ({ kind: 'tool_call' as const, id: `call_${i}`, ...call })))
  return {
    id: 'resp_1',
    model: 'm',
    choices: [{ blocks, finish: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: used,
  }
}

const META = { model: 'm', createdAt: 1_800_000_000, id: 'resp_2', wantsUsage: true }

/** Anthropic does not report reasoning apart, and unsigned reasoning gets an empty signature. */
const comparableReply = ({ choices, usage: used }: Reply): unknown => ({
  usage: used && { ...used, reasoningTokens: 0 },
  choices: choices.map((choice) => ({
    ...choice,
    blocks: choice.blocks.map((block) => {
      if (block.kind === 'tool_call')
        return { ...block, arguments: JSON.parse(block.arguments || '{}') as unknown }
      if (block.kind === 'thinking') return { kind: block.kind, text: block.text }
      return block
    }),
  })),
})

describe.each(PAIRS)('an answer in %s for %s', (_, __, from, to) => {
  test('is the same whole', () => {
    fc.assert(
      fc.property(answer, (given) => {
        const reply = replyOf(given)
        const read = from.readReply(JSON.parse(JSON.stringify(from.writeReply(reply, META))))
        const last = to.readReply(JSON.parse(JSON.stringify(to.writeReply(read, META))))
        expect(comparableReply(last)).toEqual(comparableReply(reply))
      }),
      { numRuns: rounds(15, 60) },
    )
  })

  test('is the same as a stream', () => {
    fc.assert(
      fc.property(answer, fc.nat({ max: 8 }), (given, size) => {
        const reply = replyOf(given)
        const events = readStream(from, writeStream(from, streamOf(reply, size + 1), reply.usage))
        const last = replyIn(readStream(to, writeStream(to, events, usageIn(events))))
        expect(comparableReply(last)).toEqual(comparableReply(reply))
      }),
      { numRuns: rounds(15, 60) },
    )
  })
})

const NONE: TokenUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}
const usageIn = (events: readonly StreamEvent[]): TokenUsage | null =>
  events.findLast((event) => event.kind === 'usage')?.usage ?? null

function streamOf({ id, model, choices }: Reply, size: number): StreamEvent[] {
  const events: StreamEvent[] = [{ kind: 'start', id, model }]
  for (const [choice, { blocks, finish }] of choices.entries()) {
    for (const [index, block] of blocks.entries()) {
      if (block.kind !== 'text' && block.kind !== 'thinking' && block.kind !== 'tool_call') continue
      const start =
        block.kind === 'tool_call'
          ? ({ kind: block.kind, id: block.id, name: block.name } as const)
          : { kind: block.kind }
      const whole = block.kind === 'tool_call' ? block.arguments : block.text
      events.push({
        kind: 'block_start',
        choice,
        index,
        block: start as Extract<StreamEvent, { kind: 'block_start' }>['block'],
      })
      for (let at = 0; at < whole.length; at += size)
        events.push({ kind: 'delta', choice, index, text: whole.slice(at, at + size) })
      events.push({ kind: 'block_end', choice, index })
    }
    events.push({ kind: 'finish', choice, finish })
  }
  return events
}

function writeStream(wire: Wire, events: readonly StreamEvent[], used: TokenUsage | null): string {
  const writer = wire.createWriter(META)
  const cost = { costMinor: 1n, balanceMinor: 2n }
  return events.map((event) => writer.write(event)).join('') + writer.end(used ?? NONE, cost)
}

function readStream(wire: Wire, stream: string): StreamEvent[] {
  const reader = wire.createReader()
  const events = stream
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .flatMap((line) => reader.read(line.slice(6)))
  return [...events, ...reader.end()]
}

function replyIn(events: readonly StreamEvent[]): Reply {
  const blocks = new Map<number, { start: { kind: string }; text: string }>()
  let finish: Reply['choices'][number]['finish'] = 'stop'
  for (const event of events) {
    if (event.kind === 'block_start') blocks.set(event.index, { start: event.block, text: '' })
    if (event.kind === 'delta') {
      const block = blocks.get(event.index)
      if (block) block.text += event.text
    }
    if (event.kind === 'finish') finish = event.finish
  }
  const built = [...blocks.values()].map(({ start, text: whole }) =>
    start.kind === 'tool_call' ? { ...start, arguments: whole } : { ...start, text: whole },
  )
  return {
    id: '',
    model: 'm',
    choices: [{ blocks: built as unknown as Block[], finish }],
    usage: usageIn(events),
  }
}
