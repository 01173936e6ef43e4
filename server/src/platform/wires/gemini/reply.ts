// Whole replies of the Gemini API.
import {
  type Block,
  type Choice,
  type Finish,
  MalformedReplyError,
  type Reply,
  type TokenLogprob,
  type TokenUsage,
} from '../conversation.ts'
import { argumentsOf, callIdOf, countIn, tableOf, textIn } from '../reply-values.ts'
import { isRecord, parseArguments } from '../values.ts'
import { type Cost, type Fields, ProviderStreamError, type ReplyMeta } from '../wire.ts'

/** Any other reason is a filter of the provider. */
const FINISHES = tableOf<Finish>({ STOP: 'stop', MAX_TOKENS: 'length' })
/** The provider failed to answer. */
const FAILED = new Set([
  'FINISH_REASON_UNSPECIFIED',
  'IMAGE_OTHER',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'OTHER',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
])

export function readReply(body: unknown): Reply {
  const { id, model, usage, candidates } = chunkIn(body)
  const choices = candidates.map((candidate, index): Choice => {
    let calls = 0
    const blocks = joinParts(
      partsIn(candidate).map((part) => readPart(part, () => callIdOf(id, index, calls++))),
    )
    const logprobs = logprobsIn(candidate)
    return {
      blocks: logprobs ? withLogprobs(blocks, logprobs) : blocks,
      finish: finishOf(candidate.finishReason, blocks) ?? 'stop',
    }
  })
  if (choices.length === 0) throw new MalformedReplyError('the reply has no candidates')
  return { id, model, choices, usage }
}

/** Neighbouring texts are one block, as in a stream. */
function joinParts(parts: readonly Block[]): Block[] {
  const blocks: Block[] = []
  for (const part of parts) {
    const last = blocks.at(-1)
    const isText = part.kind === 'text' || part.kind === 'thinking'
    if (isText && last?.kind === part.kind && last.signature === undefined)
      blocks[blocks.length - 1] = { ...last, ...part, text: last.text + part.text }
    else if (!isText || part.text !== '' || part.signature !== undefined) blocks.push(part)
  }
  return blocks
}

function withLogprobs(blocks: readonly Block[], logprobs: readonly TokenLogprob[]): readonly Block[] {
  const at = blocks.findIndex(({ kind }) => kind === 'text')
  return blocks.map((block, i) => (i === at && block.kind === 'text' ? { ...block, logprobs } : block))
}

export type Chunk = { id: string; model: string; usage: TokenUsage | null; candidates: readonly Fields[] }

export function chunkIn(body: unknown): Chunk {
  if (!isRecord(body)) throw new MalformedReplyError('the reply is no object')
  if (isRecord(body.error))
    throw new ProviderStreamError(String(body.error.status ?? 'error'), textIn(body.error.message))
  const { candidates = [], usageMetadata, modelVersion, responseId, promptFeedback } = body
  if (!Array.isArray(candidates) || !candidates.every(isRecord))
    throw new MalformedReplyError('the candidates are no list of objects')
  const isBlocked = isRecord(promptFeedback) && promptFeedback.blockReason !== undefined
  return {
    id: textIn(responseId),
    model: textIn(modelVersion),
    usage: isRecord(usageMetadata) ? readUsage(usageMetadata) : null,
    candidates:
      isBlocked && candidates.length === 0
        ? [{ finishReason: 'SAFETY', content: { parts: [] } }]
        : candidates,
  }
}

export function partsIn({ content }: Fields): readonly Fields[] {
  const parts = isRecord(content) ? (content.parts ?? []) : []
  if (!Array.isArray(parts) || !parts.every(isRecord))
    throw new MalformedReplyError('the parts are no list of objects')
  return parts
}

export type ReplyPart = Extract<Block, { kind: 'text' | 'thinking' | 'tool_call' }>

export function readPart(part: Fields, newId: () => string): ReplyPart {
  const { text, thought, thoughtSignature, functionCall } = part
  const proof = typeof thoughtSignature === 'string' ? { signature: thoughtSignature } : {}
  if (isRecord(functionCall)) {
    const { id, name, args = {} } = functionCall
    if (typeof name !== 'string') throw new MalformedReplyError('a function call has no name')
    return { kind: 'tool_call', id: textIn(id) || newId(), name, arguments: argumentsOf(args), ...proof }
  }
  if (typeof text !== 'string' && typeof thoughtSignature !== 'string')
    throw new MalformedReplyError('a part has no text and no call')
  return { kind: thought === true ? 'thinking' : 'text', text: textIn(text), ...proof }
}

export function finishOf(reason: unknown, blocks: readonly { readonly kind: string }[]): Finish | null {
  if (reason === undefined || reason === null) return null
  if (FAILED.has(String(reason))) throw new MalformedReplyError(`the answer ended with ${reason}`)
  const finish = FINISHES.get(String(reason)) ?? 'content_filter'
  return finish === 'stop' && blocks.some(({ kind }) => kind === 'tool_call') ? 'tool_calls' : finish
}

export function logprobsIn({ logprobsResult: result }: Fields): readonly TokenLogprob[] | undefined {
  if (!isRecord(result) || !Array.isArray(result.chosenCandidates)) return undefined
  const tops = Array.isArray(result.topCandidates) ? result.topCandidates : []
  const read = ({ token, logProbability }: Fields) => ({
    token: textIn(token),
    logprob: Number(logProbability),
  })
  return result.chosenCandidates.filter(isRecord).map((chosen, i) => {
    const top: unknown = tops[i]
    const list = isRecord(top) && Array.isArray(top.candidates) ? top.candidates.filter(isRecord) : []
    return { ...read(chosen), top: list.map(read) }
  })
}

export function writeLogprobs(logprobs: readonly TokenLogprob[]): Fields {
  const write = ({ token, logprob }: Omit<TokenLogprob, 'top'>) => ({ token, logProbability: logprob })
  const hasTop = logprobs.some(({ top }) => top.length > 0)
  return {
    chosenCandidates: logprobs.map(write),
    ...(hasTop && { topCandidates: logprobs.map(({ top }) => ({ candidates: top.map(write) })) }),
  }
}

function readUsage(usage: Fields): TokenUsage {
  const reasoningTokens = countIn(usage.thoughtsTokenCount)
  const inputTokens = countIn(usage.promptTokenCount) + countIn(usage.toolUsePromptTokenCount)
  return {
    inputTokens,
    cachedInputTokens: Math.min(countIn(usage.cachedContentTokenCount), inputTokens),
    cacheWriteTokens: 0,
    outputTokens: countIn(usage.candidatesTokenCount) + reasoningTokens,
    reasoningTokens,
  }
}

export const writeUsage = (usage: TokenUsage, cost: Cost | undefined): Fields => ({
  promptTokenCount: usage.inputTokens,
  candidatesTokenCount: Math.max(0, usage.outputTokens - usage.reasoningTokens),
  totalTokenCount: usage.inputTokens + usage.outputTokens,
  ...(usage.cachedInputTokens > 0 && { cachedContentTokenCount: usage.cachedInputTokens }),
  ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  ...(cost && { costMinor: Number(cost.costMinor), balanceMinor: Number(cost.balanceMinor) }),
})

export const REASONS = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
} as const

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  return {
    candidates: choices.map(({ blocks, finish }, index) => {
      const logprobs = blocks.flatMap((block) => (block.kind === 'text' ? (block.logprobs ?? []) : []))
      return {
        content: { role: 'model', parts: blocks.map(writePart) },
        finishReason: REASONS[finish],
        index,
        ...(logprobs.length > 0 && { logprobsResult: writeLogprobs(logprobs) }),
      }
    }),
    ...(usage && { usageMetadata: writeUsage(usage, meta.cost) }),
    modelVersion: meta.model,
    responseId: id || meta.id,
  }
}

function writePart(block: Block): Fields {
  if (block.kind === 'text' || block.kind === 'refusal')
    return { text: block.text, ...('signature' in block && proofOf(block.signature)) }
  // Encrypted reasoning has only a proof.
  if (block.kind === 'thinking')
    return { text: block.text, thought: true, ...proofOf(block.signature ?? block.redacted) }
  if (block.kind !== 'tool_call') throw new MalformedReplyError(`an answer has no ${block.kind}`)
  return writeCall(block)
}

export function writeCall(call: Block & { kind: 'tool_call' }): Fields {
  const args = call.isCustom ? { input: call.arguments } : parseArguments(call.arguments)
  if (!args) throw new MalformedReplyError('the arguments of a tool call are no JSON object')
  return { functionCall: { id: call.id, name: call.name, args }, ...proofOf(call.signature) }
}

const proofOf = (signature: string | undefined): Fields =>
  signature === undefined ? {} : { thoughtSignature: signature }
