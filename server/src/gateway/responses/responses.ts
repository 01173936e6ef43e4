// POST /v1/responses: through the Responses API of the provider, otherwise translated.
import type { MeteredReply } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { withConcurrencyLimit } from '../concurrency-limit.ts'
import { type Caller, createCall } from '../model-call.ts'
import { prepareRequest } from '../prepare-request.ts'
import type { ResponsesRequest } from '../schema.ts'
import { stickyKeyOf } from '../translation/sticky-key.ts'
import { Translation } from '../translation/translation.ts'
import { mediaIn, promptTokensOf } from '../upstream/media.ts'
import { runWireCall } from '../wire-call.ts'
import { respondNatively } from './native-responses.ts'

const ENDPOINT = 'POST /v1/responses'

export const respond = (app: App, caller: Caller, asked: ResponsesRequest): Promise<MeteredReply> =>
  withConcurrencyLimit(app, caller.actor, async () => {
    const { model } = asked
    const body = await prepareRequest(app, caller, asked, { endpoint: ENDPOINT, model })
    return respondPrepared(app, caller, body, body !== asked)
  })

/** `isChanged`: the prompt is no longer that of the bytes of the request. */
async function respondPrepared(
  app: App,
  caller: Caller,
  asked: ResponsesRequest,
  isChanged: boolean,
): Promise<MeteredReply> {
  const translation = new Translation(app, { wire: 'openai-responses', body: asked })
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
  return runWireCall(app, call, translation, async (turn, tried) => {
    if (asked.stream === true) tried.output.awaitFirstByte()
    return (
      (await respondNatively(app, tried, turn, asked, translation)) ?? translation.answer(app, tried, turn)
    )
  })
}
