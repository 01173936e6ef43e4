// Chat completions: a model's answer to a conversation, in one piece or as it is written.
import { newId } from '../kernel/ids.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Answer } from '../platform/http/answer.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import type { EventStream } from '../platform/http/sse.ts'
import { asOneOfFew } from './at-once.ts'
import { callFor } from './call-for.ts'
import { type Chunk, chatGrammar, filledIn, isFilled } from './chat-grammar.ts'
import {
  chunkText,
  completionIn,
  costHeaders,
  DONE,
  finishIn,
  lastChunk,
  usageChunk,
  usageOf,
} from './completion.ts'
import { type Call, metered, requireBound, type Worked } from './gateway.ts'
import { Listener } from './listener.ts'
import { mediaIn } from './media.ts'
import { completeOurselves, secondsOf } from './our-completions.ts'
import { type Counted, countUse, withoutMark } from './own-count.ts'
import { chatPassedOn } from './passed-on.ts'
import { type Ending, finishOf, relay } from './relay.ts'
import type { ChatRequest } from './schema.ts'
import { type Seen, Sieve } from './sieve.ts'
import { askChat, type Replied, readAll } from './upstream-call.ts'
import { asStream, completionEvents } from './whole-as-stream.ts'
import { outputTokensIn } from './written.ts'

export async function complete(
  app: App,
  actor: Actor,
  asked: ChatRequest,
  request: RequestInfo,
  open: () => EventStream,
): Promise<Answer | undefined> {
  const listener = new Listener(request.gone, open)
  const media = mediaIn(asked.messages, 'messages')
  const call = callFor(app, actor, {
    model: asked.model,
    media,
    ceiling: ceilingIn(asked),
    request,
    listener,
  })
  return asOneOfFew(app, actor, () =>
    (call.route.target.kind === 'mock' ? completeOurselves : fromUpstream)(app, call, asked, listener),
  )
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
function ceilingIn({ max_tokens, max_completion_tokens }: ChatRequest): number | null {
  const asked = [max_tokens, max_completion_tokens].filter((tokens) => typeof tokens === 'number')
  return asked.length > 0 ? Math.min(...asked) : null
}

async function whole(app: App, call: Call, asked: ChatRequest): Promise<Answer> {
  const paid = await metered(app, call, async (turn): Promise<Worked<Buffer | string>> => {
    const ask = { outputCeiling: turn.outputCeiling, isStream: false }
    const { reply, requestBytes } = await askChat(app, call, chatPassedOn(asked), ask)
    const bytes = await readAll(reply)
    const completion = completionIn(bytes)
    const { choices } = completion
    requireBound(app, call, completion.model)
    const outputTokens = () => outputTokensIn(choices)
    const { media } = call
    const used = countUse(app, turn, { said: completion, asked, media, requestBytes, outputTokens })
    const filled = filledIn(completion, likeOf(app, call), 'chat.completion')
    const isAsSent = !used.isOurs && isFilled(completion, 'chat.completion')
    const usage = used.isOurs ? usageOf(used) : completion.usage
    const value = isAsSent ? bytes : JSON.stringify({ ...filled, usage })
    // Whoever has gone meanwhile gets nothing of it.
    const isHeard = !call.signal.aborted
    return { used: isHeard ? withoutMark(used) : null, finish: finishIn(choices), value }
  })
  return costHeaders(paid)
}

/** What an answer says about itself where the upstream leaves it out. */
const likeOf = (app: App, { route }: Call) => ({
  id: newId('chatcmpl'),
  created: secondsOf(app),
  model: route.model,
})

async function streamed(app: App, call: Call, asked: ChatRequest, listener: Listener): Promise<undefined> {
  const { value, ...cost } = await metered(app, call, async (turn) => {
    const ask = { outputCeiling: turn.outputCeiling, isStream: true }
    const replied = await askChat(app, call, chatPassedOn(asked), ask)
    return relayChat(app, call, turn, asked, replied, listener)
  })
  const { used, seen, ending, like } = value
  // An answer that has ended says why, also where the upstream only said that it has.
  if (ending === 'cut' || (ending === 'complete' && seen.finish === null))
    await listener.send(chunkText(lastChunk(like, finishOf(ending, seen))))
  const wantsUsage = asked.stream_options?.include_usage === true
  // Some say it beside the last words, and then it has been heard already.
  const isTold = ending !== 'cut' && seen.usage !== null && seen.last === null
  if (wantsUsage && used && !isTold) {
    const usage = used.isOurs ? usageOf(used) : seen.last?.usage
    await listener.send(chunkText(usageChunk(like, usage, cost)))
  }
  await listener.send(DONE)
}

type Relayed = {
  readonly seen: Seen
  readonly used: Counted | null
  readonly ending: Ending
  readonly like: Chunk
}

async function relayChat(
  app: App,
  call: Call,
  turn: Turn,
  asked: ChatRequest,
  { reply, requestBytes }: Replied,
  listener: Listener,
): Promise<Worked<Relayed>> {
  const like = likeOf(app, call)
  const sieve = new Sieve(chatGrammar({ like, requireModel: (model) => requireBound(app, call, model) }))
  const ending = await relay(call, turn, await asStream(reply, completionEvents), sieve, listener)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const { media } = call
  // What is said on the way is said of less than was delivered.
  const said = ending === 'complete' ? seen.usage : null
  const evidence = { said, asked, media, requestBytes, outputTokens: () => written.tokens() }
  const used = isNothing ? null : countUse(app, turn, evidence)
  return {
    used: used && withoutMark(used),
    finish: finishOf(ending, seen),
    value: { seen, used, ending, like: seen.last ?? like },
  }
}
