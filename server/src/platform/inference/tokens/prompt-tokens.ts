// Counts the prompt of a conversation in any format.
import type { Conversation } from '../../wires/conversation.ts'
import { promptOf } from '../../wires/prompt.ts'
import { countTokens, estimateMaxTextTokens } from './count-tokens.ts'

/** The overhead of a message. */
const PER_MESSAGE = 4

/** Conversations are immutable. Long ones are estimated several times: for a summary, and for the hold. */
const estimates = new WeakMap<Conversation, number>()

/** The most tokens that the prompt can have. Cheap; holds are based on it. */
export function estimatePrompt(conversation: Conversation): number {
  const known = estimates.get(conversation)
  if (known !== undefined) return known
  const { text, mediaTokens, messages } = promptOf(conversation)
  const estimate = estimateMaxTextTokens(text) + mediaTokens + messages * PER_MESSAGE
  estimates.set(conversation, estimate)
  return estimate
}

/** Our own count of the prompt, where the provider reports none. */
export function countPrompt(conversation: Conversation): number {
  const { text, mediaTokens, messages } = promptOf(conversation)
  return countTokens(text) + mediaTokens + messages * PER_MESSAGE
}
