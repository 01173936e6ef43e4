// POST /v1/chat/completions: a complete or streamed answer to a conversation.
import { newId } from '../../kernel/ids.ts'
import type { Cost, MeteredReply, ModelOutcome, Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { withConcurrencyLimit } from '../concurrency-limit.ts'
import { type Call, ceilingPerAnswer, requirePinnedModel } from '../gateway.ts'
import { type Caller, createCall, type StreamCall } from '../model-call.ts'
import { prepareRequest } from '../prepare-request.ts'
import type { ChatRequest } from '../schema.ts'
import { outputTokensIn } from '../stream/output-text.ts'
import { finishReason, type RelayEnding, relay } from '../stream/relay.ts'
import { SseFilter, type StreamState } from '../stream/sse-filter.ts'
import { asStream, completionEvents } from '../stream/whole-as-stream.ts'
import { stickyKeyOf } from '../translation/sticky-key.ts'
import { Translation } from '../translation/translation.ts'
import { mediaIn, promptTokensOf } from '../upstream/media.ts'
import { askChat, readAll } from '../upstream/upstream-call.ts'
import { chatFields, ignoredChatFields } from '../upstream/upstream-fields.ts'
import { type CountedUsage, countUsage, evidenceFrom, toTurnUsage } from '../upstream/usage-count.ts'
import { runWireCall } from '../wire-call.ts'
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
import { chatError } from './wire-errors.ts'

const ENDPOINT = 'POST /v1/chat/completions'

export const complete = (app: App, caller: Caller, asked: ChatRequest): Promise<MeteredReply> =>
  withConcurrencyLimit(app, caller.actor, async () => {
    const { model } = asked
    const body = await prepareRequest(app, caller, asked, { endpoint: ENDPOINT, model })
    return completePrepared(app, caller, body, body !== asked)
  })

/** `isChanged`: the prompt is no longer that of the bytes of the request. */
async function completePrepared(
  app: App,
  caller: Caller,
  asked: ChatRequest,
  isChanged: boolean,
): Promise<MeteredReply> {
  const media = mediaIn(asked.messages, 'messages')
  const ceiling = ceilingIn(asked)
  const wantsUsage = asked.stream_options?.include_usage === true
  const translation = new Translation(app, { wire: 'openai-chat', body: asked, wantsUsage })
  const call = createCall(app, caller, {
    endpoint: ENDPOINT,
    model: asked.model,
    media,
    ...(isChanged && { promptTokens: promptTokensOf(asked, media) }),
    ceiling,
    answers: asked.n ?? 1,
    errorText: (refusal) => (translation.hasBegun ? translation.errorText(refusal) : chatError(refusal)),
    stickyKey: () => stickyKeyOf(asked.prompt_cache_key, asked.messages),
  })
  const answer = asked.stream ? streamed : whole
  return runWireCall(app, call, translation, (turn, tried) => {
    tried.nameChanges({ adapted: [], ignored: ignoredChatFields(asked) })
    return answer(app, tried, turn, asked)
  })
}

/** Both fields mean the same. The smaller one counts. */
function ceilingIn({ max_tokens, max_completion_tokens }: ChatRequest): number | null {
  const asked = [max_tokens, max_completion_tokens].filter((tokens) => typeof tokens === 'number')
  return asked.length > 0 ? Math.min(...asked) : null
}

async function whole(app: App, call: StreamCall, turn: Turn, asked: ChatRequest): Promise<ModelOutcome> {
  const ask = { outputCeiling: ceilingPerAnswer(call, turn), isStream: false }
  const { reply, requestBytes } = await askChat(app, call, chatFields(asked), ask)
  const bytes = await readAll(reply)
  const completion = completionIn(bytes)
  const { choices } = completion
  requirePinnedModel(app, call, completion.model)
  const outputTokens = () => outputTokensIn(choices)
  const { media } = call
  const used = countUsage(app, call, turn, {
    ...evidenceFrom(completion, asked, media),
    requestBytes,
    outputTokens,
  })
  const like = likeOf(app, call, asked)
  const isRenamed = call.route.classPrices !== null
  const filled = filledIn(
    isRenamed ? { ...completion, model: like.model } : completion,
    like,
    'chat.completion',
  )
  const isAsSent = !used.isOurs && !isRenamed && isFilled(completion, 'chat.completion')
  const usage = used.isOurs ? usageOf(used) : completion.usage
  const body = isAsSent ? bytes : JSON.stringify({ ...filled, usage })
  return {
    // A disconnected client receives nothing and pays nothing.
    used: call.signal.aborted ? null : toTurnUsage(used),
    finish: finishIn(choices),
    last: (cost) => costHeaders(body, cost),
  }
}

/** Defaults for the fields that the upstream omits. */
const likeOf = (app: App, { route }: Call, asked: ChatRequest) => ({
  id: newId('chatcmpl'),
  created: secondsOf(app),
  // A model of the catalogue has the name that the caller used, whatever the provider calls it.
  model: route.classPrices ? asked.model : route.model,
})

async function streamed(app: App, call: StreamCall, turn: Turn, asked: ChatRequest): Promise<ModelOutcome> {
  call.output.awaitFirstByte()
  const ask = { outputCeiling: ceilingPerAnswer(call, turn), isStream: true }
  const { reply, requestBytes } = await askChat(app, call, chatFields(asked), ask)
  const like = likeOf(app, call, asked)
  const sieve = new SseFilter(
    chatGrammar({
      like,
      requireModel: (model) => requirePinnedModel(app, call, model),
      answers: call.answers,
      isRenamed: call.route.classPrices !== null,
    }),
  )
  const ending = await relay(call, turn, await asStream(reply, completionEvents), sieve)
  const { seen, written } = sieve
  const isNothing = ending === 'stopped' && written.length === 0
  const { media } = call
  // Usage reported before the end covers less than was delivered.
  const said = ending === 'complete' ? seen.usage : null
  const evidence = { ...evidenceFrom(said, asked, media), requestBytes, outputTokens: () => written.tokens() }
  const used = isNothing ? null : countUsage(app, call, turn, evidence)
  const wantsUsage = asked.stream_options?.include_usage === true
  return {
    used: used && toTurnUsage(used),
    finish: finishReason(ending, seen),
    last: (cost) =>
      streamEnd({ seen, ending, like: seen.last ?? like, used: wantsUsage ? used : null }, cost),
  }
}

type RelayedAnswer = {
  readonly seen: StreamState
  readonly ending: RelayEnding
  readonly like: Chunk
  /** Null where the client did not ask for usage. */
  readonly used: CountedUsage | null
}

function streamEnd({ seen, ending, like, used }: RelayedAnswer, cost: Cost): string {
  // Adds the finish reason that the upstream omitted.
  const isUnsaid = ending === 'cut' || (ending === 'complete' && seen.finish === null)
  const finish = isUnsaid ? chunkText(lastChunk(like, finishReason(ending, seen))) : ''
  // Some upstreams report usage with the last text, so the client has received it already.
  const isTold = ending !== 'cut' && seen.usage !== null && seen.last === null
  if (!used || isTold) return finish + DONE
  const usage = used.isOurs ? usageOf(used) : seen.last?.usage
  return finish + chunkText(usageChunk(like, usage, cost)) + DONE
}
