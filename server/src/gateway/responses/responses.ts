// POST /v1/responses: through the Responses API of the provider, otherwise translated.
import type { MeteredReply } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { withConcurrencyLimit } from '../concurrency-limit.ts'
import { type Caller, createCall } from '../model-call.ts'
import type { ResponsesRequest } from '../schema.ts'
import { stickyKeyOf } from '../translation/sticky-key.ts'
import { Translation } from '../translation/translation.ts'
import { mediaIn } from '../upstream/media.ts'
import { runWireCall } from '../wire-call.ts'
import { respondNatively } from './native-responses.ts'

export async function respond(app: App, caller: Caller, asked: ResponsesRequest): Promise<MeteredReply> {
  const translation = new Translation(app, { wire: 'openai-responses', body: asked })
  const call = createCall(app, caller, {
    endpoint: 'POST /v1/responses',
    model: asked.model,
    media: mediaIn(asked.input, 'input'),
    ceiling: asked.max_output_tokens,
    // An error after the first byte becomes the last event. Before that it is an error response.
    errorText: (refusal) => translation.errorText(refusal),
    stickyKey: () => stickyKeyOf(asked.prompt_cache_key, asked.instructions, asked.input),
  })
  return withConcurrencyLimit(app, caller.actor, () =>
    runWireCall(app, call, translation, async (turn, tried) => {
      if (asked.stream === true) tried.output.awaitFirstByte()
      return (
        (await respondNatively(app, tried, turn, asked, translation)) ?? translation.answer(app, tried, turn)
      )
    }),
  )
}
