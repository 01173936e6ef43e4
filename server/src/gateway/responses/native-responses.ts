// The Responses API of the upstream. Whether an upstream has one is cached.
import { isUtf8 } from 'node:buffer'
import { toMs } from '../../kernel/clock.ts'
import { toJson } from '../../kernel/json.ts'
import type { Cost, ModelOutcome, Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { malformed } from '../../platform/inference/completion/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { recordIn } from '../chat/chat-grammar.ts'
import { costHeaders, withCost } from '../chat/completion.ts'
import { type Call, requirePinnedModel } from '../gateway.ts'
import type { StreamCall } from '../model-call.ts'
import type { ResponsesRequest } from '../schema.ts'
import type { ResponseStorage } from '../stored/response-storage.ts'
import { outputTokensIn } from '../stream/output-text.ts'
import { finishReason, relay } from '../stream/relay.ts'
import { SseFilter, type StreamState } from '../stream/sse-filter.ts'
import { asStream } from '../stream/whole-as-stream.ts'
import type { Translation } from '../translation/translation.ts'
import { readAll, tryUpstream, type UpstreamResult } from '../upstream/upstream-call.ts'
import { ignoredResponsesFields, responsesFields } from '../upstream/upstream-fields.ts'
import { countUsage, evidenceFrom, toTurnUsage } from '../upstream/usage-count.ts'
import { eventText, type ResponseEvent, responseEvents } from './response-events.ts'
import { requireWholeItem, responseGrammar } from './response-grammar.ts'

type Fields = Record<string, unknown>

const REMEMBERED_MS = toMs({ minutes: 30 })
const REMEMBERED_MAX = 16
/** The upstreams without a Responses API, with the expiry of that knowledge. */
const onlyChat = new Map<string, number>()

export type ResponseWork = {
  readonly asked: ResponsesRequest
  readonly translation: Translation
  /** Null where the response is not stored. */
  readonly storage: ResponseStorage | null
}

/** Null where the upstream has no Responses API. */
export async function respondNatively(
  app: App,
  call: StreamCall,
  turn: Turn,
  { asked, translation, storage }: ResponseWork,
): Promise<ModelOutcome | null> {
  const { baseUrl } = call.route.target
  const nowMs = app.clock.now().getTime()
  if ((onlyChat.get(baseUrl) ?? 0) > nowMs) return null
  const isStream = asked.stream === true
  call.nameChanges({ adapted: [], ignored: ignoredResponsesFields(asked, storage !== null) })
  const body = JSON.stringify(passedOn(asked, call.route.model, turn.outputCeiling))
  const replied = await tryUpstream(app, call, { path: '/responses', body, isStream })
  if ('missing' in replied) {
    if (replied.missing === 'address') rememberOnlyChat(baseUrl, nowMs)
    return null
  }
  return isStream
    ? streamed(app, call, turn, { asked, translation, storage }, replied)
    : whole(app, call, turn, { asked, translation, storage }, replied)
}

function rememberOnlyChat(baseUrl: string, nowMs: number): void {
  if (onlyChat.size >= REMEMBERED_MAX) onlyChat.clear()
  onlyChat.set(baseUrl, nowMs + REMEMBERED_MS)
}

/** `store: false`: the upstream must not keep anything. */
const passedOn = (asked: ResponsesRequest, model: string, outputCeiling: number): Fields => ({
  ...responsesFields(asked),
  input: statelessInput(asked),
  model,
  store: false,
  stream: asked.stream === true,
  max_output_tokens: outputCeiling,
})

/**
 * Stored items without the state of their provider: it knows neither their ids nor reasoning that is not encrypted. Items of
 * the request itself are the client's.
 */
function statelessInput({ input, previous_response_id: previous }: ResponsesRequest): unknown {
  if (typeof previous !== 'string' || typeof input === 'string') return input
  return input
    .filter(({ type, encrypted_content }) => type !== 'reasoning' || typeof encrypted_content === 'string')
    .map((item) => {
      if (item.type === 'reasoning') return item
      const { id: _, ...stateless } = item
      return stateless
    })
}

async function whole(
  app: App,
  call: Call,
  turn: Turn,
  { asked, storage }: ResponseWork,
  { reply, requestBytes }: UpstreamResult,
): Promise<ModelOutcome> {
  const received = responseIn(await readAll(reply))
  const response = storage?.identified(received) ?? received
  requirePinnedModel(app, call, response.model)
  const outputTokens = () => outputTokensIn(response.output)
  const { media } = call
  const used = countUsage(app, call, turn, {
    ...evidenceFrom(response, asked, media),
    requestBytes,
    outputTokens,
  })
  return {
    used: call.signal.aborted ? null : toTurnUsage(used),
    finish: String(response.status),
    last: (cost) => costHeaders(toJson({ ...response, usage: withCost(response.usage, cost) }), cost),
  }
}

/** Parses a response. Throws when it is malformed or empty. */
function responseIn(body: Buffer): Fields & { output: unknown[] } {
  if (!isUtf8(body)) throw malformed('bytes that are no text')
  const response = recordIn(body.toString())
  const output = response?.output
  if (!response || response.error || !Array.isArray(output) || output.length === 0)
    throw new UpstreamFailed('failed', 'the upstream returned no response')
  for (const item of output) requireWholeItem(item)
  return { ...response, output }
}

async function streamed(
  app: App,
  call: StreamCall,
  turn: Turn,
  { asked, translation, storage }: ResponseWork,
  { reply, requestBytes }: UpstreamResult,
): Promise<ModelOutcome> {
  const grammar = responseGrammar({
    requireModel: (model) => requirePinnedModel(app, call, model),
    rewrite: storage && ((response) => storage.identified(response)),
  })
  const sieve = new SseFilter(grammar)
  const stream = await asStream(reply, (body) => responseEvents(responseIn(body)))
  const ending = await relay(call, turn, stream, sieve)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const { media } = call
  const said = ending === 'complete' ? seen.usage : null
  const evidence = { ...evidenceFrom(said, asked, media), requestBytes, outputTokens: () => written.tokens() }
  const used = isNothing ? null : countUsage(app, call, turn, evidence)
  return {
    used: used && toTurnUsage(used),
    finish: finishReason(ending, seen),
    last: (cost) => {
      // The last event of an answer that we cut does not repeat the output.
      if (ending === 'cut' && used) return translation.cutText(call, used, cost)
      const event = lastEvent(seen, cost)
      return event ? eventText(event) : ''
    },
  }
}

/** The withheld last event, with the cost; null after a disconnect. */
function lastEvent({ last }: StreamState, cost: Cost): ResponseEvent | null {
  const event = last as (ResponseEvent & { response: Fields }) | null
  return event && { ...event, response: { ...event.response, usage: withCost(event.response.usage, cost) } }
}
