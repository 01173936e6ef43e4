// The parts of a request that a provider's format has no field for, and that change the cost or form of an answer, not its
// meaning. They are named to the client instead of refused, because coding clients always send some of them.
import type { Block, Conversation, ProviderWire } from './conversation.ts'
import type { Fields } from './wire.ts'

export function lostParts(conversation: Conversation, provider: ProviderWire, body: Fields): string[] {
  const { messages, system, tools } = conversation
  const blocks = [...system, ...messages.flatMap((message) => message.blocks)].flatMap(withContent)
  const isMarked = [...blocks, ...tools].some((each) => 'cache' in each && each.cache !== undefined)
  return [
    ...(provider !== 'anthropic' && isMarked ? ['cache'] : []),
    ...(provider !== 'openai' && blocks.some(hasDetail) ? ['block.image.detail'] : []),
    ...lostReasoning(conversation, provider, body),
  ]
}

const withContent = (block: Block): readonly Block[] =>
  block.kind === 'tool_result' ? [block, ...block.content] : [block]

/** `auto` leaves the choice to the provider. */
const hasDetail = (block: Block): boolean =>
  block.kind === 'image' && block.detail !== undefined && block.detail !== 'auto'

function lostReasoning({ options }: Conversation, provider: ProviderWire, body: Fields): string[] {
  const { effort, isShown, enabledBy, answerEffort } = options.reasoning ?? {}
  const isWritten = provider === 'anthropic' && body.thinking !== undefined
  const isHiddenLost = isShown === false && effort !== 'none' && provider !== 'gemini' && !isWritten
  const isEnabledLost = !isWritten && !(provider === 'gemini' && isShown !== undefined)
  return [
    ...(isHiddenLost ? ['reasoning.isShown'] : []),
    ...(enabledBy !== undefined && isEnabledLost ? [enabledBy] : []),
    ...(answerEffort !== undefined && provider !== 'anthropic' ? ['reasoning.effort'] : []),
  ]
}
