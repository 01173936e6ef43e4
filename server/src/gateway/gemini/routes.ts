// The routes of the Gemini API. The model and the kind of answer are in the path.
import { invalidFields } from '../../kernel/errors.ts'
import { rawJson, route } from '../../platform/http/route.ts'
import { countRequest } from '../count-tokens.ts'
import {
  ANY_PROVIDER,
  BODY_BYTES,
  CEILING,
  CONCURRENT_CALLS,
  COST,
  IMAGE,
  IMAGE_URLS,
  KEY,
  MODEL_ERRORS,
  PAID_ERRORS,
} from '../route-parts.ts'
import { answerInWire } from '../wire-call.ts'
import { listGeminiModels, oneGeminiModel } from './models.ts'
import {
  GeminiCountRequest,
  GeminiModel,
  GeminiModelList,
  GeminiPage,
  GeminiParams,
  GeminiTokenCount,
  GenerateChunk,
  GenerateReply,
  GenerateRequest,
  StreamQuery,
} from './schema.ts'

/** As long as a stream: longer than the upstream timeout, so that a call without a reply is never charged. */
const GENERATE_MS = 30 * 60_000

const SUBSET =
  'Supported: text, inline images, documents and audio, function calls and responses, thinking, JSON answers and stop sequences. Tools that run at Google, cached contents, the Files API, tuned models and batches are not supported. Safety settings are accepted and change nothing.'
const MEDIA = `An image ${IMAGE}.`
const CALL = `${SUBSET} ${ANY_PROVIDER} ${CEILING} ${IMAGE_URLS} ${MEDIA} ${CONCURRENT_CALLS}`
const KEYS =
  'The key is sent as `x-goog-api-key`, as `Authorization: Bearer` or as the query `key`. A key in an address may end up in logs of proxies, so prefer a header. The operations below `/v1beta/models` are served below `/v1/models` as well, where recent clients of Google call them.'

const notStreamed = (): never => {
  throw new Error('this operation has no stream')
}

/** A whole request, or its contents alone. */
function countedRequest({ generateContentRequest, ...body }: GeminiCountRequest): Record<string, unknown> {
  if (generateContentRequest) return generateContentRequest
  if (!body.contents) throw invalidFields({ path: 'contents', message: 'is required' })
  return body
}

export const geminiRoutes = [
  route('gateway.geminiModels', 'GET /v1beta/models', {
    summary: 'List the models that your organisation can use now, in the format of Gemini.',
    detail: KEYS,
    access: { scope: 'agent:run' },
    rate: 'global',
    query: GeminiPage,
    reply: { 200: GeminiModelList },
    handle: ({ app, actor, query }) => listGeminiModels(app, actor, query),
  }),

  route('gateway.geminiModel', 'GET /v1beta/models/{model}', {
    summary: 'Read one model, by its id or an alias, in the format of Gemini.',
    access: { scope: 'agent:run' },
    rate: 'global',
    params: GeminiParams,
    reply: { 200: GeminiModel },
    errors: MODEL_ERRORS,
    handle: ({ app, actor, params }) => oneGeminiModel(app, actor, params.model),
  }),

  route('gateway.generateContent', 'POST /v1beta/models/{model}:generateContent', {
    summary: 'Generate an answer of the Gemini API.',
    detail: `${CALL} ${COST} ${KEY} ${KEYS}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    params: GeminiParams,
    body: GenerateRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    timeoutMs: GENERATE_MS,
    reply: { 200: rawJson(GenerateReply, 'The answer.') },
    errors: PAID_ERRORS,
    handle: ({ app, body, params: { model }, ...caller }) =>
      answerInWire(app, { ...caller, open: notStreamed }, 'gemini', body, { model, isStream: false }),
  }),

  route('gateway.streamGenerateContent', 'POST /v1beta/models/{model}:streamGenerateContent', {
    summary: 'Stream an answer of the Gemini API.',
    detail: `With \`alt=sse\` the stream has events, otherwise it is a JSON array that is sent piece by piece. ${CALL} \`usageMetadata\` of the last piece contains the cost as \`costMinor\` and the remaining balance as \`balanceMinor\`. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    params: GeminiParams,
    query: StreamQuery,
    body: GenerateRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    stream: GenerateChunk,
    errors: PAID_ERRORS,
    handle: ({ app, body, params: { model }, query, ...caller }) =>
      answerInWire(app, caller, 'gemini', body, { model, isStream: true, isArray: query.alt !== 'sse' }),
  }),

  route('gateway.countTokens', 'POST /v1beta/models/{model}:countTokens', {
    summary: 'Count the input tokens of a request of the Gemini API, free of charge.',
    detail: `Counted with our tokenizer; the provider may count a little differently. Long prompts are estimated. ${MEDIA}`,
    access: { scope: 'agent:run' },
    rate: 'global',
    params: GeminiParams,
    body: GeminiCountRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    reply: { 200: GeminiTokenCount },
    errors: MODEL_ERRORS,
    handle: ({ app, actor, body, params: { model } }) => ({
      totalTokens: countRequest(app, actor, 'gemini', countedRequest(body), { model }),
    }),
  }),
]
