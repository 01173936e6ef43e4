// POST /v1/responses: through the Responses API of the provider, otherwise translated.
import type { CallWork, MeteredReply } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { withConcurrencyLimit } from '../concurrency-limit.ts'
import { type Caller, createCall, type StreamCall } from '../model-call.ts'
import { prepareRequest } from '../prepare-request.ts'
import type { ResponsesRequest } from '../schema.ts'
import { isStorable, ResponseStorage } from '../stored/response-storage.ts'
import { itemsOf, withEarlierItems } from '../stored/stored-responses.ts'
import { stickyKeyOf } from '../translation/sticky-key.ts'
import { Translation } from '../translation/translation.ts'
import { mediaIn, promptTokensOf } from '../upstream/media.ts'
import { runWireCall } from '../wire-call.ts'
import { type ResponseWork, respondNatively } from './native-responses.ts'

const ENDPOINT = 'POST /v1/responses'

export const respond = (app: App, caller: Caller, asked: ResponsesRequest): Promise<MeteredReply> =>
  withConcurrencyLimit(app, caller.actor, async () => {
    const { request, earlierBytes } = await withEarlierItems(app, caller.actor, asked)
    const body = await prepareRequest(app, caller, request, {
      endpoint: ENDPOINT,
      model: asked.model,
      promptBytes: earlierBytes,
    })
    return respondPrepared(app, caller, body, body !== asked)
  })

/** `isChanged`: the prompt is no longer that of the bytes of the request. */
async function respondPrepared(
  app: App,
  caller: Caller,
  prepared: ResponsesRequest,
  isChanged: boolean,
): Promise<MeteredReply> {
  const work = workOf(app, caller, prepared)
  const { asked, translation, storage } = work
  const media = mediaIn(asked.input, 'input')
  const call = createCall(app, caller, {
    endpoint: ENDPOINT,
    model: asked.model,
    media,
    ...(isChanged && { promptTokens: promptTokensOf(asked, media) }),
    ceiling: asked.max_output_tokens,
    // An error after the first byte becomes the last event. Before that it is an error response.
    errorText: (refusal) => translation.errorText(refusal),
    stickyKey: () => stickyKeyOf(asked.prompt_cache_key, asked.instructions, asked.input),
  })
  if (prepared.store === true && !storage) call.nameIgnored('store')
  const answer: CallWork<StreamCall> = async (turn, tried) => {
    if (asked.stream === true) tried.output.awaitFirstByte()
    return (await respondNatively(app, tried, turn, work)) ?? translation.answer(app, tried, turn)
  }
  return runWireCall(app, call, translation, answer, (outcome) => storage?.storing(outcome, call) ?? outcome)
}

/** A prompt that is too large is not stored, and the reply has `store: false` from its beginning. */
function workOf(app: App, { actor }: Caller, prepared: ResponsesRequest): ResponseWork {
  const items = prepared.store === true ? itemsOf(prepared.input) : []
  const input = JSON.stringify(items)
  const isStored = prepared.store === true && isStorable(items, input)
  const asked: ResponsesRequest = { ...prepared, store: isStored }
  const translation = new Translation(app, { wire: 'openai-responses', body: asked, isOwnId: isStored })
  const { previous_response_id: previousId = null, metadata } = asked
  const storage = isStored
    ? new ResponseStorage(actor, { id: translation.id, previousId, input, metadata })
    : null
  return { asked, translation, storage }
}
