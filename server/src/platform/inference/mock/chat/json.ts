// Answers that a program will read: valid JSON and nothing else, in the shape that the prompt shows.
import type { Message } from '../../question.ts'
import { conversationReply } from './conversation.ts'

const ASKS =
  /\b(only|just|valid|strict)\b[^.\n]{0,30}\bjson\b|\bjson\b[^.\n]{0,30}\bonly\b|\b(respond|reply|answer|return|output)\b[^.\n]{0,40}\b(in|with|as|a)\b[^.\n]{0,20}\bjson\b/i

export const wantsJson = (messages: readonly Message[]): boolean =>
  [
    messages.findLast(({ role }) => role === 'user'),
    ...messages.filter(({ role }) => role === 'system'),
  ].some((message) => message !== undefined && ASKS.test(message.content.slice(0, 8_000)))

export function jsonReply(messages: readonly Message[]): string {
  const answer = conversationReply(messages)
  const shape = shapeIn(messages)
  return JSON.stringify(shape === undefined ? { answer } : filled(shape, answer, 0), null, 2)
}

/** The first object of the prompt that is JSON, or close to it. */
function shapeIn(messages: readonly Message[]): unknown {
  for (const { content } of messages) {
    const text = content.slice(0, 8_000)
    const start = text.search(/[{[]\s*["{[]/)
    if (start < 0) continue
    for (
      let end = text.length;
      end > start;
      end = Math.max(text.lastIndexOf('}', end - 1), text.lastIndexOf(']', end - 1))
    ) {
      const value = parsed(text.slice(start, end + 1))
      if (value !== undefined) return value
      if (text.length - end > 4_000) break
    }
    const keys = [...text.slice(start).matchAll(/"(\w+)"\s*:/g)]
      .slice(0, 20)
      .map(([, key]) => [key ?? '', ''] as const)
    if (keys.length > 0) return Object.fromEntries(keys)
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same keys; texts say who answered, numbers are nought, lists are empty. */
function filled(shape: unknown, answer: string, depth: number): unknown {
  if (typeof shape === 'string') return depth > 1 ? '' : answer
  if (typeof shape === 'number') return 0
  if (typeof shape === 'boolean') return false
  if (Array.isArray(shape) || shape === null || depth > 4) return Array.isArray(shape) ? [] : null
  if (typeof shape !== 'object') return null
  return Object.fromEntries(
    Object.entries(shape ?? {}).map(([key, value]) => [key, filled(value, answer, depth + 1)]),
  )
}
