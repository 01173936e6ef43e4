// The shapes of the Anthropic Messages API. The reader of the wire format checks the content of messages and tools.
import { z } from 'zod'
import { isStream, model, record, records, tokenCount } from '../schema.ts'

const content = {
  model,
  messages: records(1, {
    description: "As Anthropic's: `user` and `assistant` messages with content blocks.",
    examples: [[{ role: 'user', content: 'Say hello.' }]],
  }),
  system: z.union([z.string(), records(0)]).nullish(),
  tools: records(0).nullish(),
  tool_choice: record.nullish(),
  thinking: record.nullish(),
}

export const MessagesRequest = z.looseObject({ ...content, max_tokens: tokenCount, stream: isStream })
export const CountTokensRequest = z.looseObject(content)

const Usage = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_creation_input_tokens: z.int().nullish(),
  cache_read_input_tokens: z.int().nullish(),
})

export const MessagesReply = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: records(0),
  stop_reason: z.string().meta({
    description: '`end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`.',
  }),
  stop_sequence: z.string().nullable(),
  usage: Usage,
})

export const MessagesEvent = z.looseObject({
  type: z.string().meta({ examples: ['content_block_delta'] }),
})

export const TokenCount = z.object({ input_tokens: z.int() })

const cursor = z.string().min(1).max(200).optional()
/** The query of a list of models. */
export const ModelPage = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20).meta({ description: 'The models of a page.' }),
  after_id: cursor,
  before_id: cursor,
})
export type ModelPage = z.output<typeof ModelPage>
