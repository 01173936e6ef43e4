// Creates the metered call of a request: its lane, prompt bound and output ceiling.

import { routeToModel } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Once } from '../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../platform/http/reply/sse.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { type Call, ceilingFor, OUTPUT_MIN } from './gateway.ts'
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
  readonly endpoint: string
  readonly model: string
  readonly media: Media
  /** An upper bound of the prompt. Default: from the bytes of the request. */
  readonly promptTokens?: number
  /** The requested output ceiling. */
  readonly ceiling: number | null | undefined
  /** The number of requested answers. Default: 1. */
  readonly answers?: number
  /** Formats an error that ends the stream for the protocol of the client. */
  readonly errorText: (refusal: object) => object | string
  readonly keepAlive?: string
  /** Identifies the conversation, so that its calls take the same route. */
  readonly stickyKey: () => string
}

export type StreamCall = Call & {
  readonly output: StreamOutput
  /** Names the fields that the provider gets in another form or not at all, in headers of the reply. */
  readonly nameChanges: (changes: FieldChanges) => void
  /** Adds a field to those that had no effect. */
  readonly nameIgnored: (field: string) => void
}
export type FieldChanges = { readonly adapted: readonly string[]; readonly ignored: readonly string[] }

export function createCall(
  app: App,
  { actor, request, once, open }: Caller,
  {
    endpoint,
    model,
    media,
    promptTokens: estimated,
    ceiling,
    answers = 1,
    errorText,
    keepAlive,
    stickyKey,
  }: CallOptions,
): StreamCall {
  const { silenceMs } = app.config.upstreamTimeouts
  const output = new StreamOutput({
    once,
    gone: request.gone,
    open,
    silenceMs,
    errorText,
    ...(keepAlive && { keepAlive }),
  })
  const route = routeToModel(app, actor, model, () => `${actor.orgId} ${stickyKey()}`)
  request.setHeader('x-cowrie-lane', route.lane)
  const promptTokens = estimated ?? promptTokensWith(request.raw, media)
  const outputCeiling = answers * ceilingFor(route, ceiling, promptTokens)
  return {
    actor,
    endpoint,
    requestId: request.id,
    source: 'gateway',
    route,
    promptTokens,
    media,
    outputCeiling,
    leastOutput: answers * OUTPUT_MIN,
    answers,
    signal: output.signal,
    once,
    output,
    ...changeHeaders(request),
  }
}

function changeHeaders({ setHeader }: RequestInfo): Pick<StreamCall, 'nameChanges' | 'nameIgnored'> {
  let named: readonly string[] = []
  const extra: string[] = []
  const write = () => {
    if (named.length + extra.length > 0) setHeader('x-cowrie-ignored', [...named, ...extra].join(', '))
  }
  return {
    nameChanges: ({ adapted, ignored }) => {
      if (adapted.length > 0) setHeader('x-cowrie-adapted', adapted.join(', '))
      named = ignored
      write()
    },
    nameIgnored: (field) => {
      if (!extra.includes(field)) extra.push(field)
      write()
    },
  }
}
