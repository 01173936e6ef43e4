import { errorOf, read } from '@cowrie/testkit/gateway/wire-fixtures.ts'
import { describe, expect, test } from 'vitest'
import type { WireName } from './conversation.ts'
import { customInput } from './custom-tools.ts'
import { type Fields, WireError, writeRequest } from './wires.ts'

const TARGET = { model: 'x', maxTokens: 8_000 }

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
      ['service_tier', 'truncation', 'max_tool_calls', 'include'],
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
    ['openai-responses', { conversation: 'conv_1' }, 'conversation'],
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
