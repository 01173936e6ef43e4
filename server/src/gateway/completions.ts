// Chat completions: a model's answer to a conversation, in one piece or as it is written.
import { newId } from '../kernel/ids.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Answer } from '../platform/http/answer.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import type { EventStream } from '../platform/http/sse.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { promptTokensAtMostOf } from '../platform/inference/tokens.ts'
import { asOneOfFew } from './at-once.ts'
import { type Chunk, chatGrammar, chunkOf } from './chat-grammar.ts'
import { type Completion, chunkText, costHeaders, DONE, usageChunk, usageOf } from './completion.ts'
import {
  type Call,
  LEAST_OUTPUT,
  metered,
  requireBound,
  routeTo,
  USUAL_OUTPUT,
  type Worked,
} from './gateway.ts'
import { Listener } from './listener.ts'
import { completeOurselves, secondsOf } from './our-completions.ts'
import { type Counted, countUse, promptTokensIn, withoutMark } from './own-count.ts'
import { relay } from './relay.ts'
import type { ChatRequest } from './schema.ts'
import { type Seen, Sieve } from './sieve.ts'
import { askChat, type Replied, readAll } from './upstream-call.ts'
import { asStream } from './whole-as-stream.ts'

export async function complete(
  app: App,
  actor: Actor,
  asked: ChatRequest,
  request: RequestInfo,
  open: () => EventStream,
): Promise<Answer | undefined> {
  const route = routeTo(app, actor, asked.model)
  request.setHeader('x-cowrie-lane', route.lane)
  const listener = new Listener(request.gone, open)
  const call = {
    actor,
    route,
    promptTokens: promptTokensAtMostOf(request.raw?.toString() ?? ''),
    outputCeiling: ceilingOf(asked),
    leastOutput: LEAST_OUTPUT,
    signal: listener.signal,
  }
  const answer = () =>
    (route.target.kind === 'mock' ? completeOurselves : fromUpstream)(app, call, asked, listener)
  return asked.stream ? asOneOfFew(app, actor, answer) : answer()
}

function fromUpstream(
  app: App,
  call: Call,
  asked: ChatRequest,
  listener: Listener,
): Promise<Answer | undefined> {
  return asked.stream ? streamed(app, call, asked, listener) : whole(app, call, asked)
}

/** Both names mean the same; where somebody says both, the smaller one is what they can be charged for. */
const ceilingOf = ({ max_tokens, max_completion_tokens }: ChatRequest): number =>
  Math.min(max_tokens ?? max_completion_tokens ?? USUAL_OUTPUT, max_completion_tokens ?? Infinity)

/** What is ours to say, and what would be done in our name: kept at the upstream, or served at another price. */
function passedOn(asked: ChatRequest): Record<string, unknown> {
  const { max_tokens, max_completion_tokens, store, metadata, service_tier, ...rest } = asked
  return rest
}

async function whole(app: App, call: Call, asked: ChatRequest): Promise<Answer> {
  const paid = await metered(app, call, async (turn): Promise<Worked<Buffer | string>> => {
    const ask = { outputCeiling: turn.outputCeiling, isStream: false }
    const { reply, requestBytes } = await askChat(app, call, passedOn(asked), ask)
    const bytes = await readAll(reply)
    const completion = completionIn(bytes)
    requireBound(app, call, completion.model)
    const outputTokens = () => promptTokensIn({ messages: completion.choices })
    const used = countUse(app, turn, { said: completion, asked, requestBytes, outputTokens })
    const value = used.isOurs ? JSON.stringify({ ...completion, usage: usageOf(used) }) : bytes
    // Whoever has gone meanwhile gets nothing of it.
    const isHeard = !call.signal.aborted
    return { used: isHeard ? withoutMark(used) : null, finish: finishIn(completion), value }
  })
  return costHeaders(paid)
}

async function streamed(app: App, call: Call, asked: ChatRequest, listener: Listener): Promise<undefined> {
  const { value, ...cost } = await metered(app, call, async (turn) => {
    const ask = { outputCeiling: turn.outputCeiling, isStream: true }
    const replied = await askChat(app, call, passedOn(asked), ask)
    return relayChat(app, call, turn, asked, replied, listener)
  })
  const { used, seen } = value
  const wantsUsage = asked.stream_options?.include_usage === true
  // Some say it beside the last words, and then it has been heard already.
  const isTold = seen.usage !== null && seen.last === null
  if (wantsUsage && used && !isTold) {
    const usage = used.isOurs ? usageOf(used) : seen.last?.usage
    const like = seen.last ?? { id: newId('chatcmpl'), created: secondsOf(app), model: call.route.model }
    await listener.send(chunkText(usageChunk(like, usage, cost)))
  }
  await listener.send(DONE)
}

type Relayed = { readonly seen: Seen; readonly used: Counted | null }

async function relayChat(
  app: App,
  call: Call,
  turn: Turn,
  asked: ChatRequest,
  { reply, requestBytes }: Replied,
  listener: Listener,
): Promise<Worked<Relayed>> {
  const sieve = new Sieve(chatGrammar)
  const ending = await relay(app, call, turn, asStream(reply), sieve, listener)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const outputTokens = () => written.tokens()
  const used = isNothing ? null : countUse(app, turn, { said: seen.usage, asked, requestBytes, outputTokens })
  const finish = ending === 'stopped' ? ending : (seen.finish ?? 'stop')
  return { used: used && withoutMark(used), finish, value: { seen, used } }
}

/** A completion that says something. Throws what is none. */
function completionIn(bytes: Buffer): Completion {
  const completion = chunkOf(bytes.toString()) as Completion | null
  if (!completion || completion.error || !Array.isArray(completion.choices))
    throw new UpstreamFailed('failed', 'it answered with no completion')
  const isEmpty = completion.choices.every(({ message }) => isNothing(message))
  if (isEmpty && finishIn(completion) !== 'length')
    throw new UpstreamFailed('failed', 'it answered with nothing')
  return completion
}

const finishIn = ({ choices }: Chunk): string => String(choices?.[0]?.finish_reason ?? 'stop')

const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning', 'tool_calls', 'function_call', 'audio']
const isNothing = (message: Record<string, unknown> | undefined): boolean =>
  TEXTS.every((name) => {
    const value = message?.[name]
    return (
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    )
  })
