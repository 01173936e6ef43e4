// The Responses API of the upstream itself, where it has one. Whether it has is remembered, so that it is not asked each time.
import { isUtf8 } from 'node:buffer'
import { toMs } from '../kernel/clock.ts'
import { toJson } from '../kernel/json.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { malformed } from '../platform/inference/completion-chunk.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { StreamCall } from './call-for.ts'
import { recordIn } from './chat-grammar.ts'
import { costHeaders, secondsOf, withCost } from './completion.ts'
import { type Call, type Cost, requireBound, type Worked } from './gateway.ts'
import { type Counted, countUse, withoutMark } from './own-count.ts'
import { responsesPassedOn } from './passed-on.ts'
import { finishOf, relay } from './relay.ts'
import { responseEvents } from './response-events.ts'
import { requireWholeItem, responseGrammar } from './response-grammar.ts'
import { responseUsage } from './response-usage.ts'
import { eventText, type ResponseEvent, ResponseWriter } from './response-writer.ts'
import type { ResponsesRequest } from './schema.ts'
import { type Seen, Sieve } from './sieve.ts'
import { type Replied, readAll, tryUpstream } from './upstream-call.ts'
import { asStream } from './whole-as-stream.ts'
import { outputTokensIn } from './written.ts'

type Fields = Record<string, unknown>

const REMEMBERED_MS = toMs({ minutes: 30 })
const REMEMBERED_MAX = 16
/** Until when an upstream counts as one that knows only chat completions. */
const onlyChat = new Map<string, number>()

/** Null where the upstream knows only chat completions. */
export async function respondNatively(
  app: App,
  call: StreamCall,
  turn: Turn,
  asked: ResponsesRequest,
): Promise<Worked | null> {
  const { baseUrl } = call.route.target
  const nowMs = app.clock.now().getTime()
  if ((onlyChat.get(baseUrl) ?? 0) > nowMs) return null
  const isStream = asked.stream === true
  const body = JSON.stringify(passedOn(asked, call.route.model, turn.outputCeiling))
  const replied = await tryUpstream(app, call, { path: '/responses', body, isStream })
  if ('missing' in replied) {
    if (replied.missing === 'address') rememberOnlyChat(baseUrl, nowMs)
    return null
  }
  return (isStream ? streamed : whole)(app, call, turn, asked, replied)
}

function rememberOnlyChat(baseUrl: string, nowMs: number): void {
  if (onlyChat.size >= REMEMBERED_MAX) onlyChat.clear()
  onlyChat.set(baseUrl, nowMs + REMEMBERED_MS)
}

/** Nothing is kept at the upstream. */
const passedOn = (asked: ResponsesRequest, model: string, outputCeiling: number): Fields => ({
  ...responsesPassedOn(asked),
  model,
  store: false,
  stream: asked.stream === true,
  max_output_tokens: outputCeiling,
})

async function whole(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  { reply, requestBytes }: Replied,
): Promise<Worked> {
  const response = responseIn(await readAll(reply))
  requireBound(app, call, response.model)
  const outputTokens = () => outputTokensIn(response.output)
  const { media } = call
  const used = countUse(app, turn, { said: response, asked, media, requestBytes, outputTokens })
  return {
    used: call.signal.aborted ? null : withoutMark(used),
    finish: String(response.status),
    last: (cost) => costHeaders(toJson({ ...response, usage: withCost(response.usage, cost) }), cost),
  }
}

/** A response that says something. Throws when it is none, or malformed. */
function responseIn(body: Buffer): Fields & { output: unknown[] } {
  if (!isUtf8(body)) throw malformed('bytes that are no text')
  const response = recordIn(body.toString())
  const output = response?.output
  if (!response || response.error || !Array.isArray(output) || output.length === 0)
    throw new UpstreamFailed('failed', 'it answered with no response')
  for (const item of output) requireWholeItem(item)
  return { ...response, output }
}

async function streamed(
  app: App,
  call: StreamCall,
  turn: Turn,
  asked: ResponsesRequest,
  { reply, requestBytes }: Replied,
): Promise<Worked> {
  const sieve = new Sieve(responseGrammar((model) => requireBound(app, call, model)))
  const stream = await asStream(reply, (body) => responseEvents(responseIn(body)))
  const ending = await relay(call, turn, stream, sieve)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const { media } = call
  const said = ending === 'complete' ? seen.usage : null
  const evidence = { said, asked, media, requestBytes, outputTokens: () => written.tokens() }
  const used = isNothing ? null : countUse(app, turn, evidence)
  return {
    used: used && withoutMark(used),
    finish: finishOf(ending, seen),
    last: (cost) => {
      const event = ending === 'cut' ? cutEvent(app, call, asked, used, cost) : lastEvent(seen, cost)
      return event ? eventText(event) : ''
    },
  }
}

/** The event that was kept back, with the cost. Whoever has gone gets none. */
function lastEvent({ last }: Seen, cost: Cost): ResponseEvent | null {
  const event = last as (ResponseEvent & { response: Fields }) | null
  return event && { ...event, response: { ...event.response, usage: withCost(event.response.usage, cost) } }
}

/** The end of an answer that we ended. What had been written is not repeated in it. */
function cutEvent(
  app: App,
  { route }: Call,
  asked: ResponsesRequest,
  used: Counted | null,
  cost: Cost,
): ResponseEvent {
  const writer = new ResponseWriter(asked, { model: route.model, createdAt: secondsOf(app) })
  return writer.last('length', responseUsage(used, cost))
}
