// Writes streams of OpenAI's Responses API.
import type { BlockStart, Choice, StreamEvent } from '../conversation.ts'
import type { Fields, ReplyMeta, StreamWriter } from '../wire.ts'
import { itemOf, partOf, plainId, responseId, responseOf, writeUsage } from './responses-reply.ts'

type OpenBlock = {
  readonly block: BlockStart
  readonly output: number
  readonly item: Fields
  text: string
  signature?: string
}

/** Writes a stream. Each block becomes an item. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  let id = meta.id
  let sequence = 0
  let choice: Pick<Choice, 'finish'> = { finish: 'stop' }
  let hasStarted = false
  const output: Fields[] = []
  const blocks = new Map<number, OpenBlock>()

  const say = (type: string, fields: Fields): string =>
    `event: ${type}\ndata: ${JSON.stringify({ ...fields, type, sequence_number: sequence++ })}\n\n`
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
  const placeOf = ({ item, output: output_index }: OpenBlock): Fields => ({ item_id: item.id, output_index })

  const startBlock = (index: number, block: BlockStart): string => {
    const number = output.length
    const itemId = block.kind === 'thinking' ? `rs_${plainId(id)}_${number}` : `${plainId(id)}_${number}`
    const item = itemOf(block, itemId, 'in_progress')
    const open: OpenBlock = { block, output: number, item, text: '' }
    blocks.set(index, open)
    output.push(item)
    const added = say('response.output_item.added', { output_index: number, item })
    if (block.kind === 'text' || block.kind === 'refusal')
      return (
        added +
        say('response.content_part.added', {
          ...placeOf(open),
          content_index: 0,
          part: partOf(block.kind, ''),
        })
      )
    if (block.kind !== 'thinking') return added
    const part = { type: 'summary_text', text: '' }
    return added + say('response.reasoning_summary_part.added', { ...placeOf(open), summary_index: 0, part })
  }

  const delta = (open: OpenBlock, text: string): string => {
    open.text += text
    const place = placeOf(open)
    const { block } = open
    if (block.kind === 'text')
      return say('response.output_text.delta', { ...place, content_index: 0, delta: text, logprobs: [] })
    if (block.kind === 'refusal')
      return say('response.refusal.delta', { ...place, content_index: 0, delta: text })
    if (block.kind === 'thinking')
      return say('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta: text })
    return say(`response.${block.isCustom ? 'custom_tool_call_input' : 'function_call_arguments'}.delta`, {
      ...place,
      delta: text,
    })
  }

  const endBlock = (open: OpenBlock): string => {
    const { block, text } = open
    const place = placeOf(open)
    const written: string[] = []
    const fields: Fields = {}
    if (block.kind === 'text' || block.kind === 'refusal') {
      const part = partOf(block.kind, text)
      const type = block.kind === 'text' ? 'output_text' : 'refusal'
      const done = block.kind === 'text' ? { text, logprobs: [] } : { refusal: text }
      written.push(say(`response.${type}.done`, { ...place, content_index: 0, ...done }))
      written.push(say('response.content_part.done', { ...place, content_index: 0, part }))
      fields.content = [part]
    } else if (block.kind === 'thinking') {
      const part = { type: 'summary_text', text }
      written.push(say('response.reasoning_summary_text.done', { ...place, summary_index: 0, text }))
      written.push(say('response.reasoning_summary_part.done', { ...place, summary_index: 0, part }))
      fields.summary = text === '' ? [] : [part]
      if (open.signature !== undefined) fields.encrypted_content = open.signature
    } else {
      const [type, field] = block.isCustom
        ? ['custom_tool_call_input', 'input']
        : ['function_call_arguments', 'arguments']
      written.push(say(`response.${type}.done`, { ...place, [field]: text }))
      fields[field] = text
    }
    const item = { ...open.item, ...(block.kind !== 'thinking' && { status: 'completed' }), ...fields }
    output[open.output] = item
    written.push(say('response.output_item.done', { output_index: open.output, item }))
    return written.join('')
  }

  const write = (event: StreamEvent): string => {
    if (event.kind === 'usage') return ''
    if (event.kind === 'start') {
      id = responseId(event.id, meta)
      return begin()
    }
    const prefix = begin()
    if (event.kind === 'finish') {
      choice = { finish: event.finish }
      return prefix
    }
    if (event.kind === 'block_start') return prefix + startBlock(event.index, event.block)
    const open = blocks.get(event.index)
    if (!open) return prefix
    if (event.kind === 'delta') return prefix + delta(open, event.text)
    if (event.kind === 'block_end') return prefix + endBlock(open)
    open.signature = event.signature
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
