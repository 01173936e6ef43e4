// What a model has written in an answer that came in one piece, for the rare case that we have to count it ourselves.
import { countTokens } from '../platform/inference/inference.ts'

type Fields = Record<string, unknown>

/** Of a completion and of a response: where words stand, and what holds them. All else, such as probabilities, is about them. */
const WRITTEN = [
  'message',
  'content',
  'text',
  'refusal',
  'summary',
  'tool_calls',
  'function_call',
  'function',
  'custom',
  'name',
  'arguments',
  'input',
] as const
/** Some say their thoughts under two names. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'thinking'] as const

export function outputTokensIn(written: unknown): number {
  if (typeof written === 'string') return countTokens(written)
  if (Array.isArray(written)) return written.reduce<number>((sum, each) => sum + outputTokensIn(each), 0)
  if (written === null || typeof written !== 'object') return 0
  const fields = written as Fields
  const thought = THOUGHTS.map((name) => fields[name]).find((value) => typeof value === 'string')
  return WRITTEN.reduce((sum, name) => sum + outputTokensIn(fields[name]), outputTokensIn(thought))
}
