// The shapes of the OpenAI-compatible API. Fields that we use are validated; other known harmless fields are passed on.
import { z } from 'zod'
import { minorOut } from '../platform/http/shapes.ts'

const EMBEDDED_AT_ONCE = 2048

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Validated without a copy, because prompts are long. `about` describes them in the document. */
export const records = (min: number, about: { description?: string; examples?: unknown[] } = {}) =>
  z
    .custom<Record<string, unknown>[]>(
      (value) => Array.isArray(value) && value.length >= min && value.every(isRecord),
      { error: `must be a list of ${min > 0 ? 'at least one object' : 'objects'}` },
    )
    .meta({
      wire: { type: 'array', minItems: min, items: { type: 'object', additionalProperties: true }, ...about },
    })

export const record = z
  .custom<Record<string, unknown>>(isRecord, { error: 'must be an object' })
  .meta({ wire: { type: 'object', additionalProperties: true } })

export const model = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: '`open`, `frontier`, or the id or an alias of a model of `GET /v1/models`.',
    examples: ['open'],
  })
/** Any number is accepted and lowered to the maximum. */
export const tokenCount = z.int().min(1)
export const isStream = z.boolean().nullish()

export const ChatRequest = z.looseObject({
  model,
  messages: records(1).meta({ description: 'As OpenAI has them; tools, images and so on are passed on.' }),
  stream: isStream,
  stream_options: record.nullish(),
  max_tokens: tokenCount.nullish(),
  max_completion_tokens: tokenCount.nullish(),
  n: z.int().min(1).max(8).nullish().meta({ description: 'The number of answers. Each is charged.' }),
  tools: records(0).nullish(),
})
export type ChatRequest = z.output<typeof ChatRequest>

const nothing = (why: string) => z.null({ error: why }).optional()

export const ResponsesRequest = z.looseObject({
  model,
  input: z.union([z.string().min(1), records(1)]).meta({ description: 'A text, or items.' }),
  instructions: z.string().nullish(),
  stream: isStream,
  max_output_tokens: tokenCount.nullish(),
  tools: records(0).nullish(),
  store: z.boolean().nullish().meta({
    description: 'Stores the response for 30 days, so that another request can continue it. Default: false.',
  }),
  previous_response_id: z
    .string()
    .max(200)
    .regex(/^[\x21-\x7e]+$/, { error: 'must be the id of a response' })
    .nullish()
    .meta({
      description: 'Continues a response that was stored with `store: true`.',
      examples: [null],
    }),
  conversation: nothing(
    'must be omitted: conversations are not supported; use previous_response_id, or send the whole conversation',
  ),
  prompt: nothing('must be omitted: prompts are not stored, so send the instructions'),
  background: z
    .boolean()
    .refine((isBackground) => !isBackground, {
      error: 'must be omitted: background work is not supported; use stream: true',
    })
    .nullish(),
})
export type ResponsesRequest = z.output<typeof ResponsesRequest>

const embedded = z.string().min(1, { error: 'must not be empty' })
const EMBEDDED_TOKENS_MAX = 8_192
/** Tokens of the model's own tokenizer, which the provider decodes. */
const tokenList = z.array(z.int().min(0)).min(1).max(EMBEDDED_TOKENS_MAX)
export const EmbeddingsRequest = z.looseObject({
  model,
  input: z.union(
    [
      embedded,
      z.array(embedded).min(1).max(EMBEDDED_AT_ONCE),
      tokenList,
      z.array(tokenList).min(1).max(EMBEDDED_AT_ONCE),
    ],
    {
      error: `must be a text, a list of tokens, or a list of up to ${EMBEDDED_AT_ONCE} of either, none of them empty`,
    },
  ),
  dimensions: z.int().min(1).max(4096).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
})
export type EmbeddingsRequest = z.output<typeof EmbeddingsRequest>

export const ModelParams = z.object({ id: z.string().min(1).max(200) })

const ModelPrice = z
  .object({ input: minorOut, output: minorOut, cached_input: minorOut, cache_write: minorOut })
  .meta({ description: 'The price of a million tokens of each class, in minor units of `currency`.' })

export const Model = z
  .object({
    id: z.string().meta({ examples: ['open'] }),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    context_window: z.int().meta({ description: 'The context window in tokens.', examples: [128000] }),
    currency: z.string().meta({ examples: ['NGN'] }),
    price_per_1m_minor: minorOut.meta({
      description:
        'The price of a million input or output tokens, in minor units of `currency`: the highest of `price`.',
    }),
    title: z.string().meta({ examples: ['Open lane'] }),
    lane: z.enum(['open', 'frontier']),
    max_output_tokens: z.int(),
    capabilities: z
      .array(z.enum(['tools', 'images', 'reasoning', 'cache']))
      .nullable()
      .meta({ description: 'Null for a lane, whose model the operator may change.' }),
    price: ModelPrice,
  })
  .meta({ id: 'GatewayModel' })
export const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) })

const Usage = z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })

export const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), message: record, finish_reason: z.string() })),
  usage: Usage,
})

export const ChatChunk = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.int(), delta: record, finish_reason: z.string().nullable() })),
  usage: Usage.extend({ cost_minor: z.int().optional(), balance_minor: z.int().optional() }).nullish(),
})

export const ResponseObject = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['completed', 'incomplete', 'failed', 'in_progress']),
  model: z.string(),
  output: records(0),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullable(),
})

export const ResponseEvent = z.looseObject({
  type: z.string().meta({ examples: ['response.output_text.delta'] }),
  sequence_number: z.int(),
})

export const EmbeddingList = z.looseObject({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.looseObject({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
})
