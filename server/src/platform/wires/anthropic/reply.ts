// Whole replies of the Anthropic Messages API.
import {
  type Block,
  type Choice,
  type Finish,
  MalformedReplyError,
  type Reply,
  type TokenUsage,
} from '../conversation.ts'
import { argumentsOf, countIn, tableOf, textIn } from '../reply-values.ts'
import { isRecord, parseArguments } from '../values.ts'
import { type Cost, type Fields, ProviderStreamError, type ReplyMeta } from '../wire.ts'

const FINISHES = tableOf<Finish>({
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
})

export function readReply(body: unknown): Reply {
  if (isRecord(body) && body.type === 'error') throw errorOf(body.error)
  if (!isRecord(body) || body.type !== 'message' || !Array.isArray(body.content))
    throw new MalformedReplyError('the reply is no message')
  const choice: Choice = { blocks: body.content.map(readBlock), ...readFinish(body) }
  return {
    id: textIn(body.id),
    model: textIn(body.model),
    choices: [choice],
    usage: isRecord(body.usage) ? readUsage(body.usage) : null,
  }
}

/** The error that the provider reports in a reply or an event. */
export function errorOf(error: unknown): ProviderStreamError {
  const { type, message } = isRecord(error) ? error : {}
  return new ProviderStreamError(String(type ?? 'error'), textIn(message))
}

export function readFinish({ stop_reason, stop_sequence }: Fields): Pick<Choice, 'finish' | 'stopSequence'> {
  const finish = FINISHES.get(String(stop_reason))
  if (!finish) throw new MalformedReplyError(`the stop reason ${JSON.stringify(stop_reason)} is unknown`)
  return { finish, ...(typeof stop_sequence === 'string' && { stopSequence: stop_sequence }) }
}

function readBlock(block: unknown): Block {
  if (isRecord(block)) {
    const { type, text, thinking, signature, data, id, name, input } = block
    if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
    if (type === 'thinking' && typeof thinking === 'string') {
      const proof = textIn(signature)
      return { kind: 'thinking', text: thinking, ...(proof && { signature: proof }) }
    }
    if (type === 'redacted_thinking' && typeof data === 'string')
      return { kind: 'thinking', text: '', redacted: data }
    if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
      return { kind: 'tool_call', id, name, arguments: argumentsOf(input) }
  }
  throw new MalformedReplyError('a content block is malformed')
}

/** This format counts cached tokens apart from the other input. */
export function readUsage(usage: Fields): TokenUsage {
  const cachedInputTokens = countIn(usage.cache_read_input_tokens)
  const cacheWriteTokens = countIn(usage.cache_creation_input_tokens)
  return {
    inputTokens: countIn(usage.input_tokens) + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countIn(usage.output_tokens),
    reasoningTokens: 0,
  }
}

/** The part of the input that is neither read from the cache nor written to it is never negative. */
export const writeUsage = (usage: TokenUsage): Fields => ({
  input_tokens: Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens),
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cachedInputTokens,
  output_tokens: usage.outputTokens,
})

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  const [choice] = choices
  return {
    id: id || meta.id,
    type: 'message',
    role: 'assistant',
    model: meta.model,
    content: (choice?.blocks ?? []).map(writeBlock),
    ...stopFields(choice ?? { finish: 'stop' }),
    usage: usage && { ...writeUsage(usage), ...costFields(meta.cost) },
  }
}

export const costFields = (cost: Cost | undefined): Fields =>
  cost ? { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) } : {}

const REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

export const stopFields = ({ finish, stopSequence }: Pick<Choice, 'finish' | 'stopSequence'>): Fields =>
  stopSequence === undefined
    ? { stop_reason: REASONS[finish], stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: stopSequence }

function writeBlock(block: Block): Fields {
  if (block.kind === 'text' || block.kind === 'refusal') return { type: 'text', text: block.text }
  if (block.kind === 'thinking')
    return block.redacted === undefined
      ? { type: 'thinking', thinking: block.text, signature: block.signature ?? '' }
      : { type: 'redacted_thinking', data: block.redacted }
  if (block.kind !== 'tool_call') throw new MalformedReplyError(`an answer has no ${block.kind}`)
  const input = block.isCustom ? { input: block.arguments } : parseArguments(block.arguments)
  if (!input) throw new MalformedReplyError('the arguments of a tool call are no JSON object')
  return { type: 'tool_use', id: block.id, name: block.name, input }
}
