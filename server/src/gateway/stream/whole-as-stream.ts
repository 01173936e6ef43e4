// Some upstreams send a complete answer although a stream was requested. The client still gets a stream.

import type { UpstreamReply } from '../../platform/inference/http/send.ts'
import type { RawDelta } from '../../platform/wires/openai/chat-chunk.ts'
import { chunkText, completionIn, DONE } from '../chat/completion.ts'
import { readAll } from '../upstream/upstream-call.ts'

/** The reply as a stream of events. `toEvents` converts a complete answer. */
export async function asStream(
  reply: UpstreamReply,
  toEvents: (body: Buffer) => string,
): Promise<UpstreamReply> {
  // The first read does not wait: a reply starts with its first byte.
  let early = await reply.read()
  if (early && isJson(early)) early = Buffer.from(toEvents(await readAll(reply, undefined, early)))
  const read = async (): Promise<Buffer | null> => {
    const first = early
    early = null
    return first ?? reply.read()
  }
  return { ...reply, read }
}

const isJson = (first: Buffer): boolean => /^\uFEFF?\s*[{[]/.test(first.toString('utf8', 0, 64))

export function completionEvents(body: Buffer): string {
  const completion = completionIn(body)
  const { usage, choices, ...like } = completion
  const chunk = { ...like, object: 'chat.completion.chunk' }
  const deltas = choices.map(({ message, ...choice }, index) => ({
    index,
    ...choice,
    delta: deltaOf(message),
  }))
  return (
    chunkText({ ...chunk, choices: deltas }) +
    (usage ? chunkText({ ...chunk, choices: [], usage }) : '') +
    DONE
  )
}

/** In a stream, tool calls have an index. */
function deltaOf(message: RawDelta | null | undefined): object {
  if (!message) return {}
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call: object, index) => ({ index, ...call })) }
}
