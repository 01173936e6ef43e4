// The routes of the OpenAI-compatible API.
import { rawJson, route } from '../platform/http/route.ts'
import { complete } from './chat/chat-completions.ts'
import { embed } from './embeddings.ts'
import { DEFAULT_OUTPUT, OUTPUT_MAX } from './gateway.ts'
import { listModels, oneModel } from './models.ts'
import { respond } from './responses/responses.ts'
import {
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  EmbeddingList,
  EmbeddingsRequest,
  Model,
  ModelList,
  ModelParams,
  ResponseEvent,
  ResponseObject,
  ResponsesRequest,
} from './schema.ts'
import { PICTURE_TOKENS } from './upstream/media.ts'

const BODY_BYTES = 8 * 1024 * 1024
/** Longer than the upstream timeout, so that a call without a reply is never charged. */
const EMBEDDINGS_MS = 120_000

const PAID_ERRORS = [
  'model_not_found',
  'prompt_too_long',
  'insufficient_funds',
  'member_cap_reached',
  'too_many_streams',
  'residency_blocked',
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
  'inference_not_configured',
] as const

const COST = `The header \`x-cowrie-cost-minor\` contains the cost, \`x-cowrie-balance-minor\` the remaining balance, and \`x-cowrie-lane\` the lane.`
const CEILING = `The output is limited to the requested tokens (default ${DEFAULT_OUTPUT}), to ${OUTPUT_MAX}, and to the rest of the context window. A higher value is lowered, not rejected.`
const MEDIA = `Images are sent as \`data:\` URLs. Each counts as ${PICTURE_TOKENS} tokens until the model service reports its usage; another file counts as one token per four characters, and at least as much as an image. Other URLs are rejected and never fetched.`
const CONCURRENT_CALLS = `A caller may have at most 20 calls in progress.`
const KEY = `With an \`Idempotency-Key\`, a retry gets the same reply, streams included, and is charged once. The work continues after a disconnect, and the retry waits for it. A stream under a key ends at 16 MiB with \`length\`. A failure of the provider or of the service costs nothing and frees the key.`
const STREAM_COST = `A stream contains both as \`cost_minor\` and \`balance_minor\` in its last \`usage\``

export const gatewayRoutes = [
  route('gateway.models', 'GET /v1/models', {
    summary: 'List the models that your organisation can use now.',
    access: { scope: 'agent:run' },
    rate: 'global',
    reply: { 200: ModelList },
    handle: ({ app, actor }) => listModels(app, actor),
  }),

  route('gateway.model', 'GET /v1/models/{id}', {
    summary: 'Read one model.',
    access: { scope: 'agent:run' },
    rate: 'global',
    params: ModelParams,
    reply: { 200: Model },
    errors: ['model_not_found'],
    handle: ({ app, actor, params }) => oneModel(app, actor, params.id),
  }),

  route('gateway.chatCompletions', 'POST /v1/chat/completions', {
    summary: 'Create a chat completion, complete or streamed.',
    detail: `Fields of OpenAI's chat completions that affect the answer are passed on. Fields that choose another model, store data or order paid services, and unknown fields, are dropped. Only tools of type \`function\` and \`custom\` are offered to the model. ${CEILING} ${MEDIA} ${CONCURRENT_CALLS} ${COST} ${STREAM_COST}, if \`stream_options.include_usage\` is set. Without an \`Idempotency-Key\`, a disconnect is charged for the delivered output. So is an answer that reaches its limit or the maximum time of a call: it ends with \`length\`. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: ChatRequest,
    bodyLimitBytes: BODY_BYTES,
    reply: { 200: rawJson(ChatCompletion, 'The answer.') },
    stream: ChatChunk,
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => complete(app, caller, body),
  }),

  route('gateway.responses', 'POST /v1/responses', {
    summary: 'Create a response of the Responses API, complete or streamed.',
    detail: `Nothing is stored, so \`previous_response_id\` is rejected: send the whole conversation. Only tools of type \`function\` are offered to the model. Fields that store data or order paid services, and unknown fields, are dropped. ${CEILING} ${MEDIA} ${CONCURRENT_CALLS} ${COST} ${STREAM_COST}. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: ResponsesRequest,
    bodyLimitBytes: BODY_BYTES,
    reply: { 200: rawJson(ResponseObject, 'The answer.') },
    stream: ResponseEvent,
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => respond(app, caller, body),
  }),

  route('gateway.embeddings', 'POST /v1/embeddings', {
    summary: 'Create embeddings.',
    detail: `Charged by input tokens, always at the price of the open lane. ${CONCURRENT_CALLS} ${COST} ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: EmbeddingsRequest,
    bodyLimitBytes: BODY_BYTES,
    timeoutMs: EMBEDDINGS_MS,
    reply: { 200: rawJson(EmbeddingList, 'The vectors, in the order of the texts.') },
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => embed(app, caller, body),
  }),
]
