// Usage in the formats of all providers, and the rejection of implausible values.
import { describe, expect, test } from 'vitest'
import { isPlausibleUsage, type ReportedUsage, readUsage } from './usage.ts'
import { wireOf } from './wires.ts'

describe('usage is read', () => {
  test.for<[string, object, ReportedUsage]>([
    [
      'of OpenAI',
      {
        usage: {
          prompt_tokens: 2_006,
          completion_tokens: 300,
          total_tokens: 2_306,
          prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 256, accepted_prediction_tokens: 0 },
        },
      },
      { promptTokens: 2_006, outputTokens: 300, cachedTokens: 1_920, reasoningTokens: 256 },
    ],
    [
      'of Azure, in a chunk with filters and no choices',
      {
        choices: [],
        prompt_filter_results: [{ prompt_index: 0 }],
        usage: { completion_tokens: 9, prompt_tokens: 12, total_tokens: 21 },
      },
      { promptTokens: 12, outputTokens: 9 },
    ],
    [
      'of DeepSeek',
      {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          prompt_cache_hit_tokens: 64,
          prompt_cache_miss_tokens: 36,
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      },
      { promptTokens: 100, outputTokens: 50, cachedTokens: 64, reasoningTokens: 30 },
    ],
    [
      'of Anthropic, whose prompt excludes its cache',
      {
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 200,
          cache_read_input_tokens: 1_000,
          output_tokens: 40,
        },
      },
      { promptTokens: 1_210, outputTokens: 40, cachedTokens: 1_000, cacheWriteTokens: 200 },
    ],
    [
      'of Anthropic adapters, whose prompt includes its cache',
      {
        usage: {
          prompt_tokens: 1_210,
          completion_tokens: 40,
          total_tokens: 1_250,
          cache_creation_input_tokens: 200,
          cache_read_input_tokens: 1_000,
        },
      },
      { promptTokens: 1_210, outputTokens: 40, cachedTokens: 1_000, cacheWriteTokens: 200 },
    ],
    [
      'of OpenRouter, with prices',
      {
        usage: {
          prompt_tokens: 194,
          completion_tokens: 2,
          total_tokens: 196,
          cost: 0.95,
          is_byok: false,
          prompt_tokens_details: { cached_tokens: 0 },
          cost_details: { upstream_inference_cost: 19 },
          completion_tokens_details: { reasoning_tokens: 0 },
        },
      },
      { promptTokens: 194, outputTokens: 2, cachedTokens: 0, reasoningTokens: 0 },
    ],
    [
      'of vLLM',
      { usage: { prompt_tokens: 7, total_tokens: 19, completion_tokens: 12, prompt_tokens_details: null } },
      { promptTokens: 7, outputTokens: 12 },
    ],
    [
      'of Groq, in its x_groq field',
      {
        x_groq: {
          id: 'req_1',
          usage: { queue_time: 0.02, prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
        },
      },
      { promptTokens: 24, outputTokens: 9 },
    ],
    [
      'of Mistral',
      { usage: { prompt_audio_seconds: null, prompt_tokens: 13, total_tokens: 30, completion_tokens: 17 } },
      { promptTokens: 13, outputTokens: 17 },
    ],
    [
      'with at most as many cached and written tokens as the prompt has',
      {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 5,
          prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 8 },
        },
      },
      { promptTokens: 10, outputTokens: 5, cachedTokens: 8, cacheWriteTokens: 2 },
    ],
    [
      'without tokens that only the total contains, because their kind is unknown',
      { usage: { prompt_tokens: 8, completion_tokens: 20, total_tokens: 528 } },
      { promptTokens: 8, outputTokens: 20 },
    ],
    [
      'of the native Gemini format',
      {
        usageMetadata: {
          promptTokenCount: 8,
          candidatesTokenCount: 20,
          thoughtsTokenCount: 500,
          cachedContentTokenCount: 4,
          totalTokenCount: 528,
        },
      },
      { promptTokens: 8, outputTokens: 520, cachedTokens: 4, reasoningTokens: 500 },
    ],
    [
      'of xAI, whose reasoning is beside the output',
      {
        usage: {
          prompt_tokens: 32,
          completion_tokens: 9,
          total_tokens: 135,
          completion_tokens_details: { reasoning_tokens: 94 },
        },
      },
      { promptTokens: 32, outputTokens: 103, reasoningTokens: 94 },
    ],
    [
      'of llama.cpp, in its timings',
      {
        choices: [],
        timings: { cache_n: 236, prompt_n: 1, prompt_ms: 30.9, predicted_n: 35, predicted_ms: 661 },
      },
      { promptTokens: 237, outputTokens: 35, cachedTokens: 236 },
    ],
    [
      'of Moonshot, inside the choice',
      {
        choices: [
          { index: 0, delta: {}, usage: { prompt_tokens: 19, completion_tokens: 13, total_tokens: 32 } },
        ],
      },
      { promptTokens: 19, outputTokens: 13 },
    ],
    [
      'of responses',
      {
        type: 'response.completed',
        response: {
          usage: {
            input_tokens: 75,
            input_tokens_details: { cached_tokens: 32 },
            output_tokens: 1_186,
            output_tokens_details: { reasoning_tokens: 1_024 },
            total_tokens: 1_261,
          },
        },
      },
      { promptTokens: 75, outputTokens: 1_186, cachedTokens: 32, reasoningTokens: 1_024 },
    ],
    ['of embeddings', { usage: { prompt_tokens: 8, total_tokens: 8 } }, { promptTokens: 8, outputTokens: 0 }],
    [
      'with more reasoning than output, limited to the output',
      {
        usage: {
          prompt_tokens: 8,
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 50 },
        },
      },
      { promptTokens: 8, outputTokens: 5, reasoningTokens: 5 },
    ],
  ])('%s', ([, event, usage]) => {
    expect(readUsage(event)).toEqual(usage)
  })

  test.for<[string, unknown]>([
    ['nothing', {}],
    ['null', { usage: null }],
    ['a word', { usage: 'a lot' }],
    ['a list', { usage: [1, 2] }],
    ['negative numbers', { usage: { prompt_tokens: -5, completion_tokens: 3 } }],
    ['a fraction of a token', { usage: { prompt_tokens: 5, completion_tokens: 2.5 } }],
    ['a number as text', { usage: { prompt_tokens: '5', completion_tokens: 3 } }],
    ['a number that is not safe', { usage: { prompt_tokens: 5, completion_tokens: 1e300 } }],
    ['no number', { usage: { prompt_tokens: Number.NaN, completion_tokens: 3 } }],
    ['only the output', { usage: { output_tokens: 12 } }],
    ['a string', 'usage'],
    ['no event', undefined],
  ])('from %s as absent', ([, event]) => {
    expect(readUsage(event)).toBeUndefined()
  })
})

describe('usage is plausible', () => {
  const bounds = { requestBytes: 400, maxOutputTokens: 100 }
  test.for<[boolean, number, number]>([
    [true, 1, 0],
    [true, 400, 100],
    [true, 1_400, 100],
    [false, 1_401, 100],
    [false, 400, 101],
    [false, 0, 50],
    [false, 1_000_000_000_000, 1],
  ])('(%s) with %i prompt and %i output tokens', ([isBelieved, promptTokens, outputTokens]) => {
    expect(isPlausibleUsage({ promptTokens, outputTokens }, bounds)).toBe(isBelieved)
  })
})

test('a reply of Gemini has no more cached tokens than its prompt', () => {
  const reply = wireOf('gemini').readReply({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, cachedContentTokenCount: 9e15 },
  })
  expect(reply.usage).toMatchObject({ inputTokens: 10, cachedInputTokens: 10, outputTokens: 2 })
})
