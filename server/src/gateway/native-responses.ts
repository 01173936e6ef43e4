// The Responses API of the upstream itself, where it has one. Whether it has is remembered, so that it is not asked each time.
import { toMs } from '../kernel/clock.ts'
import { toJson } from '../kernel/json.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { chunkOf } from './chat-grammar.ts'
import { costHeaders, type Finish, withCost } from './completion.ts'
import { type Call, requireBound, type Worked } from './gateway.ts'
import type { Listener } from './listener.ts'
import { countUse, promptTokensIn, withoutMark } from './own-count.ts'
import { relay } from './relay.ts'
import { responseGrammar } from './response-grammar.ts'
import { eventText, type ResponseEvent } from './response-writer.ts'
import type { ResponsesRequest } from './schema.ts'
import { Sieve } from './sieve.ts'
import { httpTargetOf, type Replied, readAll, tryUpstream } from './upstream-call.ts'

type Fields = Record<string, unknown>

const REMEMBERED_MS = toMs({ minutes: 30 })
const REMEMBERED_MAX = 16
/** Until when an upstream counts as one that knows only chat completions. */
const onlyChat = new Map<string, number>()

/** Null where the upstream knows only chat completions. */
export async function respondNatively(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  listener: Listener,
): Promise<Worked<Finish> | null> {
  if (call.route.target.kind !== 'http') return null
  const { baseUrl } = httpTargetOf(call)
  const nowMs = app.clock.now().getTime()
  if ((onlyChat.get(baseUrl) ?? 0) > nowMs) return null
  const isStream = asked.stream === true
  const body = JSON.stringify(passedOn(asked, call.route.model, turn.outputCeiling))
  const replied = await tryUpstream(app, call, { path: '/responses', body, isStream })
  if (!replied) {
    if (onlyChat.size >= REMEMBERED_MAX) onlyChat.clear()
    onlyChat.set(baseUrl, nowMs + REMEMBERED_MS)
    return null
  }
  return isStream
    ? streamed(app, call, turn, asked, replied, listener)
    : whole(app, call, turn, asked, replied)
}

/** Nothing is kept at the upstream, and its own tools, which have prices of their own, are not offered. */
function passedOn(asked: ResponsesRequest, model: string, outputCeiling: number): Fields {
  const { metadata, service_tier, tools, tool_choice, ...rest } = asked
  const ours = (tools ?? []).filter(({ type }) => type === 'function' || type === 'custom')
  return {
    ...rest,
    model,
    store: false,
    stream: asked.stream === true,
    max_output_tokens: outputCeiling,
    ...(ours.length > 0 && { tools: ours, ...(tool_choice !== undefined && { tool_choice }) }),
  }
}

async function whole(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  { reply, requestBytes }: Replied,
): Promise<Worked<Finish>> {
  const response = chunkOf((await readAll(reply)).toString()) as Fields | null
  if (!response || response.error || !Array.isArray(response.output) || response.output.length === 0)
    throw new UpstreamFailed('failed', 'it answered with no response')
  requireBound(app, call, response.model)
  const outputTokens = () => promptTokensIn({ messages: response.output })
  const used = countUse(app, turn, { said: response, asked, requestBytes, outputTokens })
  return {
    used: call.signal.aborted ? null : withoutMark(used),
    finish: String(response.status),
    value: async (cost) =>
      costHeaders({ ...cost, value: toJson({ ...response, usage: withCost(response.usage, cost) }) }),
  }
}

async function streamed(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  { reply, requestBytes }: Replied,
  listener: Listener,
): Promise<Worked<Finish>> {
  const sieve = new Sieve(responseGrammar)
  const ending = await relay(app, call, turn, reply, sieve, listener)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const outputTokens = () => written.tokens()
  const used = isNothing ? null : countUse(app, turn, { said: seen.usage, asked, requestBytes, outputTokens })
  return {
    used: used && withoutMark(used),
    finish: ending === 'stopped' ? ending : (seen.finish ?? 'stop'),
    value: async (cost) => {
      const event = seen.last as (ResponseEvent & { response: Fields }) | null
      if (!event) return undefined
      const response = { ...event.response, usage: withCost(event.response.usage, cost) }
      await listener.send(eventText({ ...event, response }))
      return undefined
    },
  }
}
