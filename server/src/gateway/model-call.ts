// Creates the metered call of a request: its lane, prompt bound and output ceiling.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Once } from '../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../platform/http/reply/sse.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { type Call, ceilingFor, OUTPUT_MIN, routeTo } from './gateway.ts'
import { StreamOutput } from './stream/stream-output.ts'
import { type Media, promptTokensWith } from './upstream/media.ts'

/** The context of a request: its caller, its idempotency handle and its stream. */
export type Caller = {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly once: Once
  readonly open: () => EventStream
}

export type CallOptions = {
  readonly model: string
  readonly media: Media
  /** The requested output ceiling. */
  readonly ceiling: number | null | undefined
  /** Formats an error that ends the stream for the protocol of the client. */
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
