// Some upstreams answer in one piece although they were asked to stream. Whoever listens gets a stream all the same.
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { UpstreamReply } from '../platform/inference/send.ts'
import { chunkOf } from './chat-grammar.ts'
import { type Completion, chunkText, DONE } from './completion.ts'
import { readAll } from './upstream-call.ts'

export function asStream(reply: UpstreamReply): UpstreamReply {
  if (!/^application\/json\b/.test(String(reply.headers['content-type']))) return reply
  let isRead = false
  const read = async (): Promise<Buffer | null> => {
    if (isRead) return null
    isRead = true
    return eventsOf(chunkOf((await readAll(reply)).toString()) as Completion | null)
  }
  return { ...reply, read }
}

function eventsOf(completion: Completion | null): Buffer {
  if (!completion || completion.error || !Array.isArray(completion.choices))
    throw new UpstreamFailed('failed', 'it answered with no completion')
  const { usage, choices, ...like } = completion
  const chunk = { ...like, object: 'chat.completion.chunk' }
  const deltas = choices.map(({ message, ...choice }, index) => ({
    index,
    ...choice,
    delta: deltaOf(message),
  }))
  return Buffer.from(
    chunkText({ ...chunk, choices: deltas }) +
      (usage ? chunkText({ ...chunk, choices: [], usage }) : '') +
      DONE,
  )
}

/** In a stream the calls of tools are numbered. */
function deltaOf(message: Record<string, unknown> = {}): object {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call: object, index) => ({ index, ...call })) }
}
