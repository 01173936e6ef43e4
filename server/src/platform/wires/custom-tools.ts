// Custom tools take plain text instead of JSON arguments. Providers without them get a function with one text argument, and
// its calls become calls of the custom tool again in the answer.
import type { Block, Conversation, Tool, ToolCallBlock } from './conversation.ts'
import { parseArguments } from './values.ts'

/** The names of the custom tools that a provider sees as functions. */
export const customToolsIn = ({ tools }: Conversation): ReadonlySet<string> =>
  new Set(tools.filter(({ schema }) => schema === null).map(({ name }) => name))

export function withoutCustomTools(conversation: Conversation): Conversation {
  const isCustom = (block: Block): boolean => 'isCustom' in block && block.isCustom === true
  const hasTools = conversation.tools.some(({ schema }) => schema === null)
  if (!hasTools && !conversation.messages.some(({ blocks }) => blocks.some(isCustom))) return conversation
  return {
    ...conversation,
    tools: conversation.tools.map((tool) => (tool.schema === null ? functionOf(tool) : tool)),
    messages: conversation.messages.map((message) =>
      message.blocks.some(isCustom) ? { ...message, blocks: message.blocks.map(plainBlock) } : message,
    ),
  }
}

function functionOf({ format, description, ...tool }: Tool): Tool {
  const grammar =
    format?.type === 'grammar' ? `The input follows this grammar: ${JSON.stringify(format)}` : ''
  const text = [description ?? '', grammar].filter((each) => each !== '').join('\n\n')
  return {
    ...tool,
    ...(text !== '' && { description: text }),
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

function plainBlock(block: Block): Block {
  if (block.kind === 'tool_call' && block.isCustom) {
    const { isCustom: _, ...call } = block
    return { ...call, arguments: JSON.stringify({ input: block.arguments }) }
  }
  if (block.kind !== 'tool_result' || !block.isCustom) return block
  const { isCustom: _, ...result } = block
  return result
}

/** A call of the function as a call of the custom tool. */
export const customCall = (call: ToolCallBlock): ToolCallBlock => ({
  ...call,
  arguments: customInput(call.arguments),
  isCustom: true,
})

/** The text in the arguments of the function. Truncated arguments give the text before the cut. */
export function customInput(text: string): string {
  const input = parseArguments(text)?.input
  if (typeof input === 'string') return input
  const start = /^\s*\{\s*"input"\s*:\s*"/.exec(text)
  if (!start) return text
  const cut = text.slice(start[0].length).replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
  const partial = parseArguments(`{"input":"${cut}"}`)?.input
  return typeof partial === 'string' ? partial : text
}
