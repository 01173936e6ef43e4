import { describe, expect, test } from 'vitest'
import type { WireName } from './conversation.ts'
import { customInput } from './custom-tools.ts'
import {
  countPrompt,
  estimatePrompt,
  type Fields,
  InexpressibleError,
  readRequest,
  WireError,
  writeRequest,
} from './wires.ts'

const PIXEL = 'iVBORw0KGgo='
const BODIES: Readonly<Record<WireName, Fields>> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
  anthropic: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}
const TARGET = { model: 'x', maxTokens: 8_000 }
const read = (wire: WireName, more: Fields = {}) =>
  readRequest(wire, { ...BODIES[wire], ...more }, { model: 'm' })
const errorOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

describe('fields that a provider does not get', () => {
  test.each<[WireName, Fields, string[]]>([
    [
      'openai-chat',
      {
        store: true,
        metadata: { a: '1' },
        service_tier: 'flex',
        prediction: {},
        strange: 1,
        stream_options: { other: 1 },
      },
      ['store', 'metadata', 'service_tier', 'prediction', 'strange', 'stream_options.other'],
    ],
    [
      'openai-responses',
      {
        service_tier: 'auto',
        truncation: 'auto',
        max_tool_calls: 3,
        include: ['file_search_call.results'],
        store: true,
      },
      ['service_tier', 'truncation', 'max_tool_calls', 'include', 'store'],
    ],
    [
      'anthropic',
      {
        service_tier: 'auto',
        context_management: { edits: [] },
        output_config: { effort: 'low', other: 1 },
        metadata: { user_id: 'u', more: 1 },
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'a', citations: [] }] },
          { role: 'user', content: [{ type: 'text', text: 'b', citations: [] }], output_config: {} },
        ],
      },
      [
        'service_tier',
        'context_management',
        'output_config.other',
        'metadata.more',
        'messages[].content[].citations',
        'messages[].output_config',
      ],
    ],
    [
      'gemini',
      { safety_settings: [], labels: {}, generation_config: { media_resolution: 'LOW', temperature: 0 } },
      ['safetySettings', 'labels', 'generationConfig.mediaResolution'],
    ],
  ])('are named for a client of %s', (wire, more, names) => {
    expect(read(wire, more).ignored).toEqual(expect.arrayContaining(names))
    expect(read(wire, more).ignored).toHaveLength(names.length)
    expect(read(wire).ignored).toEqual([])
  })

  test('are at most 20 names, each once and safe in a header', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`field_${i}`, i]))
    expect(read('openai-chat', many).ignored).toHaveLength(20)
    const [name] = read('openai-chat', { 'a\r\nx-evil: 1 é': 1 }).ignored
    expect(name).toMatch(/^[\w?.-]+$/)
  })

  test.each<[WireName, Fields, string]>([
    ['openai-chat', { functions: [{ name: 'a' }] }, 'functions'],
    ['openai-chat', { modalities: ['text', 'audio'] }, 'modalities'],
    ['openai-chat', { repetition_penalty: 1.2 }, 'repetition_penalty'],
    ['openai-responses', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['openai-responses', { background: true }, 'background'],
    ['anthropic', { mcp_servers: [{ url: 'https://x' }] }, 'mcp_servers'],
    ['anthropic', { container: 'c' }, 'container'],
    [
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'a', context: 'x' }] }] },
      'messages[].content[].context',
    ],
    ['gemini', { cached_content: 'cachedContents/1' }, 'cachedContent'],
    ['gemini', { generationConfig: { speechConfig: {} } }, 'generationConfig.speechConfig'],
    [
      'gemini',
      { generationConfig: { responseModalities: ['IMAGE'] } },
      'generationConfig.responseModalities',
    ],
  ])('are refused for a client of %s where they change the answer: %j', (wire, more, field) => {
    expect(errorOf(() => read(wire, more))).toMatchObject({ name: 'WireError', field })
  })

  test('are not refused with the value that means nothing', () => {
    const harmless = { functions: [], modalities: ['text'], min_p: 0, store: false, audio: null }
    expect(read('openai-chat', harmless).ignored).toEqual([])
    expect(read('anthropic', { mcp_servers: [] }).ignored).toEqual([])
  })
})

describe('hosted tools', () => {
  const tool = { type: 'object', properties: {} }
  test.each<[WireName, Fields, string]>([
    [
      'openai-chat',
      { tools: [{ type: 'web_search' }, { type: 'function', function: { name: 'a' } }] },
      'web_search',
    ],
    [
      'openai-responses',
      { tools: [{ type: 'code_interpreter' }, { type: 'function', name: 'a' }] },
      'code_interpreter',
    ],
    [
      'anthropic',
      {
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { name: 'a', input_schema: tool },
        ],
      },
      'web_search',
    ],
    ['gemini', { tools: [{ google_search: {} }, { functionDeclarations: [{ name: 'a' }] }] }, 'googleSearch'],
  ])('are left out and named for a client of %s', (wire, more, name) => {
    const { tools, ignored } = read(wire, more)
    expect(tools.map((each) => each.name)).toEqual(['a'])
    expect(ignored).toEqual([`tools[${name}]`])
  })

  test.each<[WireName, Fields]>([
    ['openai-responses', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
    ['openai-responses', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    [
      'anthropic',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
    ],
    ['openai-chat', { tools: [], tool_choice: { type: 'function', function: { name: 'a' } } }],
  ])('are refused for a client of %s where the choice requires one: %j', (wire, more) => {
    expect(errorOf(() => read(wire, more))).toMatchObject({ name: 'WireError', field: 'tool_choice' })
  })

  test('and their work in a history are left out', () => {
    const input = [
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found' }] },
    ]
    const { messages, ignored } = read('openai-responses', { input })
    expect(messages).toHaveLength(2)
    expect(ignored).toEqual(['input[web_search_call]'])
  })
})

describe('custom tools', () => {
  const custom = {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files',
    format: { type: 'grammar', syntax: 'lark' },
  }
  const input = [
    { type: 'message', role: 'user', content: 'Hi' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin "x"\n' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
  ]
  test.each(['openai', 'anthropic', 'gemini'] as const)(
    'become a function with one text for %s',
    (provider) => {
      const { body } = writeRequest(read('openai-responses', { tools: [custom], input }), provider, TARGET)
      const text = JSON.stringify(body)
      expect(text).toContain('"required":["input"]')
      expect(text).toContain('*** Begin')
      expect(text).not.toContain('"custom"')
    },
  )

  test('stay custom for a client and a provider of chat completions', () => {
    const tools = [{ type: 'custom', custom: { name: 'apply_patch' } }]
    expect(writeRequest(read('openai-chat', { tools }), 'openai', TARGET).body.tools).toEqual(tools)
  })

  test('get the text of a call, also when it is cut', () => {
    expect(customInput('{"input":"a\\nb"}')).toBe('a\nb')
    expect(customInput('{"input":"a\\n')).toBe('a\n')
    expect(customInput('{"input":"a\\')).toBe('a')
    expect(customInput('{"input":"a\\u00')).toBe('a')
    expect(customInput('plain')).toBe('plain')
  })
})

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

  test('count with an allowance, and text by its tokens', () => {
    const text = 'word '.repeat(100)
    const plain = read('openai-chat', { messages: [{ role: 'user', content: text }] })
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } }
    const file = { type: 'file', file: { file_data: `data:application/pdf;base64,${'A'.repeat(40_000)}` } }
    const rich = read('openai-chat', {
      messages: [{ role: 'user', content: [{ type: 'text', text }, image, file] }],
    })
    expect(countPrompt(rich) - countPrompt(plain)).toBe(1_600 + 10_000)
    expect(estimatePrompt(plain)).toBeGreaterThanOrEqual(countPrompt(plain))
  })
})

describe('hostile requests', () => {
  const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

  test.each<[WireName, (value: unknown) => Fields]>([
    ['anthropic', (value) => ({ tools: [{ name: 'a', input_schema: value }] })],
    [
      'openai-chat',
      (value) => ({ tools: [{ type: 'function', function: { name: 'a', parameters: value } }] }),
    ],
    [
      'openai-responses',
      (value) => ({ text: { format: { type: 'json_schema', name: 'a', schema: value } } }),
    ],
    ['gemini', (value) => ({ tools: [{ functionDeclarations: [{ name: 'a', parameters: value }] }] })],
  ])('of %s with deep schemas are refused', (wire, fields) => {
    expect(errorOf(() => read(wire, fields(deep(50))))).toBeNull()
    expect(errorOf(() => read(wire, fields(deep(20_000))))).toBeInstanceOf(WireError)
  })

  test('keep names like __proto__ as data', () => {
    const parameters = JSON.parse(
      '{"type":"OBJECT","properties":{"__proto__":{"type":"STRING"},"constructor":{"type":"STRING"}}}',
    )
    const asked = read('gemini', { tools: [{ functionDeclarations: [{ name: 'a', parameters }] }] })
    const text = JSON.stringify(writeRequest(asked, 'anthropic', TARGET).body)
    expect(text).toContain('"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}')
    expect(({} as Fields).type).toBeUndefined()
    expect(read('openai-chat', JSON.parse('{"__proto__":{"model":"x"}}')).ignored).toEqual(['__proto__'])
  })

  test('with 10,000 blocks are read and written in time', () => {
    const content = Array.from({ length: 10_000 }, (_, i) => ({ type: 'text', text: `${i}` }))
    const asked = read('anthropic', { messages: [{ role: 'user', content }] })
    for (const provider of ['openai', 'anthropic', 'gemini'] as const)
      expect(JSON.stringify(writeRequest(asked, provider, TARGET).body)).toContain('"9999"')
  })

  test.each<[WireName, Fields, string]>([
    ['openai-chat', { messages: 'x' }, 'messages'],
    ['openai-chat', { messages: [] }, 'messages'],
    ['openai-chat', { messages: [1] }, 'messages[0]'],
    ['openai-chat', { temperature: 'hot' }, 'temperature'],
    ['openai-chat', { logit_bias: { 1: 'x' } }, 'logit_bias'],
    ['openai-responses', { input: [{ type: 'strange' }] }, 'input[0].type'],
    ['openai-responses', { input: [] }, 'input'],
    ['anthropic', { max_tokens: null }, 'max_tokens'],
    [
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
    ],
    ['anthropic', { cache_control: { type: 'x' } }, 'cache_control.type'],
    ['gemini', { contents: [{ parts: [{}] }] }, 'contents[0].parts[0]'],
    [
      'gemini',
      { contents: [{ parts: [{ functionResponse: { name: 'a' } }] }] },
      'contents[0].parts[0].functionResponse',
    ],
  ])('of %s with %j name the field', (wire, more, field) => {
    expect(errorOf(() => read(wire, more))).toMatchObject({ name: 'WireError', field })
  })
})
