// Selects the messages that fit into the context of a model: the newest, and the first question, which states the topic.
import { ApiError } from '../../kernel/errors.ts'
import { estimateMaxPromptTokens, type Message } from '../../platform/inference/inference.ts'

export type ContextMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export type Conversation = {
  readonly system: string
  /** The first question; undefined when the prompt is the first. */
  readonly first: ContextMessage | undefined
  /** Newest first; old messages that would not fit may be missing. */
  readonly newest: readonly ContextMessage[]
  /** The number of messages, including omitted ones. */
  readonly total: number
  readonly prompt: string
}

export type ContextWindow = {
  readonly messages: readonly Message[]
  /** An upper bound for every tokenizer. */
  readonly promptTokens: number
  /** How many earlier messages the model receives, and how many were dropped. */
  readonly context: { readonly messages: number; readonly dropped: number }
}

/** The first question is kept only if it takes at most one part in four of the space. */
const FIRST_SHARE = 4
/** Tokens of the note that replaces omitted messages. */
const GAP_TOKENS = 48

/** Builds the context within `tokensMax`. A prompt that does not fit alone is refused. */
export function buildContextWindow(conversation: Conversation, tokensMax: number): ContextWindow {
  const system: Message = { role: 'system', content: conversation.system }
  const prompt: Message = { role: 'user', content: conversation.prompt }
  const space = tokensMax - GAP_TOKENS - estimateMaxPromptTokens([system, prompt])
  if (space < 0) throw new ApiError('prompt_too_long')
  const { first, recent } = selectMessages(conversation, space)
  const kept = recent.length + (first ? 1 : 0)
  const dropped = conversation.total - kept
  const selected = [...(first ? [first] : []), ...noteGap(recent, prompt, dropped)]
  const messages = [system, ...mergeSameRole(selected)]
  return { messages, promptTokens: estimateMaxPromptTokens(messages), context: { messages: kept, dropped } }
}

type MessageSelection = { first: ContextMessage | undefined; recent: readonly ContextMessage[] }

/** `recent` is oldest first. It includes `first` when no message was omitted between them. */
function selectMessages({ first, newest, total }: Conversation, space: number): MessageSelection {
  const firstTokens = first ? tokensOf(first) : 0
  const keepsFirst = first !== undefined && firstTokens <= space / FIRST_SHARE
  let left = keepsFirst ? space - firstTokens : space
  const recent: ContextMessage[] = []
  for (const message of newest) {
    // The tokens of the first question are already subtracted.
    left -= keepsFirst && message.id === first.id ? 0 : tokensOf(message)
    if (left < 0) break
    recent.unshift(message)
  }
  if (recent.length === total) return { first: undefined, recent }
  // An answer without its question is useless.
  while (recent[0]?.role === 'assistant') recent.shift()
  return { first: keepsFirst && !recent.includes(first) ? first : undefined, recent }
}

const tokensOf = ({ role, content }: ContextMessage): number => estimateMaxPromptTokens([{ role, content }])

/** Prefixes the message after a gap with a note about the omitted messages. */
function noteGap(recent: readonly ContextMessage[], prompt: Message, dropped: number): Message[] {
  const [next = prompt, ...rest] = [...recent, prompt]
  if (dropped === 0) return [next, ...rest]
  const note = `[${dropped} ${dropped === 1 ? 'message' : 'messages'} of this conversation left out here]`
  return [{ role: next.role, content: `${note}\n\n${next.content}` }, ...rest]
}

/** Some models reject consecutive messages of the same role, which occur after failed answers. */
function mergeSameRole(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else turns.push({ role, content })
  }
  return turns
}
