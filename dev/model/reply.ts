// Decides which kind of answer a prompt asks for.
import { chatReply } from './chat.ts'
import { codingReply } from './envelope.ts'
import { type Call, type Message, systemOf, textsOf } from './prompt.ts'
import { materialReply } from './research.ts'
import { nextCall, type Tool } from './tools.ts'

/** The same prompt always gets the same answer. */
export const replyTo = (messages: readonly Message[]): string =>
  codingReply(messages) ?? rewriteReply(messages) ?? materialReply(messages) ?? chatReply(messages)

export const replyWithTools = (messages: readonly Message[], tools: readonly Tool[]): Call | string =>
  (tools.length > 0 ? nextCall(messages, tools) : null) ?? replyTo(messages)

/** Rewrites a search query: joins its neighbouring words as names in code are written. Null for other prompts. */
function rewriteReply(messages: readonly Message[]): string | null {
  if (!systemOf(messages).slice(0, 8_000).includes('{"words": ["')) return null
  const query = /"query":\s*"((?:[^"\\]|\\.){0,2000})/.exec(textsOf(messages, 'user').join('\n'))?.[1] ?? ''
  const words = query.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []
  const names = words
    .slice(1)
    .map((word, at) => `${words[at]}${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return JSON.stringify({ words: [...new Set([...names, ...words])].slice(0, 10) })
}
