// Decides which kind of answer a prompt asks for.
import { chatReply } from './chat.ts'
import { codingReply } from './envelope.ts'
import type { Call, Message } from './prompt.ts'
import { materialReply } from './research.ts'
import { rewriteReply } from './rewrite.ts'
import { nextCall, type Tool } from './tools.ts'

/** The same prompt always gets the same answer. */
export const replyTo = (messages: readonly Message[]): string =>
  codingReply(messages) ?? rewriteReply(messages) ?? materialReply(messages) ?? chatReply(messages)

export const replyWithTools = (messages: readonly Message[], tools: readonly Tool[]): Call | string =>
  (tools.length > 0 ? nextCall(messages, tools) : null) ?? replyTo(messages)
