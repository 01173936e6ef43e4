// Writes streams of OpenAI's Responses API. Pieces are written as text around the escaped value, because a whole object per
// piece costs more than the rest of the translation.
import type { BlockStart, Choice, StreamEvent, TokenLogprob } from '../conversation.ts'
import { writeLogprobs } from '../reply-values.ts'
import type { Fields, ReplyMeta, StreamWriter } from '../wire.ts'
import { itemOf, partOf, plainId, responseId, responseOf, writeUsage } from './responses-reply.ts'

type OpenBlock = {
  readonly block: BlockStart
  readonly output: number
  readonly item: Fields
  readonly place: Fields
  /** The text before and after each piece. */
  readonly before: string
  readonly after: string
  text: string
  signature?: string
  logprobs: TokenLogprob[] | null
}

/** Each block becomes an item. This format has one choice; others are left out. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  let id = meta.id
  let sequence = 0
  let choice: Pick<Choice, 'finish'> = { finish: 'stop' }
  let hasStarted = false
  let open: OpenBlock | null = null
  const output: Fields[] = []

  const say = (type: string, fields: Fields): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const response = (ending?: Pick<Choice, 'finish'>, usage: Fields | null = null): Fields => ({
    ...responseOf(id, meta, ending),
    output: [...output],
    usage,
  })
  const begin = (): string => {
    if (hasStarted) return ''
    hasStarted = true
    return (
      say('response.created', { response: response() }) +
      say('response.in_progress', { response: response() })
    )
  }

  const startBlock = (block: BlockStart): string => {
    const number = output.length
    const itemId = block.kind === 'thinking' ? `rs_${plainId(id)}_${number}` : `${plainId(id)}_${number}`
    const item = itemOf(block, itemId, 'in_progress')
    const place = { item_id: item.id, output_index: number }
    const proof = block.kind === 'thinking' ? block.redacted : undefined
    const around = textAround(block, place)
    open = { block, output: number, item, place, ...around, text: '', logprobs: null }
    if (proof !== undefined) open.signature = proof
    output.push(item)
    const added = say('response.output_item.added', { output_index: number, item })
    if (block.kind === 'text' || block.kind === 'refusal')
      return (
        added +
        say('response.content_part.added', { ...place, content_index: 0, part: partOf(block.kind, '') })
      )
    return added
  }

  const delta = (block: OpenBlock, text: string, logprobs: readonly TokenLogprob[] | undefined): string => {
    const isFirst = block.text === ''
    block.text += text
    // A reasoning without text has no part.
    const added =
      isFirst && block.block.kind === 'thinking'
        ? say('response.reasoning_summary_part.added', {
            ...block.place,
            summary_index: 0,
            part: { type: 'summary_text', text: '' },
          })
        : ''
    if (!logprobs) return `${added}${block.before}${sequence++}${block.after}${JSON.stringify(text)}}\n\n`
    block.logprobs = [...(block.logprobs ?? []), ...logprobs]
    return say('response.output_text.delta', {
      ...block.place,
      content_index: 0,
      delta: text,
      logprobs: writeLogprobs(logprobs),
    })
  }

  const endBlock = ({ block, text, place, item, output: number, signature, logprobs }: OpenBlock): string => {
    open = null
    let written = ''
    const fields: Fields = {}
    if (block.kind === 'text' || block.kind === 'refusal') {
      const part = partOf(block.kind, text, logprobs ?? [])
      const type = block.kind === 'text' ? 'output_text' : 'refusal'
      const done = block.kind === 'text' ? { text, logprobs: part.logprobs } : { refusal: text }
      written += say(`response.${type}.done`, { ...place, content_index: 0, ...done })
      written += say('response.content_part.done', { ...place, content_index: 0, part })
      fields.content = [part]
    } else if (block.kind === 'thinking') {
      const part = { type: 'summary_text', text }
      if (text !== '') {
        written += say('response.reasoning_summary_text.done', { ...place, summary_index: 0, text })
        written += say('response.reasoning_summary_part.done', { ...place, summary_index: 0, part })
        fields.summary = [part]
      }
      if (signature !== undefined) fields.encrypted_content = signature
    } else {
      const [type, field] = block.isCustom
        ? ['custom_tool_call_input', 'input']
        : ['function_call_arguments', 'arguments']
      written += say(`response.${type}.done`, { ...place, [field]: text })
      fields[field] = text
    }
    const whole = { ...item, ...(block.kind !== 'thinking' && { status: 'completed' }), ...fields }
    output[number] = whole
    return written + say('response.output_item.done', { output_index: number, item: whole })
  }

  const write = (event: StreamEvent): string => {
    if (event.kind === 'delta')
      return open && event.choice === 0 ? delta(open, event.text, event.logprobs) : ''
    if (event.kind === 'start') {
      id = responseId(event.id, meta)
      return begin()
    }
    if (event.kind === 'usage' || event.choice !== 0) return ''
    const prefix = begin()
    if (event.kind === 'finish') choice = { finish: event.finish }
    else if (event.kind === 'block_start') return prefix + startBlock(event.block)
    else if (open && event.kind === 'block_end') return prefix + endBlock(open)
    else if (open && event.kind === 'signature') open.signature = event.signature
    return prefix
  }

  return {
    write,
    end: (usage, cost) => {
      const prefix = begin()
      const last = response(choice, writeUsage(usage, cost))
      return prefix + say(`response.${last.status}`, { response: last })
    },
    error: ({ code, message }) =>
      say('response.failed', { response: { ...response(), status: 'failed', error: { code, message } } }),
    keepAlive: ': keep-alive\n\n',
  }
}

const TYPES = {
  text: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
  thinking: 'response.reasoning_summary_text.delta',
} as const

function textAround(block: BlockStart, place: Fields): Pick<OpenBlock, 'before' | 'after'> {
  const type =
    block.kind !== 'tool_call'
      ? TYPES[block.kind]
      : block.isCustom
        ? 'response.custom_tool_call_input.delta'
        : 'response.function_call_arguments.delta'
  const part =
    block.kind === 'tool_call' ? '' : block.kind === 'thinking' ? ',"summary_index":0' : ',"content_index":0'
  const logprobs = block.kind === 'text' ? ',"logprobs":[]' : ''
  const where = JSON.stringify(place).slice(1, -1)
  return {
    before: `event: ${type}\ndata: {"type":"${type}","sequence_number":`,
    after: `,${where}${part}${logprobs},"delta":`,
  }
}
