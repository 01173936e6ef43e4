// A request for an answer as a call: which lane it goes to, what its prompt has at most, how much may be written.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { type Call, ceilingFor, LEAST_OUTPUT, routeTo } from './gateway.ts'
import type { Listener } from './listener.ts'
import { type Media, promptTokensWith } from './media.ts'

export type Asked = {
  readonly model: string
  readonly media: Media
  /** The output that the caller asks for at most. */
  readonly ceiling: number | null | undefined
  readonly request: RequestInfo
  readonly listener: Listener
}

export function callFor(app: App, actor: Actor, { model, media, ceiling, request, listener }: Asked): Call {
  const route = routeTo(app, actor, model)
  request.setHeader('x-cowrie-lane', route.lane)
  const promptTokens = promptTokensWith(request.raw, media)
  const outputCeiling = ceilingFor(app, ceiling, promptTokens)
  return {
    actor,
    route,
    promptTokens,
    media,
    outputCeiling,
    leastOutput: LEAST_OUTPUT,
    signal: listener.signal,
  }
}
