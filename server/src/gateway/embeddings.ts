// Embeddings from the upstream.
import { ApiError, invalidFields } from '../kernel/errors.ts'
import {
  type MeteredReply,
  type ModelOutcome,
  type ModelRoute,
  nextRoute,
  routeToModel,
  runMeteredCall,
  type Turn,
} from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { malformed } from '../platform/inference/completion/completion-chunk.ts'
import { EMBEDDING_LIMITS } from '../platform/inference/http/send.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { recordIn } from './chat/chat-grammar.ts'
import { costHeaders } from './chat/completion.ts'
import { withConcurrencyLimit } from './concurrency-limit.ts'
import { type Call, requirePinnedModel } from './gateway.ts'
import type { Caller } from './model-call.ts'
import { prepareRequest } from './prepare-request.ts'
import type { EmbeddingsRequest } from './schema.ts'
import { callerSignal } from './stream/stream-output.ts'
import { mediaIn, promptTokensWith } from './upstream/media.ts'
import { readAll, tryUpstream } from './upstream/upstream-call.ts'
import { embeddingsFields, ignoredEmbeddingsFields } from './upstream/upstream-fields.ts'
import { countUsage, evidenceFrom, toTurnUsage } from './upstream/usage-count.ts'

type Fields = Record<string, unknown>

const ENDPOINT = 'POST /v1/embeddings'

/** Charged by prompt tokens only: at the price of the open lane, or at the input price of a model of the catalogue. */
export async function embed(
  app: App,
  { actor, request, once }: Omit<Caller, 'open'>,
  asked: EmbeddingsRequest,
): Promise<MeteredReply> {
  await prepareRequest(app, { actor, request, once }, {}, { endpoint: ENDPOINT, model: asked.model })
  const route = embeddingRoute(app, actor, asked.model)
  request.setHeader('x-cowrie-lane', route.lane)
  const ignored = ignoredEmbeddingsFields(asked)
  if (ignored.length > 0) request.setHeader('x-cowrie-ignored', ignored.join(', '))
  const media = mediaIn([], 'input')
  const call: Call = {
    actor,
    endpoint: ENDPOINT,
    requestId: request.id,
    source: 'gateway',
    route,
    promptTokens: promptTokensWith(request.raw, media),
    media,
    outputCeiling: 0,
    leastOutput: 0,
    answers: 1,
    signal: callerSignal(once, request.gone),
    once,
    output: null,
  }
  return withConcurrencyLimit(app, actor, () =>
    runMeteredCall(app, call, (turn, tried) => fromUpstream(app, tried, turn, asked)),
  )
}

/** A lane has one model for embeddings. Other models need a provider with OpenAI's API for them. */
function embeddingRoute(app: App, actor: Actor, name: string): ModelRoute {
  const named = routeToModel(app, actor, name)
  const route = named.classPrices ? named : routeToModel(app, actor, 'open')
  const usable = { ...route, alternatives: route.alternatives.filter(({ target }) => isOpenAi(target)) }
  const first = isOpenAi(route.target) ? usable : nextRoute(usable)
  if (!first) throw invalidFields({ path: 'model', message: 'has no embeddings; use open' })
  return first
}

const isOpenAi = ({ wire = 'openai' }: ModelRoute['target']): boolean => wire === 'openai'

async function fromUpstream(
  app: App,
  call: Call,
  turn: Turn,
  asked: EmbeddingsRequest,
): Promise<ModelOutcome> {
  const body = JSON.stringify({ ...embeddingsFields(asked), model: call.route.model })
  const sent = { path: '/embeddings', body, isStream: false, limits: EMBEDDING_LIMITS }
  const replied = await tryUpstream(app, call, sent)
  if ('missing' in replied)
    throw new ApiError('inference_not_configured', {
      error: 'The model service of this deployment has no embeddings. Ask its operator.',
    })
  const bytes = await readAll(replied.reply)
  const list = recordIn(bytes.toString())
  const wanted = inputsIn(asked)
  if (!list || !Array.isArray(list.data) || list.data.length !== wanted)
    throw new UpstreamFailed('failed', 'the upstream returned no embeddings')
  requirePinnedModel(app, call, list.model)
  const { requestBytes } = replied
  const { media } = call
  const used = countUsage(app, call, turn, {
    ...evidenceFrom(list, asked, media),
    ...(hasTokens(asked) && { promptTokens: () => [asked.input].flat(2).length }),
    requestBytes,
    outputTokens: () => 0,
  })
  const answered = inEncoding(list, list.data, asked.encoding_format ?? 'float') ?? bytes
  return {
    used: call.signal.aborted ? null : toTurnUsage(used),
    finish: 'stop',
    last: (cost) => costHeaders(answered, cost),
  }
}

const hasTokens = ({ input }: EmbeddingsRequest): boolean => typeof [input].flat(2)[0] === 'number'

/** The number of texts or token lists. */
const inputsIn = ({ input }: EmbeddingsRequest): number =>
  Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1

/** Some upstreams always send the same encoding. Null where it is already the requested one. */
function inEncoding(list: Fields, data: unknown[], encoding: Encoding): string | null {
  const asked = data.map((each) => {
    const given = (each as Fields | null)?.embedding
    const embedding = vectorAs(encoding, given)
    return { isAsSent: embedding === given, item: { ...(each as Fields), embedding } }
  })
  if (asked.every(({ isAsSent }) => isAsSent)) return null
  return JSON.stringify({ ...list, data: asked.map(({ item }) => item) })
}

type Encoding = 'float' | 'base64'

/** Converts one vector to an encoding. Throws when it is not a vector. */
function vectorAs(encoding: Encoding, vector: unknown): number[] | string {
  if (typeof vector === 'string') {
    const bytes = Buffer.from(vector, 'base64')
    const isWhole = bytes.length > 0 && bytes.length % FLOAT_BYTES === 0
    if (!isWhole || bytes.toString('base64') !== vector) throw malformed('a vector that is not base64')
    return encoding === 'base64' ? vector : unpacked(bytes)
  }
  if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite))
    throw malformed('a vector that is not a list of numbers')
  return encoding === 'base64' ? packed(Float32Array.from(vector)) : vector
}

const FLOAT_BYTES = 4

/** 32-bit floats, little-endian. */
const packed = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

function unpacked(bytes: Buffer): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) =>
    view.getFloat32(at * FLOAT_BYTES, true),
  )
}
