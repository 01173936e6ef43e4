// Whole replies of OpenAI's chat completions, in the variants of compatible providers.
import {
  type Block,
  type Choice,
  type Finish,
  MalformedReplyError,
  type Reply,
  type ThinkingBlock,
  type TokenUsage,
} from '../conversation.ts'
import { callIdOf, readLogprobs, tableOf, textIn, writeLogprobs } from '../reply-values.ts'
import { readUsage } from '../usage.ts'
import { isRecord } from '../values.ts'
import { type Cost, type Fields, ProviderStreamError, type ReplyMeta } from '../wire.ts'
import { isChunk } from './chat-chunk.ts'

const FINISHES = tableOf<Finish>({
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  safety: 'content_filter',
  sensitive: 'content_filter',
})

export function finishOf(reason: unknown, hasCalls: boolean): Finish {
  const finish = FINISHES.get(String(reason || 'stop').toLowerCase())
  if (!finish) throw new MalformedReplyError(`the finish reason ${JSON.stringify(reason)} is unknown`)
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish
}

export function readReply(body: unknown): Reply {
  if (!isRecord(body) || !isChunk(body)) throw new MalformedReplyError('the reply is no completion')
  throwError(body)
  if (!Array.isArray(body.choices) || body.choices.length === 0)
    throw new MalformedReplyError('the reply has no choices')
  return {
    id: textIn(body.id),
    model: textIn(body.model),
    choices: body.choices.map((choice, index) => readChoice(choice, textIn(body.id), index)),
    usage: usageIn(body),
  }
}

/** Throws the error that a provider reports in a body or an event of status 200. */
export function throwError({ error }: Fields): void {
  if (!error) return
  const { code, type, message } = isRecord(error) ? error : { code: 'error', type: '', message: error }
  throw new ProviderStreamError(String(code ?? type ?? 'error'), textIn(message))
}

function readChoice(choice: unknown, replyId: string, index: number): Choice {
  if (!isRecord(choice) || !isRecord(choice.message)) throw new MalformedReplyError('a choice has no message')
  const { message } = choice
  const blocks: Block[] = readThinking(message)
  const { text } = contentOf(message.content)
  const logprobs = isRecord(choice.logprobs) ? readLogprobs(choice.logprobs.content) : undefined
  if (text) blocks.push({ kind: 'text', text, ...(logprobs && { logprobs }) })
  const refusal = textIn(message.refusal)
  if (refusal) blocks.push({ kind: 'refusal', text: refusal })
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
  blocks.push(...calls.map((call, number) => readCall(call, () => callIdOf(replyId, index, number))))
  return { blocks, finish: finishOf(choice.finish_reason, calls.length > 0) }
}

/** A text, or the texts of a list of parts. Some providers have the reasoning among the parts. */
export function contentOf(content: unknown): { readonly text: string; readonly thoughts: string } {
  if (typeof content === 'string') return { text: content, thoughts: '' }
  if (!Array.isArray(content)) return { text: '', thoughts: '' }
  const parts = content.filter(isRecord)
  const thoughts = parts.map(({ type, thinking }) => (type === 'thinking' ? contentOf(thinking).text : ''))
  return { text: parts.map(({ text }) => textIn(text)).join(''), thoughts: thoughts.join('') }
}

/** Reasoning has no common field. Its proofs are in `reasoning_details`, the form of OpenRouter. */
function readThinking(message: Fields): Block[] {
  const text = thoughtsIn(message)
  const details = detailsIn(message)
  const proven = details.filter(({ signature, redacted }) => (signature ?? redacted) !== undefined)
  if (proven.length > 0) return details.filter((block) => block.text !== '' || proven.includes(block))
  return text === '' ? [] : [{ kind: 'thinking', text }]
}

export function thoughtsIn(message: Fields): string {
  const text = textIn(message.reasoning_content ?? message.reasoning) || contentOf(message.content).thoughts
  return (
    text ||
    detailsIn(message)
      .map((block) => block.text)
      .join('')
  )
}

export function detailsIn({ reasoning_details: details }: Fields): readonly ThinkingBlock[] {
  if (!Array.isArray(details)) return []
  return details.filter(isRecord).map(({ type, text, summary, data, signature }): ThinkingBlock => {
    if (type === 'reasoning.encrypted') return { kind: 'thinking', text: '', redacted: textIn(data) }
    const proof = textIn(signature)
    return { kind: 'thinking', text: textIn(text) || textIn(summary), ...(proof && { signature: proof }) }
  })
}

function readCall(call: unknown, newId: () => string): Block {
  if (!isRecord(call)) throw new MalformedReplyError('a tool call is no object')
  const isCustom = call.type === 'custom'
  const called = isCustom ? call.custom : call.function
  if (!isRecord(called) || typeof called.name !== 'string')
    throw new MalformedReplyError('a tool call has no name')
  const signature = callProofIn(call)
  return {
    kind: 'tool_call',
    id: textIn(call.id) || newId(),
    name: called.name,
    arguments: textIn(isCustom ? called.input : called.arguments),
    ...(isCustom && { isCustom }),
    ...(signature && { signature }),
  }
}

/** The place of Gemini's proof in its own compatible API. */
export const callProofIn = ({ extra_content: extra }: Fields): string =>
  isRecord(extra) && isRecord(extra.google) ? textIn(extra.google.thought_signature) : ''

/** As any service with OpenAI's format reports it. */
export function usageIn(event: Fields): TokenUsage | null {
  const usage = readUsage(event)
  return usage
    ? {
        inputTokens: usage.promptTokens,
        cachedInputTokens: usage.cachedTokens ?? 0,
        cacheWriteTokens: usage.cacheWriteTokens ?? 0,
        outputTokens: usage.outputTokens,
        reasoningTokens: usage.reasoningTokens ?? 0,
      }
    : null
}

export const writeUsage = (usage: TokenUsage, cost?: Cost): Fields => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cachedInputTokens,
    ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  ...(cost && { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) }),
})

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  return {
    id: id || meta.id,
    object: 'chat.completion',
    created: meta.createdAt,
    model: meta.model,
    choices: choices.map(({ blocks, finish }, index) => ({
      index,
      message: writeMessage(blocks),
      logprobs: logprobsOf(blocks),
      finish_reason: finish,
    })),
    ...(usage && { usage: writeUsage(usage, meta.cost) }),
  }
}

function logprobsOf(blocks: readonly Block[]): Fields | null {
  const content = blocks.flatMap((block) => (block.kind === 'text' ? (block.logprobs ?? []) : []))
  return content.length === 0 ? null : { content: writeLogprobs(content), refusal: null }
}

function writeMessage(blocks: readonly Block[]): Fields {
  const join = (kind: 'text' | 'refusal' | 'thinking'): string =>
    blocks.map((block) => (block.kind === kind ? block.text : '')).join('')
  const calls = blocks.flatMap((block): Fields[] => {
    if (block.kind !== 'tool_call') return []
    const proof = block.signature === undefined ? {} : callProof(block.signature)
    return block.isCustom
      ? [{ id: block.id, type: 'custom', custom: { name: block.name, input: block.arguments }, ...proof }]
      : [
          {
            id: block.id,
            type: 'function',
            function: { name: block.name, arguments: block.arguments },
            ...proof,
          },
        ]
  })
  const thoughts = join('thinking')
  const details = writeDetails(blocks)
  return {
    role: 'assistant',
    content: join('text') || null,
    refusal: join('refusal') || null,
    ...(thoughts && { reasoning_content: thoughts }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

export const callProof = (signature: string): Fields => ({
  extra_content: { google: { thought_signature: signature } },
})

/** The reasoning with its proofs; nothing without one. */
export function writeDetails(blocks: readonly Block[]): Fields[] {
  const thoughts = blocks.filter((block) => block.kind === 'thinking')
  if (!thoughts.some(({ signature, redacted }) => (signature ?? redacted) !== undefined)) return []
  return thoughts.map((block, index) => detailOf(block, index))
}

export const detailOf = ({ text, signature, redacted }: ThinkingBlock, index: number): Fields =>
  redacted === undefined
    ? { type: 'reasoning.text', text, ...(signature !== undefined && { signature }), index }
    : { type: 'reasoning.encrypted', data: redacted, index }
