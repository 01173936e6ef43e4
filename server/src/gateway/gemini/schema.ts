// The shapes of the Gemini API. The reader of the wire format checks the contents, and accepts both spellings of fields.
import { z } from 'zod'
import { queryInteger } from '../../platform/http/shapes.ts'
import { record, records } from '../schema.ts'

const EXAMPLE = [{ role: 'user', parts: [{ text: 'Say hello.' }] }]
const content = {
  systemInstruction: record.nullish(),
  tools: records(0).nullish(),
  toolConfig: record.nullish(),
  generationConfig: record.nullish(),
}
const contents = records(1, {
  description: "As Google's: `user` and `model` contents with parts.",
  examples: [EXAMPLE],
})

export const GeminiParams = z.object({ model: z.string().min(1).max(200) })
export const GenerateRequest = z.looseObject({ contents, ...content })
export type GenerateRequest = z.output<typeof GenerateRequest>
export const StreamQuery = z.object({
  alt: z
    .enum(['sse', 'json'])
    .optional()
    .meta({ description: '`sse` for events. Otherwise the stream is a JSON array.' }),
})

export const GeminiCountRequest = z.looseObject({
  contents: contents.optional(),
  generateContentRequest: record
    .optional()
    .meta({ description: 'A whole request, instead of `contents`.', examples: [{ contents: EXAMPLE }] }),
})
export type GeminiCountRequest = z.output<typeof GeminiCountRequest>

const Usage = z.looseObject({
  promptTokenCount: z.int(),
  candidatesTokenCount: z.int(),
  totalTokenCount: z.int(),
})

export const GenerateReply = z.looseObject({
  candidates: z.array(z.looseObject({ content: record, finishReason: z.string(), index: z.int() })),
  usageMetadata: Usage,
  modelVersion: z.string(),
  responseId: z.string(),
})

export const GenerateChunk = z.looseObject({
  candidates: records(0).optional(),
  usageMetadata: Usage.optional(),
  modelVersion: z.string(),
  responseId: z.string(),
})

export const GeminiTokenCount = z.object({ totalTokens: z.int() })

export const GeminiPage = z.object({
  pageSize: queryInteger(1, 1_000).default(50),
  pageToken: z.string().max(200).optional(),
})
export type GeminiPage = z.output<typeof GeminiPage>

export const GeminiModel = z.object({
  name: z.string().meta({ examples: ['models/open'] }),
  version: z.string(),
  displayName: z.string(),
  description: z.string(),
  inputTokenLimit: z.int(),
  outputTokenLimit: z.int(),
  supportedGenerationMethods: z.array(z.string()),
  thinking: z.boolean().optional(),
})
export const GeminiModelList = z.object({
  models: z.array(GeminiModel),
  nextPageToken: z.string().optional(),
})
