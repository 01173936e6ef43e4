// Some upstreams answer in one piece although they were asked to stream. The caller gets a stream all the same.
import type { RawDelta } from '../../platform/inference/completion-chunk.ts'
import type { UpstreamReply } from '../../platform/inference/send.ts'
import { chunkText, completionIn, DONE } from '../chat/completion.ts'
import { readAll } from '../upstream/upstream-call.ts'

/** A reply as events; `toEvents` makes them of an answer in one piece. */
export async function asStream(
  reply: UpstreamReply,
  toEvents: (body: Buffer) => string,
): Promise<UpstreamReply> {
  // The first byte is here already: a reply begins with it.
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

/** In a stream the calls of tools are numbered. */
function deltaOf(message: RawDelta | null | undefined): object {
  if (!message) return {}
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  return { ...message, tool_calls: calls.map((call: object, index) => ({ index, ...call })) }
}
