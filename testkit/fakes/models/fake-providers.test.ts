// The fake providers answer and refuse as the real ones do.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { anthropicErrorEvent, startFakeAnthropic, thinkingSignature } from './fake-anthropic.ts'
import { blockedPrompt, startFakeGemini, thoughtSignature } from './fake-gemini.ts'

const anthropic = await startFakeAnthropic()
const gemini = await startFakeGemini()
afterAll(() => Promise.all([anthropic.close(), gemini.close()]))
beforeEach(() => {
  anthropic.reset()
  gemini.reset()
})

const claudeHeaders = { 'x-api-key': 'sk-fake', 'anthropic-version': '2023-06-01' }
const post = async (url: string, headers: Record<string, string>, body: object) => {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
const toClaude = (body: object, headers: Record<string, string> = claudeHeaders) =>
  post(`${anthropic.url}/messages`, headers, { model: 'claude-x', max_tokens: 2000, ...body })
const toGemini = (body: object, action = 'generateContent', model = 'gemini-2.5-pro') =>
  post(`${gemini.url}/models/${model}:${action}`, { 'x-goog-api-key': 'fake' }, body)

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text' }
const tools = [{ name: 'read', input_schema: { type: 'object' } }]
const thinking = { type: 'enabled', budget_tokens: 1024 }

describe('the fake Anthropic', () => {
  test('streams thinking, text and a tool call as named events', async () => {
    const toolCalls = [{ name: 'read', arguments: '{"path":"a-rather-long-name.txt"}' }]
    anthropic.script({
      thinking: 'Hm.',
      text: 'Let me read.',
      toolCalls,
      cachedTokens: 3,
      cacheWriteTokens: 2,
    })
    const { text } = await toClaude({ messages: [user('Hi')], stream: true, tools })
    const names = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    expect(names.filter((name, at) => name !== names[at - 1])).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop', 'content_block_start', 'ping'],
      ...['content_block_delta', 'content_block_stop', 'content_block_start', 'content_block_delta'],
      ...['content_block_stop', 'message_delta', 'message_stop'],
    ])
    expect(text).toContain(`"signature_delta","signature":"${thinkingSignature('Hm.')}"`)
    expect(text).toContain('"cache_creation_input_tokens":2,"cache_read_input_tokens":3')
    expect(text).toContain('"stop_reason":"tool_use"')
  })

  test('answers with one message, a token count and a list of models', async () => {
    anthropic.script('Good morning.')
    const { text } = await toClaude({ messages: [user('Hi')] })
    expect(JSON.parse(text)).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: 'Good morning.' }],
      stop_reason: 'end_turn',
    })
    const counted = await post(`${anthropic.url}/messages/count_tokens`, claudeHeaders, {
      model: 'claude-x',
      messages: [user('Hi')],
    })
    expect(JSON.parse(counted.text)).toEqual({ input_tokens: JSON.parse(text).usage.input_tokens })
    const listed = await fetch(`${anthropic.url}/models`, { headers: claudeHeaders })
    expect(await listed.json()).toMatchObject({
      has_more: false,
      data: [{ type: 'model' }, { type: 'model' }],
    })
  })

  test('fails with a status, in the middle of a stream, and by a disconnect', async () => {
    anthropic.script({ status: 529 }, { pieces: ['One', anthropicErrorEvent()] }, { drop: true })
    const overloaded = await toClaude({ messages: [user('Hi')] })
    expect([overloaded.status, JSON.parse(overloaded.text).error.type]).toEqual([529, 'overloaded_error'])
    const broken = await toClaude({ messages: [user('Hi')], stream: true })
    expect(broken.text).toContain('event: error\ndata: {"type":"error","error":{"type":"overloaded_error"')
    await expect(toClaude({ messages: [user('Hi')] })).rejects.toThrow()
  })

  test.each<[string, object, string]>([
    ['no max_tokens', { messages: [user('Hi')], max_tokens: undefined }, 'max_tokens: Field required'],
    ['a system role', { messages: [{ role: 'system', content: 'x' }] }, 'Unexpected role "system"'],
    ['an unknown field', { messages: [user('Hi')], n: 1 }, 'n: Extra inputs'],
    ['a first turn of the model', { messages: [assistant('x')] }, 'first message must use'],
    ['two turns of one role', { messages: [user('a'), user('b')] }, 'roles must alternate'],
    ['an empty message', { messages: [user('')] }, 'non-empty content'],
    ['an empty text block', { messages: [user([{ type: 'text', text: '' }])] }, 'must be non-empty'],
    ['a result without a call', { messages: [user([result])] }, 'unexpected `tool_use_id`'],
    [
      'a call without a result',
      { messages: [user('a'), assistant([use]), user('b')] },
      'without `tool_result`',
    ],
    [
      'text before a result',
      { messages: [user('a'), assistant([use]), user([{ type: 'text', text: 'x' }, result])] },
      'must come first',
    ],
    [
      'a tool loop without its thinking',
      { messages: [user('a'), assistant([use]), user([result])], tools, thinking },
      'must start with a thinking block',
    ],
    [
      'a foreign signature',
      { messages: [user('a'), assistant([{ type: 'thinking', thinking: 'x', signature: 'y' }])] },
      'Invalid `signature`',
    ],
    [
      'a forced tool with thinking',
      { messages: [user('a')], tools, thinking, tool_choice: { type: 'any' } },
      'forces',
    ],
    ['a tool without a schema', { messages: [user('a')], tools: [{ name: 'x' }] }, 'input_schema'],
    ['a high temperature', { messages: [user('a')], temperature: 1.5 }, 'temperature'],
  ])('refuses %s', async (_, body, message) => {
    const { status, text } = await toClaude(body)
    expect([status, JSON.parse(text).error.type]).toEqual([400, 'invalid_request_error'])
    expect(JSON.parse(text).error.message).toContain(message)
  })

  test('refuses a request without its key or version', async () => {
    const body = { messages: [user('Hi')] }
    expect((await toClaude(body, { 'anthropic-version': '2023-06-01' })).status).toBe(401)
    expect((await toClaude(body, { 'x-api-key': 'sk-fake' })).status).toBe(400)
  })
})

const says = (...parts: object[]) => ({ role: 'user', parts })
const model = (...parts: object[]) => ({ role: 'model', parts })
const call = { functionCall: { name: 'read', args: {} } }
const response = { functionResponse: { name: 'read', response: { output: 'x' } } }

describe('the fake Gemini', () => {
  test('streams thoughts, text and a signed call', async () => {
    const toolCalls = [{ name: 'read', arguments: '{"path":"a"}' }]
    gemini.script({ thinking: 'Hm.', text: 'Let me read.', toolCalls, cachedTokens: 2 })
    const { text } = await toGemini({ contents: [says({ text: 'Hi' })] }, 'streamGenerateContent?alt=sse')
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(events.map((event) => event.candidates[0].content.parts)).toEqual([
      [{ text: 'Hm.', thought: true }],
      [{ text: 'Let me read.' }],
      [{ functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: thoughtSignature('read') }],
    ])
    expect(events.at(-1).usageMetadata).toMatchObject({ cachedContentTokenCount: 2, thoughtsTokenCount: 2 })
  })

  test('answers with one object, a JSON array, a blocked prompt and a token count', async () => {
    const body = { contents: [says({ text: 'Hi' })] }
    gemini.script('Good morning.', 'Good morning.', blockedPrompt())
    expect(JSON.parse((await toGemini(body)).text).candidates[0].finishReason).toBe('STOP')
    expect(JSON.parse((await toGemini(body, 'streamGenerateContent')).text)).toHaveLength(2)
    expect(JSON.parse((await toGemini(body)).text)).toMatchObject({
      promptFeedback: { blockReason: 'SAFETY' },
    })
    expect(JSON.parse((await toGemini(body, 'countTokens')).text).totalTokens).toBeGreaterThan(5)
  })

  test.each<[string, object, string]>([
    ['no contents', { contents: [] }, 'contents is not specified'],
    ['an unknown role', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, 'valid role'],
    ['no parts', { contents: [says()] }, 'must not be empty'],
    ['an empty part', { contents: [says({})] }, "oneof field 'data'"],
    ['an unknown field', { contents: [says({ text: 'x' })], messages: [] }, 'Unknown name "messages"'],
    ['a response without a call', { contents: [says(response)] }, 'after a function call turn'],
    [
      'a missing response',
      { contents: [says({ text: 'x' }), model(call, call), says(response)] },
      'number of function response parts',
    ],
    [
      'an unsupported schema field',
      {
        contents: [says({ text: 'x' })],
        tools: [{ functionDeclarations: [{ name: 'a', parameters: { type: 'object', $schema: 'x' } }] }],
      },
      'Unknown name "$schema"',
    ],
  ])('refuses %s', async (_, body, message) => {
    const { status, text } = await toGemini(body)
    expect([status, JSON.parse(text).error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(JSON.parse(text).error.message).toContain(message)
  })

  test('needs a signature for the calls of Gemini 3', async () => {
    const contents = (...parts: object[]) => ({
      contents: [says({ text: 'x' }), model(...parts), says(response)],
    })
    const action = 'generateContent'
    const unsigned = await toGemini(contents(call), action, 'gemini-3-pro-preview')
    expect(JSON.parse(unsigned.text).error.message).toContain('missing a thought_signature')
    const signed = { ...call, thoughtSignature: thoughtSignature('read') }
    expect((await toGemini(contents(signed), action, 'gemini-3-pro-preview')).status).toBe(200)
  })
})

test('a killed provider refuses connections until it is revived', async () => {
  await anthropic.kill()
  await expect(toClaude({ messages: [user('Hi')] })).rejects.toThrow()
  await anthropic.revive()
  expect((await toClaude({ messages: [user('Hi')] })).status).toBe(200)
})
