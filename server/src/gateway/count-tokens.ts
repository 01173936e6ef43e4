// Counts the tokens of a request with our tokenizer, without a call to a provider.
import { routeToModel } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { countPrompt } from '../platform/inference/inference.ts'
import type { Fields, RequestContext, WireName } from '../platform/wires/wires.ts'
import { readWireRequest } from './translation/translation.ts'

/** Long prompts are estimated from samples, so the time is bounded. Throws for a model that the caller cannot use. */
export function countRequest(
  app: App,
  actor: Actor,
  wire: WireName,
  body: Fields,
  context?: RequestContext,
): number {
  const conversation = readWireRequest(wire, body, context)
  routeToModel(app, actor, conversation.model)
  return countPrompt(conversation)
}
