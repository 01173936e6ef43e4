// How many tokens a text has: an estimate that is never too low before the work, a real count where nobody else counted.
import type { Message } from './question.ts'

/** Each message costs a few tokens of its own. */
const PER_MESSAGE = 8

/** As a tokenizer counts. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** A count of a whole prompt, for settling. */
export const promptTokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content) + PER_MESSAGE, 0)

/** What a prompt has at most: cheap, and what a worst case is reserved by. */
export const promptTokensAtMost = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 3) + PER_MESSAGE, 0)
