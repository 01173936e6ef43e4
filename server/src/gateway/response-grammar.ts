// How the Responses API speaks in a stream, where an upstream has it: only its last event is looked into.
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { chunkOf } from './chat-grammar.ts'
import type { Grammar, Seen, Verdict } from './sieve.ts'

export const responseGrammar: Grammar = {
  // Every text is said once as a delta and again when it is complete; once is enough for counting.
  pattern: /"delta"\s*:\s*"|("type"\s*:\s*"(?:response\.(?:completed|incomplete|failed)|error)")/gm,
  read: readEvent,
}

function readEvent(data: string, seen: Seen): Verdict {
  const event = chunkOf(data)
  if (!event) return 'drop'
  // Items have types of their own; the type of the event is the one that counts.
  if (!/^(error|response\.(completed|incomplete|failed))$/.test(String(event.type))) return 'keep'
  const response = event.response as Record<string, unknown> | undefined
  if (event.type === 'error' || event.type === 'response.failed' || !response)
    throw new UpstreamFailed('failed', 'it failed in the middle of its answer')
  seen.usage = response
  seen.model = typeof response.model === 'string' ? response.model : null
  seen.finish = event.type === 'response.completed' ? 'stop' : 'length'
  seen.last = event
  return 'end'
}
