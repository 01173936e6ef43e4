// Decides which kind of answer a prompt asks for.
import { chatReply } from './chat.ts'
import { codingReply } from './envelope.ts'
import type { Message } from './prompt.ts'
import { materialReply } from './research.ts'
import { type Call, nextCall, type Tool } from './tools.ts'

/** The same prompt always gets the same answer. */
export const replyTo = (messages: readonly Message[]): string =>
  codingReply(messages) ?? materialReply(messages) ?? chatReply(messages)

export function replyWithTools(
  messages: readonly Message[],
  tools: readonly Tool[],
): { text: string; call?: Call } {
  const next = tools.length > 0 ? nextCall(messages, tools) : null
  return next === null || typeof next === 'string'
    ? { text: next ?? replyTo(messages) }
    : { text: '', call: next }
}
