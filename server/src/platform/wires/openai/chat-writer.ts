// Writes streams of OpenAI's chat completions. Pieces are written as text around the escaped value, because a whole object per
// piece costs more than the rest of the translation.
import type { BlockStart, StreamEvent } from '../conversation.ts'
import { writeLogprobs } from '../reply-values.ts'
import type { ReplyMeta, StreamWriter } from '../wire.ts'
import { callProof, detailOf, writeUsage } from './chat-reply.ts'

type OpenBlock = {
  readonly block: BlockStart
  /** The number of a call or of a piece of reasoning. */
  readonly number: number
  /** The text before and after each piece. */
  readonly before: string
  readonly after: string
}

export function createWriter(meta: ReplyMeta): StreamWriter {
  let id = meta.id
  let head = ''
  const roles = new Set<number>()
  const open = new Map<number, OpenBlock>()
  const counts = new Map<string, number>()

  const setHead = (): void => {
    head = `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${meta.createdAt},"model":${JSON.stringify(meta.model)},`
  }
  setHead()
  /** The start of a chunk, up to the fields of its delta. */
  const beforeDelta = (choice: number): string => {
    const role = roles.has(choice) ? '' : '"role":"assistant",'
    roles.add(choice)
    return `${head}"choices":[{"index":${choice},"delta":{${role}`
  }
  const END = '},"logprobs":null,"finish_reason":null}]}\n\n'
  const nextNumber = (key: string): number => {
    const number = counts.get(key) ?? 0
    counts.set(key, number + 1)
    return number
  }

  const blockStart = ({ choice, block }: StreamEvent & { kind: 'block_start' }): string => {
    const isCall = block.kind === 'tool_call'
    const number = nextNumber(`${choice}.${block.kind}`)
    const { before, after } = fieldsAround(block, number)
    open.set(choice, { block, number, before, after })
    if (block.kind === 'thinking' && block.redacted !== undefined) {
      const detail = detailOf({ kind: 'thinking', text: '', redacted: block.redacted }, number)
      return `${beforeDelta(choice)}"reasoning_details":[${JSON.stringify(detail)}]${END}`
    }
    if (!isCall) return ''
    const called = block.isCustom
      ? { type: 'custom', custom: { name: block.name, input: '' } }
      : { type: 'function', function: { name: block.name, arguments: '' } }
    const proof = block.signature === undefined ? {} : callProof(block.signature)
    const call = JSON.stringify({ index: number, id: block.id, ...called, ...proof })
    return `${beforeDelta(choice)}"content":null,"tool_calls":[${call}]${END}`
  }

  const delta = ({ choice, text, logprobs }: StreamEvent & { kind: 'delta' }): string => {
    const block = open.get(choice)
    if (!block) return ''
    const piece = `${beforeDelta(choice)}${block.before}${JSON.stringify(text)}${block.after}`
    if (!logprobs) return piece + END
    const content = JSON.stringify({ content: writeLogprobs(logprobs), refusal: null })
    return `${piece}},"logprobs":${content},"finish_reason":null}]}\n\n`
  }

  const signature = (event: StreamEvent & { kind: 'signature' }): string => {
    const block = open.get(event.choice)
    if (block?.block.kind !== 'thinking') return ''
    // The text is in the pieces before.
    const thought = { kind: 'thinking', text: '', signature: event.signature } as const
    return `${beforeDelta(event.choice)}"reasoning_details":[${JSON.stringify(detailOf(thought, block.number))}]${END}`
  }

  const write = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'delta':
        return delta(event)
      case 'start':
        id = event.id || id
        setHead()
        return ''
      case 'block_start':
        return blockStart(event)
      case 'signature':
        return signature(event)
      case 'finish':
        return `${beforeDelta(event.choice).replace(/,$/, '')}},"logprobs":null,"finish_reason":"${event.finish}"}]}\n\n`
      default:
        return ''
    }
  }

  return {
    write,
    end: (usage, cost) => {
      const last = meta.wantsUsage
        ? `${head}"choices":[],"usage":${JSON.stringify(writeUsage(usage, cost))}}\n\n`
        : ''
      return `${last}data: [DONE]\n\n`
    },
    error: ({ code, message }) => `data: ${JSON.stringify({ error: { message, type: code, code } })}\n\n`,
    keepAlive: ': keep-alive\n\n',
  }
}

function fieldsAround(block: BlockStart, number: number): Pick<OpenBlock, 'before' | 'after'> {
  if (block.kind === 'text') return { before: '"content":', after: '' }
  if (block.kind === 'thinking') return { before: '"reasoning_content":', after: '' }
  if (block.kind === 'refusal') return { before: '"refusal":', after: '' }
  const field = block.isCustom ? '"custom":{"input":' : '"function":{"arguments":'
  return { before: `"tool_calls":[{"index":${number},${field}`, after: '}}]' }
}
