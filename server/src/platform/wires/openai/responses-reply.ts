// Whole replies of OpenAI's Responses API.
import {
  type Block,
  type BlockStart,
  type Choice,
  type Finish,
  MalformedReplyError,
  type Reply,
  type TokenLogprob,
  type TokenUsage,
} from '../conversation.ts'
import { countIn, readLogprobs, textIn, writeLogprobs } from '../reply-values.ts'
import { isRecord } from '../values.ts'
import { type Cost, type Fields, ProviderStreamError, type ReplyMeta } from '../wire.ts'

const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export function readReply(body: unknown): Reply {
  if (!isRecord(body) || !Array.isArray(body.output)) throw new MalformedReplyError('the reply has no output')
  throwFailure(body)
  const blocks = listIn(body.output).flatMap(readItem)
  return {
    id: textIn(body.id),
    model: textIn(body.model),
    choices: [{ blocks, finish: finishOf(body, blocks) }],
    usage: isRecord(body.usage) ? readUsage(body.usage) : null,
  }
}

/** Throws the error of a response that failed. */
export function throwFailure({ status, error }: Fields): void {
  if (status !== 'failed' && status !== 'cancelled') return
  const { code, message } = isRecord(error) ? error : {}
  throw new ProviderStreamError(textIn(code) || 'error', textIn(message))
}

export function finishOf(
  { status, incomplete_details: details }: Fields,
  blocks: readonly { readonly kind: string }[],
): Finish {
  if (status === 'incomplete')
    return isRecord(details) && details.reason === 'content_filter' ? 'content_filter' : 'length'
  return blocks.some(({ kind }) => kind === 'tool_call') ? 'tool_calls' : 'stop'
}

function readItem(item: Fields): Block[] {
  switch (item.type) {
    case 'message':
      return listIn(item.content).map((part): Block => {
        if (part.type === 'refusal') return { kind: 'refusal', text: textIn(part.refusal) }
        const logprobs = readLogprobs(part.logprobs)
        return { kind: 'text', text: textIn(part.text), ...(logprobs && { logprobs }) }
      })
    case 'reasoning': {
      const parts = listIn(item.content).length > 0 ? listIn(item.content) : listIn(item.summary)
      const text = parts.map((part) => textIn(part.text)).join('\n\n')
      const signature = textIn(item.encrypted_content)
      const id = textIn(item.id)
      return [{ kind: 'thinking', text, ...(signature && { signature }), ...(id && { id }) }]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const isCustom = item.type === 'custom_tool_call'
      const text = isCustom ? item.input : item.arguments
      if (typeof item.call_id !== 'string' || typeof item.name !== 'string' || typeof text !== 'string')
        throw new MalformedReplyError('a tool call is malformed')
      return [
        {
          kind: 'tool_call',
          id: item.call_id,
          name: item.name,
          arguments: text,
          ...(isCustom && { isCustom }),
        },
      ]
    }
    default:
      throw new MalformedReplyError(`an item of type ${JSON.stringify(item.type)} is unknown`)
  }
}

export function readUsage(usage: Fields): TokenUsage {
  const input = isRecord(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const output = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {}
  return {
    inputTokens: countIn(usage.input_tokens),
    cachedInputTokens: countIn(input.cached_tokens),
    cacheWriteTokens: countIn(input.cache_write_tokens),
    outputTokens: countIn(usage.output_tokens),
    reasoningTokens: countIn(output.reasoning_tokens),
  }
}

export const writeUsage = (usage: TokenUsage, cost?: Cost): Fields => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedInputTokens,
    ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
  ...(cost && { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) }),
})

/** The output as items: neighbouring texts are parts of one message. */
function writeItems(blocks: readonly Block[], id: string): Fields[] {
  const items: Fields[] = []
  for (const block of blocks) {
    const last = items.at(-1)
    const number = items.length
    if (block.kind === 'text' || block.kind === 'refusal') {
      const part = partOf(block.kind, block.text, block.kind === 'text' ? block.logprobs : [])
      if (last?.type === 'message') (last.content as Fields[]).push(part)
      else items.push({ ...itemOf(block, `${id}_${number}`), content: [part] })
    } else if (block.kind === 'thinking') {
      const summary = block.text === '' ? [] : [{ type: 'summary_text', text: block.text }]
      const proof = block.signature ?? block.redacted
      const item = itemOf(block, block.id ?? `rs_${id}_${number}`)
      items.push({ ...item, summary, ...(proof !== undefined && { encrypted_content: proof }) })
    } else if (block.kind === 'tool_call')
      items.push({
        ...itemOf(block, `${id}_${number}`),
        [block.isCustom ? 'input' : 'arguments']: block.arguments,
      })
    else throw new MalformedReplyError(`an answer has no ${block.kind}`)
  }
  return items
}

export const partOf = (
  kind: 'text' | 'refusal',
  text: string,
  logprobs: readonly TokenLogprob[] = [],
): Fields =>
  kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: writeLogprobs(logprobs) }

type OutputBlock = Extract<Block, { kind: 'text' | 'refusal' | 'thinking' | 'tool_call' }> | BlockStart

export function itemOf(block: OutputBlock, id: string, status = 'completed'): Fields {
  if (block.kind === 'thinking') return { id, type: 'reasoning', summary: [] }
  if (block.kind !== 'tool_call')
    return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content: [] }
  const called = { call_id: block.id, name: block.name }
  return block.isCustom
    ? { id: `ctc_${id}`, type: 'custom_tool_call', status, ...called, input: '' }
    : { id: `fc_${id}`, type: 'function_call', status, ...called, arguments: '' }
}

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  const [choice] = choices
  const known = responseId(id, meta)
  return {
    ...responseOf(known, meta, choice),
    output: writeItems(choice?.blocks ?? [], plainId(known)),
    usage: usage && writeUsage(usage, meta.cost),
  }
}

export const responseId = (id: string, meta: ReplyMeta): string =>
  id.startsWith('resp') && !meta.isOwnId ? id : meta.id
export const plainId = (id: string): string => id.replace(/^resp_?/, '')

export function responseOf(id: string, meta: ReplyMeta, choice?: Pick<Choice, 'finish'>): Fields {
  const { request = {} } = meta
  const isIncomplete = choice?.finish === 'length' || choice?.finish === 'content_filter'
  const reason = choice?.finish === 'content_filter' ? 'content_filter' : 'max_output_tokens'
  return {
    id,
    object: 'response',
    created_at: meta.createdAt,
    status: !choice ? 'in_progress' : isIncomplete ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isIncomplete ? { reason } : null,
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: meta.model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: request.reasoning ?? { effort: null, summary: null },
    store: request.store ?? false,
    temperature: request.temperature ?? 1,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
  }
}
