import { errorOf, read } from '@cowrie/testkit/gateway/wire-fixtures.ts'
import { describe, expect, test } from 'vitest'
import type { WireName } from './conversation.ts'
import { type Fields, InexpressibleError, WireError, writeRequest } from './wires.ts'

const PIXEL = 'iVBORw0KGgo='
const TARGET = { model: 'x', maxTokens: 8_000 }

describe('options', () => {
  test.each<[WireName, Fields, 'openai' | 'anthropic' | 'gemini', string]>([
    ['openai-chat', { seed: 1 }, 'anthropic', 'seed'],
    ['openai-chat', { n: 2 }, 'anthropic', 'n'],
    ['openai-chat', { presence_penalty: 0.5 }, 'anthropic', 'presence_penalty'],
    ['openai-chat', { logit_bias: { 1: 5 } }, 'gemini', 'logit_bias'],
    ['openai-chat', { logprobs: true }, 'anthropic', 'logprobs'],
    ['openai-chat', { response_format: { type: 'json_object' } }, 'anthropic', 'response_format'],
    ['gemini', { generationConfig: { candidateCount: 2 } }, 'anthropic', 'generationConfig.candidateCount'],
    [
      'gemini',
      { generationConfig: { responseMimeType: 'application/json' } },
      'anthropic',
      'generationConfig.responseMimeType',
    ],
    [
      'openai-chat',
      {
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data: PIXEL } }] },
        ],
      },
      'anthropic',
      'messages[].content[].input_audio',
    ],
    [
      'anthropic',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://x/a.pdf' } }] },
        ],
      },
      'openai',
      'messages[].content[].source.url',
    ],
    [
      'openai-chat',
      {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'b', arguments: '{"x' } }] },
        ],
      },
      'gemini',
      'messages[].tool_calls[].function.arguments',
    ],
  ])('of %s %j that %s lacks are refused with the field %s', (wire, more, provider, field) => {
    const error = errorOf(() => writeRequest(read(wire, more), provider, TARGET))
    expect(error).toBeInstanceOf(InexpressibleError)
    expect(error).toMatchObject({ field, message: expect.stringContaining(`${field} is not supported`) })
  })

  test.each<[WireName, Fields, 'openai' | 'anthropic' | 'gemini', Fields, string[]]>([
    [
      'openai-chat',
      { reasoning_effort: 'low' },
      'gemini',
      { generationConfig: { maxOutputTokens: 8_000, thinkingConfig: { thinkingLevel: 'LOW' } } },
      [],
    ],
    [
      'openai-chat',
      { reasoning_effort: 'low' },
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 1_600 } },
      ['reasoning_effort'],
    ],
    [
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
      'openai',
      { reasoning_effort: 'low' },
      ['thinking.budget_tokens'],
    ],
    [
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
      [],
    ],
    [
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 31_999 } },
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 7_200 } },
      ['thinking.budget_tokens'],
    ],
    [
      'anthropic',
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'medium' } },
      'anthropic',
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'medium' } },
      [],
    ],
    ...[
      {},
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'adaptive', display: 'summarized' } },
    ].map((thinking): [WireName, Fields, 'anthropic', Fields, string[]] => {
      const sent = { ...thinking, output_config: { effort: 'max' } }
      return ['anthropic', sent, 'anthropic', sent, []]
    }),
    ['openai-chat', { temperature: 1.5 }, 'anthropic', { temperature: 1 }, ['temperature']],
    [
      'openai-chat',
      { temperature: 0.2, reasoning_effort: 'high' },
      'anthropic',
      { thinking: { type: 'enabled', budget_tokens: 6_400 } },
      ['reasoning_effort', 'temperature'],
    ],
    ['openai-chat', { top_k: 5 }, 'openai', { top_k: 5 }, []],
    ['gemini', { generationConfig: { topK: 64 } }, 'openai', {}, ['generationConfig.topK']],
    ['gemini', { generationConfig: { topK: 64 } }, 'anthropic', { top_k: 64 }, []],
    ['openai-chat', { stop: 'END' }, 'anthropic', { stop_sequences: ['END'] }, []],
    [
      'openai-chat',
      { n: 3 },
      'gemini',
      { generationConfig: { maxOutputTokens: 8_000, candidateCount: 3 } },
      [],
    ],
    [
      'openai-responses',
      { text: { verbosity: 'low' } },
      'anthropic',
      { system: 'Keep your answers short.' },
      ['text.verbosity'],
    ],
    [
      'openai-chat',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } } },
      'anthropic',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      [],
    ],
  ])('of %s %j reach %s', (wire, more, provider, fields, adapted) => {
    const request = writeRequest(read(wire, more), provider, TARGET)
    expect(request.body).toMatchObject(fields)
    expect(request.adapted).toEqual(adapted)
    if (!('temperature' in fields)) expect(request.body).not.toHaveProperty('temperature')
  })

  test('effort of Anthropic does not turn reasoning on', () => {
    const tool_choice = { type: 'any' }
    const asked = read('anthropic', {
      output_config: { effort: 'high' },
      temperature: 0.2,
      tools: [{ name: 'b', input_schema: { type: 'object' } }],
      tool_choice,
    })
    const { body, adapted } = writeRequest(asked, 'anthropic', TARGET)
    expect(body).toMatchObject({ output_config: { effort: 'high' }, temperature: 0.2, tool_choice })
    expect(body).not.toHaveProperty('thinking')
    expect(adapted).toEqual([])
  })

  test.each<[WireName, (effort: string) => Fields, string]>([
    ['openai-chat', (effort) => ({ reasoning_effort: effort }), 'reasoning_effort'],
    ['openai-chat', (effort) => ({ reasoning: { effort } }), 'reasoning.effort'],
    ['openai-responses', (effort) => ({ reasoning: { effort } }), 'reasoning.effort'],
    ['anthropic', (effort) => ({ output_config: { effort } }), 'output_config.effort'],
    [
      'gemini',
      (effort) => ({ generationConfig: { thinkingConfig: { thinkingLevel: effort } } }),
      'generationConfig.thinkingConfig.thinkingLevel',
    ],
  ])('effort of %s is one of a list', (wire, bodyOf, field) => {
    for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
      expect(read(wire, bodyOf(effort)).options.reasoning).toEqual({ effort })
    for (const effort of ['bogus', '', ...(wire === 'anthropic' ? [] : ['max'])]) {
      const error = errorOf(() => read(wire, bodyOf(effort)))
      expect(error).toBeInstanceOf(WireError)
      expect(error).toMatchObject({ field })
    }
  })

  test('reasoning is off where Anthropic would refuse it', () => {
    const call = { id: 'a', type: 'function', function: { name: 'b', arguments: '{}' } }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ]
    const tools = [{ type: 'function', function: { name: 'b' } }]
    for (const more of [{ messages }, { tool_choice: 'required' }]) {
      const asked = read('openai-chat', { reasoning_effort: 'high', tools, ...more })
      const { body, adapted } = writeRequest(asked, 'anthropic', TARGET)
      expect(body).not.toHaveProperty('thinking')
      expect(adapted).toEqual(['reasoning_effort'])
    }
  })

  test('marks of the cache keep their lifetime', () => {
    const mark = { type: 'ephemeral', ttl: '1h' }
    const chat = read('openai-chat', {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'S', cache_control: mark }] },
        { role: 'user', content: 'Hi', cache_control: { type: 'ephemeral' } },
      ],
    })
    expect(writeRequest(chat, 'anthropic', TARGET).body).toMatchObject({
      system: [{ type: 'text', text: 'S', cache_control: mark }],
      messages: [{ content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
    })
    const whole = read('anthropic', { cache_control: mark })
    expect(writeRequest(whole, 'anthropic', TARGET).body).toMatchObject({
      messages: [{ content: [{ type: 'text', text: 'Hi', cache_control: mark }] }],
    })
  })
})

describe('media', () => {
  const url = 'https://example.com/a.png'
  test('by URL stay URLs, which the gateway fetches', () => {
    const image = { type: 'image_url', image_url: { url } }
    const { messages } = read('openai-chat', { messages: [{ role: 'user', content: [image] }] })
    expect(messages[0]?.blocks).toEqual([{ kind: 'image', source: { kind: 'url', url } }])
  })

  test('in a result follow it as a message of the user for OpenAI', () => {
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
    const messages = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'functions.Read:0', name: 'Read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And?' },
          { type: 'tool_result', tool_use_id: 'functions.Read:0', content: [{ type: 'image', source }] },
        ],
      },
    ]
    const asked = read('anthropic', { messages })
    const { body, adapted } = writeRequest(asked, 'openai', TARGET)
    expect((body.messages as Fields[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'functions.Read:0', content: 'The images or files follow.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'text', text: 'And?' },
        ],
      },
    ])
    expect(adapted).toEqual(['messages[].content[].tool_use_id'])
    const same = JSON.stringify(writeRequest(asked, 'anthropic', TARGET).body)
    expect(same.match(/"functions_Read_0"/g)).toHaveLength(2)
  })
})
