// The routes of the OpenAI-compatible API.
import { toJson } from '../kernel/json.ts'
import { rawJson, route } from '../platform/http/route.ts'
import { isAnthropicClient, listAnthropicModels, oneAnthropicModel } from './anthropic/models.ts'
import { complete } from './chat/chat-completions.ts'
import { embed } from './embeddings.ts'
import { listModels, oneModel } from './models.ts'
import { respond } from './responses/responses.ts'
import {
  BODY_BYTES,
  CEILING,
  CONCURRENT_CALLS,
  COST,
  IGNORED,
  IMAGE,
  IMAGE_URLS,
  KEY,
  MODEL_ERRORS,
  PAID_ERRORS,
} from './route-parts.ts'
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
import { RETENTION_DAYS } from './stored/stored-responses.ts'

/** Longer than the upstream timeout, so that a call without a reply is never charged. */
const EMBEDDINGS_MS = 120_000

const MEDIA = `${IMAGE_URLS} An image ${IMAGE}. URLs of other files and file ids are rejected.`
const STREAM_COST = `A stream contains both as \`cost_minor\` and \`balance_minor\` in its last \`usage\``

const ANTHROPIC_SHAPE =
  "With the header `anthropic-version`, the reply and its errors have Anthropic's format: `{data: [{type, id, display_name, created_at, max_input_tokens, max_tokens}], has_more, first_id, last_id}`, or one entry of `data`."

export const gatewayRoutes = [
  route('gateway.models', 'GET /v1/models', {
    summary: 'List the models that your organisation can use now.',
    detail: `${ANTHROPIC_SHAPE} It takes \`limit\`, \`after_id\` and \`before_id\`.`,
    access: { scope: 'agent:run' },
    rate: 'global',
    reply: { 200: rawJson(ModelList, 'The models.') },
    errors: ['invalid_fields'],
    handle: ({ app, actor, request }) =>
      toJson(isAnthropicClient(request) ? listAnthropicModels(app, actor, request) : listModels(app, actor)),
  }),

  route('gateway.model', 'GET /v1/models/{id}', {
    summary: 'Read one model, by its id or an alias.',
    detail: ANTHROPIC_SHAPE,
    access: { scope: 'agent:run' },
    rate: 'global',
    params: ModelParams,
    reply: { 200: rawJson(Model, 'The model.') },
    errors: MODEL_ERRORS,
    handle: ({ app, actor, params, request }) =>
      toJson((isAnthropicClient(request) ? oneAnthropicModel : oneModel)(app, actor, params.id)),
  }),

  route('gateway.chatCompletions', 'POST /v1/chat/completions', {
    summary: 'Create a chat completion, complete or streamed.',
    detail: `Fields of OpenAI's chat completions that affect the answer are passed on. Fields that choose another model, store data or order paid services, and unknown fields, are dropped. ${IGNORED} Only tools of type \`function\` and \`custom\` are offered to the model. Audio is sent as \`input_audio\`, where the provider supports it. ${CEILING} ${MEDIA} ${CONCURRENT_CALLS} ${COST} ${STREAM_COST}, if \`stream_options.include_usage\` is set. Without an \`Idempotency-Key\`, a disconnect is charged for the delivered output. So is an answer that reaches its limit or the maximum time of a call: it ends with \`length\`. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: ChatRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    reply: { 200: rawJson(ChatCompletion, 'The answer.') },
    stream: ChatChunk,
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => complete(app, caller, body),
  }),

  route('gateway.responses', 'POST /v1/responses', {
    summary: 'Create a response of the Responses API, complete or streamed.',
    detail: `With \`store: true\` the response is stored for ${RETENTION_DAYS} days, and \`previous_response_id\` continues it: its items are a part of the prompt, and are charged as such. Its instructions are not inherited. Unlike at OpenAI, the default is \`store: false\`. Nothing is stored at the provider. A response above 4 MiB with its prompt, or beyond 10,000 responses or 512 MiB a day of an organisation, is not stored: its \`store\` is false. \`conversation\`, \`prompt\` and \`background\` are rejected. Only tools of type \`function\` and \`custom\` are offered to the model. Fields that order paid services, and unknown fields, are dropped. ${IGNORED} ${CEILING} ${MEDIA} ${CONCURRENT_CALLS} ${COST} ${STREAM_COST}. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: ResponsesRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    reply: { 200: rawJson(ResponseObject, 'The answer.') },
    stream: ResponseEvent,
    errors: [...PAID_ERRORS, 'previous_response_not_found'],
    handle: ({ app, body, ...caller }) => respond(app, caller, body),
  }),

  route('gateway.embeddings', 'POST /v1/embeddings', {
    summary: 'Create embeddings.',
    detail: `Charged by input tokens, always at the price of the open lane. ${IGNORED} ${CONCURRENT_CALLS} ${COST} ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: EmbeddingsRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    timeoutMs: EMBEDDINGS_MS,
    reply: { 200: rawJson(EmbeddingList, 'The vectors, in the order of the texts.') },
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => embed(app, caller, body),
  }),
]
