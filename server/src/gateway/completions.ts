// Chat completions: a model's answer to a conversation, in one piece or as it is written.
import { newId } from '../kernel/ids.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { asOneOfFew } from './at-once.ts'
import { type Caller, callFor, type StreamCall } from './call-for.ts'
import { type Chunk, chatGrammar, filledIn, isFilled } from './chat-grammar.ts'
import {
  chunkText,
  completionIn,
  costHeaders,
  DONE,
  finishIn,
  lastChunk,
  secondsOf,
  usageChunk,
  usageOf,
} from './completion.ts'
import { type Call, type Cost, metered, type Reply, requireBound, type Worked } from './gateway.ts'
import { mediaIn } from './media.ts'
import { type Counted, countUse, withoutMark } from './own-count.ts'
import { chatPassedOn } from './passed-on.ts'
import { type Ending, finishOf, relay } from './relay.ts'
import type { ChatRequest } from './schema.ts'
import { type Seen, Sieve } from './sieve.ts'
import { askChat, readAll } from './upstream-call.ts'
import { asStream, completionEvents } from './whole-as-stream.ts'
import { chatError } from './wire-errors.ts'
import { outputTokensIn } from './written.ts'

export async function complete(app: App, caller: Caller, asked: ChatRequest): Promise<Reply> {
  const media = mediaIn(asked.messages, 'messages')
  const ceiling = ceilingIn(asked)
  const call = callFor(app, caller, { model: asked.model, media, ceiling, errorText: chatError })
  const answer = asked.stream ? streamed : whole
  return asOneOfFew(app, caller.actor, () => metered(app, call, (turn) => answer(app, call, turn, asked)))
}

/** Both names mean the same; where somebody says both, the smaller one is what they can be charged for. */
function ceilingIn({ max_tokens, max_completion_tokens }: ChatRequest): number | null {
  const asked = [max_tokens, max_completion_tokens].filter((tokens) => typeof tokens === 'number')
  return asked.length > 0 ? Math.min(...asked) : null
}

async function whole(app: App, call: StreamCall, turn: Turn, asked: ChatRequest): Promise<Worked> {
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
  const body = isAsSent ? bytes : JSON.stringify({ ...filled, usage })
  return {
    // Whoever has gone meanwhile gets nothing of it.
    used: call.signal.aborted ? null : withoutMark(used),
    finish: finishIn(choices),
    last: (cost) => costHeaders(body, cost),
  }
}

/** What an answer says about itself where the upstream leaves it out. */
const likeOf = (app: App, { route }: Call) => ({
  id: newId('chatcmpl'),
  created: secondsOf(app),
  model: route.model,
})

async function streamed(app: App, call: StreamCall, turn: Turn, asked: ChatRequest): Promise<Worked> {
  call.listener.awaitFirstByte()
  const ask = { outputCeiling: turn.outputCeiling, isStream: true }
  const { reply, requestBytes } = await askChat(app, call, chatPassedOn(asked), ask)
  const like = likeOf(app, call)
  const sieve = new Sieve(chatGrammar({ like, requireModel: (model) => requireBound(app, call, model) }))
  const ending = await relay(call, turn, await asStream(reply, completionEvents), sieve)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const { media } = call
  // What is said on the way is said of less than was delivered.
  const said = ending === 'complete' ? seen.usage : null
  const evidence = { said, asked, media, requestBytes, outputTokens: () => written.tokens() }
  const used = isNothing ? null : countUse(app, turn, evidence)
  const wantsUsage = asked.stream_options?.include_usage === true
  return {
    used: used && withoutMark(used),
    finish: finishOf(ending, seen),
    last: (cost) => endOf({ seen, ending, like: seen.last ?? like, used: wantsUsage ? used : null }, cost),
  }
}

type Relayed = {
  readonly seen: Seen
  readonly ending: Ending
  readonly like: Chunk
  /** Null where nobody asked for it. */
  readonly used: Counted | null
}

function endOf({ seen, ending, like, used }: Relayed, cost: Cost): string {
  // An answer that has ended says why, also where the upstream only said that it has.
  const isUnsaid = ending === 'cut' || (ending === 'complete' && seen.finish === null)
  const finish = isUnsaid ? chunkText(lastChunk(like, finishOf(ending, seen))) : ''
  // Some say it beside the last words, and then it has been heard already.
  const isTold = ending !== 'cut' && seen.usage !== null && seen.last === null
  if (!used || isTold) return finish + DONE
  const usage = used.isOurs ? usageOf(used) : seen.last?.usage
  return finish + chunkText(usageChunk(like, usage, cost)) + DONE
}
