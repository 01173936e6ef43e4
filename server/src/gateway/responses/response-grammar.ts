// Parses the events of a Responses API stream.
import { malformed } from '../../platform/inference/completion/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { recordIn } from '../chat/chat-grammar.ts'
import { requireWholeArguments } from '../chat/tool-calls.ts'
import type { EventAction, EventGrammar, StreamState } from '../stream/sse-filter.ts'

type Fields = Record<string, unknown>

export type ResponseGrammar = {
  /** Throws when the residency policy forbids the model. */
  readonly requireModel: (model: unknown) => void
  /** Changes the response that some events contain. Default: events are passed on as they are. */
  readonly rewrite: ((response: Fields) => Fields) | null
}

export const responseGrammar = ({ requireModel, rewrite }: ResponseGrammar): EventGrammar => ({
  read(data, seen, written) {
    if (data.trim() === '') return 'drop'
    // Some upstreams also send the end marker of chat completions.
    if (data.trim() === '[DONE]') return 'drop'
    const event = recordIn(data)
    if (!event || typeof event.type !== 'string') throw malformed('an event that is no part of a response')
    const response = fieldsIn(event.response)
    requireModel(response?.model)
    // Only deltas are counted: the complete text repeats them.
    if (typeof event.delta === 'string') written.add(event.delta)
    else if (TEXTS.has(event.type)) throw malformed('a delta that is not text')
    if (event.type === 'response.output_item.done') requireWholeItem(event.item)
    const rewritten = rewrite && response ? { ...event, response: rewrite(response) } : event
    if (ENDINGS.has(event.type)) return endOf(rewritten, response, seen)
    return rewritten === event ? 'keep' : { event: event.type, data: JSON.stringify(rewritten) }
  },
})

const TEXTS = new Set(['response.output_text.delta', 'response.function_call_arguments.delta'])
const ENDINGS = new Set(['error', 'response.completed', 'response.incomplete', 'response.failed'])

function endOf(event: Fields, response: Fields | null, seen: StreamState): EventAction {
  if (event.type === 'error' || event.type === 'response.failed' || !response)
    throw new UpstreamFailed('failed', 'the upstream failed before the end of its answer')
  seen.usage = response
  seen.finish = event.type === 'response.completed' ? 'stop' : 'length'
  seen.last = event
  return 'end'
}

/** A completed tool call must have complete arguments. */
export function requireWholeItem(item: unknown): void {
  const { type, status, arguments: given } = fieldsIn(item) ?? {}
  if (type === 'function_call' && status !== 'incomplete' && typeof given === 'string')
    requireWholeArguments(given)
}

const fieldsIn = (value: unknown): Fields | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : null
