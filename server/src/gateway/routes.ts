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

const COST = `What it cost and what is left stand in the headers \`x-cowrie-cost-minor\` and \`x-cowrie-balance-minor\`, the lane that served it in \`x-cowrie-lane\`.`
const CEILING = `An answer has at most as many tokens as it asks for, ${OUTPUT_MAX}, and what the context window leaves beside the prompt; it asks for ${DEFAULT_OUTPUT} when it does not say. A higher wish is lowered, not refused.`
const MEDIA = `Pictures are sent as \`data:\` URLs and count as ${PICTURE_TOKENS} tokens each until the model's service says what it made of them (other files: a token for four characters, at least as many); addresses are not fetched but refused.`
const AT_ONCE = `A caller has at most 20 calls under way at once.`
const KEY = `With an \`Idempotency-Key\` a retry gets the same answer, streams included, and is charged once; the work goes on when the connection is lost, and the retry waits for it. A stream under a key has at most 16 MiB and ends there with \`length\`. What fails through a provider or through us costs nothing, and the key is free for another try.`
const STREAM_COST = `A stream says both as \`cost_minor\` and \`balance_minor\` inside its last \`usage\``

export const gatewayRoutes = [
  route('gateway.models', 'GET /v1/models', {
    summary: 'List the models that your organisation can use right now.',
    access: { scope: 'agent:run' },
    rate: 'global',
    reply: { 200: ModelList },
    handle: ({ app, actor }) => listModels(app, actor),
  }),

  route('gateway.model', 'GET /v1/models/{id}', {
    summary: 'Look at one model.',
    access: { scope: 'agent:run' },
    rate: 'global',
    params: ModelParams,
    reply: { 200: Model },
    errors: ['model_not_found'],
    handle: ({ app, actor, params }) => oneModel(app, actor, params.id),
  }),

  route('gateway.chatCompletions', 'POST /v1/chat/completions', {
    summary: 'Answer a conversation, in one piece or as a stream.',
    detail: `The fields of OpenAI's chat completions that shape an answer are passed on; those that choose a model, keep something or buy something, and unknown ones, are left out. Only tools of type \`function\` and \`custom\` are offered to the model. ${CEILING} ${MEDIA} ${AT_ONCE} ${COST} ${STREAM_COST}, when \`stream_options.include_usage\` asks for it. Without an \`Idempotency-Key\`, a connection that is closed early is charged for what had been delivered, and so is an answer that meets its ceiling or the longest time of a call: it ends with \`length\`. ${KEY}`,
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
    summary: 'Answer in the shape of the Responses API, in one piece or as a stream.',
    detail: `Nothing is stored, so \`previous_response_id\` is refused: send the whole conversation. Only tools of type \`function\` are offered to the model; fields that keep or buy something, and unknown ones, are left out. ${CEILING} ${MEDIA} ${AT_ONCE} ${COST} ${STREAM_COST}. ${KEY}`,
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
    summary: 'Turn texts into vectors.',
    detail: `Charged by the tokens read, at the price of the open lane, whatever the policy allows beside it. ${AT_ONCE} ${COST} ${KEY}`,
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
