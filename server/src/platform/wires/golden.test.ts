import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Block,
  type Conversation,
  type Reply,
  type StreamEvent,
  type TokenUsage,
  WIRES,
  type WireName,
} from './conversation.ts'
import { familyOf, readProof } from './signatures.ts'
import { parseArguments } from './values.ts'
import { createStreamTranslator, ProviderStreamError, translateReply, wireOf } from './wires.ts'

type Line = {
  readonly name: string
  readonly body?: unknown
  readonly events?: readonly unknown[]
  readonly reply?: Reply
  readonly error?: { readonly code: string; readonly message: string }
}

const linesOf = (wire: WireName): readonly Line[] =>
  readFileSync(new URL(`../../../../testkit/gateway/golden/${wire}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

const META = { model: 'm', createdAt: 1_800_000_000, id: 'resp_ours', wantsUsage: true }
const COST = { costMinor: 1n, balanceMinor: 2n }
const NONE: TokenUsage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}
const asked = (wire: WireName): Conversation => ({
  wire,
  model: 'm',
  system: [],
  messages: [],
  tools: [],
  toolChoice: null,
  options: { count: 2 },
  isStream: true,
  ignored: [],
})

const dataOf = (event: unknown): string => (typeof event === 'string' ? event : JSON.stringify(event))
const eventsIn = (stream: string): string[] =>
  stream.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))

function readStream(wire: WireName, data: readonly string[]): Reply {
  const reader = wireOf(wire).createReader()
  const events = data.flatMap((each) => reader.read(each))
  return replyIn([...events, ...reader.end()])
}

/** The answer that a stream delivers. */
function replyIn(events: readonly StreamEvent[]): Reply {
  let head = { id: '', model: '' }
  let usage: TokenUsage | null = null
  const choices: { blocks: Record<string, unknown>[]; finish: string }[] = []
  for (const event of events) {
    if (event.kind === 'start') head = { id: event.id, model: event.model }
    else if (event.kind === 'usage') usage = event.usage
    else {
      choices[event.choice] ??= { blocks: [], finish: '' }
      const choice = choices[event.choice]
      const block = choice?.blocks.at(-1)
      if (event.kind === 'finish') Object.assign(choice ?? {}, endOf(event))
      if (event.kind === 'block_start') {
        expect(event.index, 'blocks are numbered in sequence').toBe(choice?.blocks.length)
        choice?.blocks.push({ ...event.block, [textField(event.block.kind)]: '' })
      }
      if (event.kind === 'signature' && block) block.signature = event.signature
      if (event.kind === 'delta' && block) {
        const field = textField(String(block.kind))
        block[field] = `${block[field]}${event.text}`
        if (event.logprobs) block.logprobs = event.logprobs
      }
    }
  }
  return { ...head, choices: choices as unknown as Reply['choices'], usage }
}

const textField = (kind: string): string => (kind === 'tool_call' ? 'arguments' : 'text')
const endOf = ({ finish, stopSequence }: StreamEvent & { kind: 'finish' }): object => ({
  finish,
  ...(stopSequence !== undefined && { stopSequence }),
})

/** Providers send empty arguments in several ways. */
const withArguments = (reply: Reply): Reply => ({
  ...reply,
  choices: reply.choices.map((choice) => ({
    ...choice,
    blocks: choice.blocks.map((block) =>
      block.kind === 'tool_call' ? { ...block, arguments: block.arguments || '{}' } : block,
    ),
  })),
})

/** The parts of an answer that the other format can express, in one form. */
function comparable(reply: Reply, wire: WireName, other: WireName, client: WireName): unknown {
  const hasChoices = other === 'openai-chat' || other === 'gemini'
  const { usage } = reply
  return {
    choices: reply.choices.slice(0, hasChoices ? undefined : 1).map(({ blocks, finish }) => ({
      thoughts: textOf(blocks, ['thinking']),
      text: textOf(blocks, ['text', 'refusal']),
      calls: blocks.flatMap((block) =>
        block.kind === 'tool_call' ? [[block.id, block.name, parseArguments(block.arguments)]] : [],
      ),
      proofs: blocks.flatMap((block) => proofsOf(block, wire, client)),
      logprobs: blocks.flatMap((block) =>
        block.kind === 'text' && other !== 'anthropic' ? tokensOf(block) : [],
      ),
      finish,
    })),
    usage: usage && {
      input: usage.inputTokens,
      cached: usage.cachedInputTokens,
      written: other === 'gemini' ? 0 : usage.cacheWriteTokens,
      output: usage.outputTokens,
      reasoning: other === 'anthropic' ? 0 : usage.reasoningTokens,
    },
  }
}

const textOf = (blocks: readonly Block[], kinds: readonly string[]): string =>
  blocks.map((block) => ('text' in block && kinds.includes(block.kind) ? block.text : '')).join('')
const tokensOf = ({ logprobs = [] }: Block & { kind: 'text' }): unknown[] =>
  logprobs.map(({ token, logprob, top }) => [token, logprob, top.length])

/** Signatures and encrypted reasoning as the provider sent them. */
function proofsOf(block: Block, provider: WireName, client: WireName): string[] {
  const sent = block.kind === 'thinking' ? (block.redacted ?? block.signature) : undefined
  if (!sent) return []
  const { wire, text } = readProof(sent, client)
  if (provider !== 'openai-responses') expect(wire).toBe(familyOf(provider))
  return text === '' ? [] : [text]
}

const PROVIDERS = { 'openai-chat': 'openai', anthropic: 'anthropic', gemini: 'gemini' } as const

describe.each(WIRES.map((wire) => [wire, linesOf(wire)] as const))('answers of %s', (wire, lines) => {
  const answers = new Map(lines.filter(({ body }) => body).map((line) => [line.name, line]))

  test('are 100 whole answers and the same 100 as streams', () => {
    expect(lines.filter(({ body }) => body)).toHaveLength(100)
    expect(lines.filter(({ events }) => events)).toHaveLength(100)
  })

  test('are read without loss', () => {
    for (const { name, body, events } of lines) {
      const { reply, error } = answers.get(name) ?? {}
      const read = () => (events ? readStream(wire, events.map(dataOf)) : wireOf(wire).readReply(body))
      if (!error) expect(withIds(withArguments(read())), name).toEqual(reply)
      else expect(read, name).toThrow(new ProviderStreamError(error.code, error.message))
    }
  })

  test.each(WIRES)('are the same for a client of %s', (client) => {
    for (const { name, body, events } of lines) {
      const { reply, error } = answers.get(name) ?? {}
      if (error || !reply) continue
      const written = events
        ? streamFor(wire, client, events.map(dataOf))
        : wholeFor(wire, client, body, reply.usage)
      const read = events ? readStream(client, eventsIn(String(written))) : wireOf(client).readReply(written)
      const expected = { ...reply, usage: reply.usage ?? NONE }
      expect(comparable(withArguments(read), wire, client, client), `${name} ${client}`).toEqual(
        comparable(expected, wire, client, wire),
      )
    }
  })
})

/** Whole Responses replies name the items of reasoning, which streams do not. */
const withIds = (reply: Reply): Reply => ({
  ...reply,
  choices: reply.choices.map((choice) => ({
    ...choice,
    blocks: choice.blocks.map((block) => {
      if (block.kind !== 'thinking') return block
      const { id: _, ...rest } = block
      return rest
    }),
  })),
})

/** OpenAI's Responses API is no provider format, so its answers are written as they were read. */
function wholeFor(wire: WireName, client: WireName, body: unknown, usage: TokenUsage | null): unknown {
  if (wire === 'openai-responses') {
    const read = wireOf(wire).readReply(body)
    return plain(wireOf(client).writeReply({ ...read, usage: usage ?? NONE }, META))
  }
  const translation = { from: PROVIDERS[wire], to: client, conversation: asked(client), meta: META }
  return plain(translateReply(translation, body).write(usage ?? NONE, COST))
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function streamFor(wire: WireName, client: WireName, data: readonly string[]): string {
  if (wire === 'openai-responses') {
    const reader = wireOf(wire).createReader()
    const writer = wireOf(client).createWriter(META)
    const events = [...data.flatMap((each) => reader.read(each)), ...reader.end()]
    const usage = events.findLast((event) => event.kind === 'usage')?.usage ?? NONE
    return events.map((event) => writer.write(event)).join('') + writer.end(usage, COST)
  }
  const translation = { from: PROVIDERS[wire], to: client, conversation: asked(client), meta: META }
  const translator = createStreamTranslator(translation)
  const bytes = data.map((each) => translator.push(each).bytes).join('')
  return bytes + translator.end().bytes + translator.close(translator.usage() ?? NONE, COST)
}
