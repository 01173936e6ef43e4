// Answers the prompt that rewrites a search query: joins neighbouring words of the query as names in code are written.
import { type Message, systemOf, textsOf } from './prompt.ts'

const FORM = '{"words": ["'
const WORDS_MAX = 10

/** Null when the prompt asks for something else. */
export function rewriteReply(messages: readonly Message[]): string | null {
  if (!systemOf(messages).slice(0, 8_000).includes(FORM)) return null
  const query = queryIn(textsOf(messages, 'user').join('\n'))
  const words = query.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []
  const names = words
    .slice(1)
    .map((word, at) => `${words[at]}${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return JSON.stringify({ words: [...new Set([...names, ...words])].slice(0, WORDS_MAX) })
}

function queryIn(content: string): string {
  try {
    const { query } = JSON.parse(content) as { query?: unknown }
    return typeof query === 'string' ? query.slice(0, 2_000) : ''
  } catch {
    return ''
  }
}
