// Writes streams of the Gemini API: events, or a JSON array where the client did not ask for events. Pieces are written as text
// around the escaped value, because a whole object per piece costs more than the rest of the translation.
import type { BlockStart, Finish, StreamEvent } from '../conversation.ts'
import { parseArguments } from '../values.ts'
import type { Fields, ReplyMeta, StreamWriter } from '../wire.ts'
import { REASONS, writeCall, writeLogprobs, writeUsage } from './reply.ts'

type OpenBlock = { readonly block: BlockStart; text: string }

export function createWriter(meta: ReplyMeta): StreamWriter {
  const { isArray = false } = meta
  let count = 0
  let tail = ''
  const open = new Map<number, OpenBlock>()
  const finishes = new Map<number, Finish>()

  const setTail = (id: string): void => {
    const end = isArray ? '}' : '}\n\n'
    tail = `,"modelVersion":${JSON.stringify(meta.model)},"responseId":${JSON.stringify(id)}${end}`
  }
  setTail(meta.id)
  const head = (): string => {
    if (!isArray) return 'data: '
    return count++ === 0 ? '[' : ',\r\n'
  }
  const part = (choice: number, text: string, more = ''): string =>
    `${head()}{"candidates":[{"content":{"role":"model","parts":[${text}]},"index":${choice}${more}}]${tail}`

  const blockStart = ({ choice, block }: StreamEvent & { kind: 'block_start' }): string => {
    open.set(choice, { block, text: '' })
    if (block.kind !== 'thinking' || block.redacted === undefined) return ''
    return part(choice, `{"text":"","thought":true,"thoughtSignature":${JSON.stringify(block.redacted)}}`)
  }

  const delta = ({ choice, text, logprobs }: StreamEvent & { kind: 'delta' }): string => {
    const block = open.get(choice)
    if (!block) return ''
    const { kind } = block.block
    // A call is sent whole, because this format has no pieces of arguments.
    if (kind === 'tool_call') {
      block.text += text
      return ''
    }
    const thought = kind === 'thinking' ? ',"thought":true' : ''
    const more = logprobs ? `,"logprobsResult":${JSON.stringify(writeLogprobs(logprobs))}` : ''
    return part(choice, `{"text":${JSON.stringify(text)}${thought}}`, more)
  }

  const signature = (event: StreamEvent & { kind: 'signature' }): string => {
    const thought = open.get(event.choice)?.block.kind === 'thinking' ? ',"thought":true' : ''
    return part(event.choice, `{"text":""${thought},"thoughtSignature":${JSON.stringify(event.signature)}}`)
  }

  const blockEnd = (choice: number): string => {
    const block = open.get(choice)
    open.delete(choice)
    if (block?.block.kind !== 'tool_call') return ''
    // Arguments that the limit of the answer cut cannot be expressed. The reason of the end tells the client.
    if (!block.block.isCustom && parseArguments(block.text) === null) return ''
    return part(choice, JSON.stringify(writeCall({ ...block.block, arguments: block.text })))
  }

  const write = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'delta':
        return delta(event)
      case 'start':
        if (event.id) setTail(event.id)
        return ''
      case 'block_start':
        return blockStart(event)
      case 'signature':
        return signature(event)
      case 'block_end':
        return blockEnd(event.choice)
      case 'finish':
        finishes.set(event.choice, event.finish)
        return ''
      case 'usage':
        return ''
    }
  }

  return {
    write,
    /** The reason of the end and the usage are in one event, as Google sends them. */
    end: (usage, cost) => {
      const candidates = [...finishes].map(
        ([index, finish]): Fields => ({
          content: { role: 'model', parts: [] },
          finishReason: REASONS[finish],
          index,
        }),
      )
      const fields = JSON.stringify({ candidates, usageMetadata: writeUsage(usage, cost) })
      return `${head()}${fields.slice(0, -1)}${tail}${isArray ? ']' : ''}`
    },
    error: ({ code, message, status = 500 }) => {
      const error = JSON.stringify({ error: { code: status, message, status: code } })
      return isArray ? `${head()}${error}]` : `data: ${error}\n\n`
    },
    keepAlive: isArray ? ' ' : ': keep-alive\n\n',
  }
}
