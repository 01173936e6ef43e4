// A request for an answer as a call: which lane it goes to, what its prompt has at most, how much may be written.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Once } from '../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../platform/http/reply/sse.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { type Call, ceilingFor, OUTPUT_MIN, routeTo } from './gateway.ts'
import { StreamOutput } from './stream/stream-output.ts'
import { type Media, promptTokensWith } from './upstream/media.ts'

/** How a caller reaches us: the request, its key, and where its stream goes. */
export type Caller = {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly once: Once
  readonly open: () => EventStream
}

export type CallOptions = {
  readonly model: string
  readonly media: Media
  /** The output that the caller asks for at most. */
  readonly ceiling: number | null | undefined
  /** An error that ends the stream, in the caller's wire. */
  readonly errorText: (refusal: object) => object | string
}

export type StreamCall = Call & { readonly output: StreamOutput }

export function createCall(
  app: App,
  { actor, request, once, open }: Caller,
  { model, media, ceiling, errorText }: CallOptions,
): StreamCall {
  const { silenceMs } = app.config.upstreamTimeouts
  const output = new StreamOutput({ once, gone: request.gone, open, silenceMs, errorText })
  const route = routeTo(app, actor, model)
  request.setHeader('x-cowrie-lane', route.lane)
  const promptTokens = promptTokensWith(request.raw, media)
  const outputCeiling = ceilingFor(app, ceiling, promptTokens)
  return {
    actor,
    source: 'gateway',
    route,
    promptTokens,
    media,
    outputCeiling,
    leastOutput: OUTPUT_MIN,
    signal: output.signal,
    once,
    output,
  }
}
