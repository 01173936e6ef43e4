import { expect, test } from 'vitest'
import type { ProviderWire, WireName } from './conversation.ts'
import { type Fields, readRequest, writeRequest } from './wires.ts'

const PROVIDERS: readonly ProviderWire[] = ['openai', 'anthropic', 'gemini']
const named = (wire: WireName, body: Fields): (readonly string[])[] => {
  const asked = readRequest(wire, { model: 'm', ...body })
  expect(asked.ignored).toEqual([])
  return PROVIDERS.map((provider) => writeRequest(asked, provider, { model: 'x', maxTokens: 8_000 }).adapted)
}
const messages = [{ role: 'user', content: 'Hi' }]

test('marks of the cache are named once where the provider does not get them', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  const text = { type: 'text', text: 'Hi', cache_control }
  const tools = [{ name: 'a', input_schema: { type: 'object' }, cache_control }]
  const called = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'a', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [text] }] },
  ]
  for (const body of [
    { messages, system: [text, text] },
    { messages: [{ role: 'user', content: [text, text] }] },
    { messages, tools },
    { messages: [...messages, ...called] },
    { messages, cache_control },
  ])
    expect(named('anthropic', { max_tokens: 100, ...body })).toEqual([
      ['cache_control'],
      [],
      ['cache_control'],
    ])
  const answer = { role: 'assistant', content: [text] }
  expect(named('openai-chat', { messages: [...messages, answer] })).toEqual([
    ['cache_control'],
    [],
    ['cache_control'],
  ])
})

test('the detail of an image is named where the provider does not get it', () => {
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const chat = (detail: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail } }] }],
  })
  const field = 'messages[].content[].image_url.detail'
  expect(named('openai-chat', chat('low'))).toEqual([[], [field], [field]])
  expect(named('openai-chat', chat('auto'))).toEqual([[], [], []])
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url, detail: 'high' }] }]
  const other = 'input[].content[].detail'
  expect(named('openai-responses', { input })).toEqual([[], [other], [other]])
})

test.each<[WireName, Fields, string[][]]>([
  ['openai-chat', { reasoning: { enabled: true } }, PROVIDERS.map(() => ['reasoning.enabled'])],
  [
    'openai-chat',
    { reasoning: { enabled: true, exclude: true } },
    [['reasoning.exclude', 'reasoning.enabled'], ['reasoning.exclude', 'reasoning.enabled'], []],
  ],
  [
    'openai-chat',
    { reasoning: { effort: 'high', exclude: true } },
    [['reasoning.exclude'], ['reasoning_effort'], []],
  ],
  [
    'openai-chat',
    { reasoning: { effort: 'high', max_tokens: 2_000 } },
    [['reasoning.max_tokens'], [], ['reasoning.max_tokens']],
  ],
  ['openai-chat', { reasoning: { enabled: false } }, [[], [], []]],
  ['openai-chat', { thinking: { type: 'enabled' } }, [['thinking'], [], []]],
  ['anthropic', { thinking: { type: 'adaptive' } }, [['thinking'], [], []]],
  [
    'anthropic',
    { thinking: { type: 'disabled' }, output_config: { effort: 'low' } },
    [['output_config.effort'], [], ['output_config.effort']],
  ],
])('of %s the fields of %j are named where the provider does not get them', (wire, more, names) => {
  expect(named(wire, { max_tokens: 8_000, messages, ...more })).toEqual(names)
})
