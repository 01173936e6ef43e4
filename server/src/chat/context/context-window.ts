// What of a conversation fits into one question: the newest messages, and the first one, which says what it is all about.
import { ApiError } from '../../kernel/errors.ts'
import { estimateMaxPromptTokens, type Message } from '../../platform/inference/inference.ts'

export type ContextMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export type Conversation = {
  readonly system: string
  /** The first question; undefined when the prompt is it. */
  readonly first: ContextMessage | undefined
  /** Newest first; may leave out old ones that would not fit anyway. */
  readonly newest: readonly ContextMessage[]
  /** How many there are, those left out included. */
  readonly total: number
  readonly prompt: string
}

export type ContextWindow = {
  readonly messages: readonly Message[]
  /** At most so many, as any tokenizer counts. */
  readonly promptTokens: number
  /** How many earlier messages the model is told, and how many it is not. */
  readonly context: { readonly messages: number; readonly dropped: number }
}

/** The first question may take this part of the room, or it goes like the others. */
const FIRST_SHARE = 4
/** What the note in the place of left-out messages takes. */
const GAP_TOKENS = 48

/** Chooses what is told within `mostTokens`. A prompt that does not fit alone is refused. */
export function buildContextWindow(talk: Conversation, mostTokens: number): ContextWindow {
  const system: Message = { role: 'system', content: talk.system }
  const prompt: Message = { role: 'user', content: talk.prompt }
  const room = mostTokens - GAP_TOKENS - estimateMaxPromptTokens([system, prompt])
  if (room < 0) throw new ApiError('prompt_too_long')
  const { first, recent } = selectMessages(talk, room)
  const kept = recent.length + (first ? 1 : 0)
  const dropped = talk.total - kept
  const spoken = [...(first ? [first] : []), ...noteGap(recent, prompt, dropped)]
  const messages = [system, ...mergeSameRole(spoken)]
  return { messages, promptTokens: estimateMaxPromptTokens(messages), context: { messages: kept, dropped } }
}

type MessageSelection = { first: ContextMessage | undefined; recent: readonly ContextMessage[] }

/** `recent` is in the order it was said, and has `first` in it where nothing lies between them. */
function selectMessages({ first, newest, total }: Conversation, room: number): MessageSelection {
  const firstTokens = first ? tokensOf(first) : 0
  const keepsFirst = first !== undefined && firstTokens <= room / FIRST_SHARE
  let left = keepsFirst ? room - firstTokens : room
  const recent: ContextMessage[] = []
  for (const message of newest) {
    // Its room is set aside already.
    left -= keepsFirst && message.id === first.id ? 0 : tokensOf(message)
    if (left < 0) break
    recent.unshift(message)
  }
  if (recent.length === total) return { first: undefined, recent }
  // An answer whose question is left out explains nothing.
  while (recent[0]?.role === 'assistant') recent.shift()
  return { first: keepsFirst && !recent.includes(first) ? first : undefined, recent }
}

const tokensOf = ({ role, content }: ContextMessage): number => estimateMaxPromptTokens([{ role, content }])

/** The model is told where something is missing, in the next words that it reads. */
function noteGap(recent: readonly ContextMessage[], prompt: Message, dropped: number): Message[] {
  const [next = prompt, ...rest] = [...recent, prompt]
  if (dropped === 0) return [next, ...rest]
  const note = `[${dropped} ${dropped === 1 ? 'message' : 'messages'} of this conversation left out here]`
  return [{ role: next.role, content: `${note}\n\n${next.content}` }, ...rest]
}

/** Some models refuse two messages of the same side in a row, which failed answers leave behind. */
function mergeSameRole(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const { role, content } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else turns.push({ role, content })
  }
  return turns
}
