// Runs a call of any client format: natively where the provider has that format, otherwise translated.
import { ApiError, invalidFields } from '../kernel/errors.ts'
import { type CallWork, type MeteredReply, type ModelOutcome, runMeteredCall } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { estimatePrompt } from '../platform/inference/inference.ts'
import {
  type Conversation,
  promptOf,
  type RequestContext,
  type WireName,
  wireOf,
} from '../platform/wires/wires.ts'
import { withConcurrencyLimit } from './concurrency-limit.ts'
import { type Caller, createCall, type StreamCall } from './model-call.ts'
import { prepareRequest } from './prepare-request.ts'
import { stickyKeyOf } from './translation/sticky-key.ts'
import { fieldError, Translation } from './translation/translation.ts'

type Fields = Record<string, unknown>
export const ANSWERS_MAX = 8

const ENDPOINTS: Readonly<Record<WireName, string>> = {
  'openai-chat': 'POST /v1/chat/completions',
  'openai-responses': 'POST /v1/responses',
  anthropic: 'POST /v1/messages',
  gemini: 'POST /v1beta/models/{model}',
}
export type WireContext = RequestContext & {
  /** Gemini: a stream as a JSON array instead of events. */
  readonly isArray?: boolean
}

/** Answers a request in the format of its client. */
export async function answerInWire(
  app: App,
  caller: Caller,
  wire: WireName,
  body: Fields,
  context: WireContext = {},
): Promise<MeteredReply> {
  const model = context.model ?? String(body.model)
  return withConcurrencyLimit(app, caller.actor, async () => {
    const prepared = await prepareRequest(app, caller, body, { endpoint: ENDPOINTS[wire], model })
    return answerPrepared(app, caller, wire, prepared, context)
  })
}

async function answerPrepared(
  app: App,
  caller: Caller,
  wire: WireName,
  body: Fields,
  context: WireContext,
): Promise<MeteredReply> {
  const translation = new Translation(app, { wire, body, context, isArray: context.isArray ?? false })
  const { conversation } = translation
  requireInlineMedia(conversation)
  const { model, options, messages, system } = conversation
  const { mediaTokens, mediaCharacters, hasFiles } = promptOf(conversation)
  const call = createCall(app, caller, {
    endpoint: ENDPOINTS[wire],
    model,
    media: { texts: [], characters: mediaCharacters, tokens: mediaTokens, hasFiles },
    promptTokens: estimatePrompt(conversation),
    ceiling: options.maxTokens,
    answers: answersIn(options.count),
    errorText: (refusal) => translation.errorText(refusal),
    keepAlive: translation.keepAlive,
    stickyKey: () => stickyKeyOf(options.cacheKey, system, messages),
  })
  return runWireCall(app, call, translation, (turn, tried) => translation.answer(app, tried, turn))
}

/** `native` answers over providers of the OpenAI format. `finish` completes the outcome of any provider. */
export async function runWireCall(
  app: App,
  call: StreamCall,
  translation: Translation,
  native: CallWork<StreamCall>,
  finish?: (outcome: ModelOutcome) => ModelOutcome,
): Promise<MeteredReply> {
  try {
    return await runMeteredCall(app, call, async (turn, tried) => {
      const isNative = (tried.route.target.wire ?? 'openai') === 'openai'
      const outcome = await (isNative ? native(turn, tried) : translation.answer(app, tried, turn))
      return finish ? finish(outcome) : outcome
    })
  } catch (error) {
    throw fieldError(error)
  }
}

/** Every answer is held and charged, so their number is limited. */
function answersIn(count = 1): number {
  if (count > ANSWERS_MAX)
    throw new ApiError('bad_request', { error: `At most ${ANSWERS_MAX} answers can be requested at once.` })
  return count
}

/** Images were fetched before. Other files are never fetched, neither here nor by the provider. */
function requireInlineMedia({ wire, messages }: Conversation): void {
  const blocks = messages.flatMap(({ blocks }) => blocks)
  const inResults = blocks.flatMap((block) => (block.kind === 'tool_result' ? block.content : []))
  for (const block of [...blocks, ...inResults])
    if ((block.kind === 'file' || block.kind === 'image') && block.source.kind === 'url')
      throw invalidFields({
        path: wireOf(wire).fieldOf(`block.${block.kind}.url`).replaceAll('[]', ''),
        message: 'must be the file itself; URLs of files are not fetched',
      })
}
