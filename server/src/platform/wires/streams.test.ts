import {
  anthropicDelta,
  anthropicEnd,
  anthropicStart,
  anthropicStop,
  asked,
  calls,
  candidate,
  chunk,
  META,
  type Provider,
  translatorFor,
} from '@cowrie/testkit/gateway/wire-fixtures.ts'
import { describe, expect, test } from 'vitest'
import { MalformedReplyError, type Tool, type WireName } from './conversation.ts'
import type { Fields } from './wire.ts'
import { translateReply, wireOf } from './wires.ts'

const COST = { costMinor: 3n, balanceMinor: 7n }
const USAGE = {
  inputTokens: 9,
  cachedInputTokens: 2,
  cacheWriteTokens: 0,
  outputTokens: 4,
  reasoningTokens: 1,
}
const CUSTOM: Tool = { name: 'apply_patch', schema: null }

/** Runs a stream to its end and gives the events that the client gets. */
function run(from: Provider, to: WireName, data: readonly string[], conversation = asked(to)) {
  const translator = translatorFor(from, to, conversation)
  const pieces = [...data.map((each) => translator.push(each)), translator.end()]
  const bytes = pieces.map((piece) => piece.bytes).join('') + translator.close(USAGE, COST)
  return { bytes, text: pieces.map((piece) => piece.text).join(''), translator, events: eventsIn(bytes) }
}

const eventsIn = (bytes: string): Fields[] =>
  bytes
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Fields)

const END: Readonly<Record<Provider, readonly string[]>> = {
  openai: [chunk({ content: 'Hi' }), chunk({}, 'stop')],
  anthropic: [
    anthropicStart({ type: 'text', text: '' }),
    anthropicDelta({ type: 'text_delta', text: 'Hi' }),
    anthropicStop(),
    anthropicEnd('end_turn'),
  ],
  gemini: [candidate([{ text: 'Hi' }], 'STOP')],
}

describe('tool calls of OpenAI', () => {
  const start = (index: number, id: string, text = ''): Fields => ({
    index,
    id,
    function: { name: id, arguments: text },
  })
  const more = (index: number, text: string): Fields => ({ index, function: { arguments: text } })
  const finish = chunk({}, 'tool_calls')

  const blocksFor = (data: readonly string[]): unknown =>
    (
      wireOf('anthropic').readReply(replyOf(run('openai', 'anthropic', data).events)).choices[0]?.blocks ?? []
    ).map((block) => (block.kind === 'tool_call' ? [block.id, block.arguments] : block))

  test.each<[string, readonly string[]]>([
    [
      'one after the other',
      [calls(start(0, 'a')), calls(more(0, '{"x":1}')), calls(start(1, 'b')), calls(more(1, '{"y":2}'))],
    ],
    [
      'side by side',
      [
        calls(start(0, 'a'), start(1, 'b')),
        calls(more(0, '{"x"')),
        calls(more(1, '{"y":')),
        calls(more(0, ':1}')),
        calls(more(1, '2}')),
      ],
    ],
    ['whole', [calls(start(0, 'a', '{"x":1}'), start(1, 'b', '{"y":2}'))]],
    ['with one number for all', [calls(start(0, 'a', '{"x":1}')), calls(start(0, 'b', '{"y":2}'))]],
    [
      'without numbers',
      [
        calls({ id: 'a', function: { name: 'a', arguments: '{"x":1}' } }),
        calls({ id: 'b', function: { name: 'b', arguments: '{"y":2}' } }),
      ],
    ],
  ])('%s arrive in sequence', (_, data) => {
    expect(blocksFor([...data, finish])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"y":2}'],
    ])
  })

  test('stream on when the call before is complete', () => {
    const translator = translatorFor('openai', 'anthropic')
    translator.push(calls(start(0, 'a', '{"x":1}')))
    expect(translator.push(calls(start(1, 'b'))).bytes).toContain('"name":"b"')
  })

  test('without an id get one that is unique', () => {
    const { events } = run('openai', 'anthropic', [
      calls({ index: 0, function: { name: 'a', arguments: '' } }),
      finish,
    ])
    expect(JSON.stringify(events)).toContain('"id":"call_c_0"')
  })

  test('that the limit cuts end with its reason', () => {
    const data = [calls(start(0, 'a', '{"x":"lo')), chunk({}, 'length')]
    expect(run('openai', 'openai-chat', data).bytes).toContain('{\\"x\\":\\"lo')
    expect(run('openai', 'gemini', data).events.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS' }],
    })
    const body = {
      choices: [
        {
          message: { tool_calls: [{ id: 'a', function: { name: 'a', arguments: '{"x":"lo' } }] },
          finish_reason: 'length',
        },
      ],
    }
    for (const to of ['anthropic', 'gemini'] as const) {
      const { reply } = translateReply({ from: 'openai', to, conversation: asked(to), meta: META }, body)
      expect(JSON.stringify(reply)).not.toContain('lo')
    }
    const cut = { ...body, choices: [{ ...body.choices[0], finish_reason: 'tool_calls' }] }
    const translation = {
      from: 'openai',
      to: 'anthropic',
      conversation: asked('anthropic'),
      meta: META,
    } as const
    expect(() => translateReply(translation, cut)).toThrow(MalformedReplyError)
  })
})

/** The message of an Anthropic stream, as its client builds it. */
function replyOf(events: readonly Fields[]): Fields {
  const content: Fields[] = []
  const texts: string[] = []
  let stop: Fields = {}
  for (const event of events) {
    const delta = (event.delta ?? {}) as Fields
    if (event.type === 'content_block_start') {
      content.push(event.content_block as Fields)
      texts.push('')
    }
    if (event.type === 'content_block_delta')
      texts[texts.length - 1] += String(delta.partial_json ?? delta.text ?? delta.thinking ?? '')
    if (event.type === 'message_delta') stop = delta
  }
  const blocks = content.map((block, i) =>
    block.type === 'tool_use'
      ? { ...block, input: JSON.parse(texts[i] || '{}') }
      : { ...block, [String(block.type)]: texts[i] },
  )
  return { type: 'message', content: blocks, ...stop }
}

describe('custom tools', () => {
  const pieces = ['{"inp', 'ut":"a\\', 'n\\"b', '\\u00e9"}']
  const data = [
    anthropicStart({ type: 'tool_use', id: 't', name: 'apply_patch', input: {} }),
    ...pieces.map((partial_json) => anthropicDelta({ type: 'input_json_delta', partial_json })),
    anthropicStop(),
    anthropicEnd('tool_use'),
  ]

  test('get plain text in a stream and a whole answer', () => {
    for (const to of ['openai-responses', 'openai-chat'] as const) {
      const conversation = asked(to, [CUSTOM])
      const { bytes } = run('anthropic', to, data, conversation)
      expect(bytes).toContain(JSON.stringify('a\n"bé'))
      const body = {
        type: 'message',
        content: [{ type: 'tool_use', id: 't', name: 'apply_patch', input: { input: 'a\n' } }],
        stop_reason: 'tool_use',
      }
      const { reply } = translateReply({ from: 'anthropic', to, conversation, meta: META }, body)
      expect(JSON.stringify(reply)).toMatch(/"type":"custom(_tool_call)?"/)
      expect(JSON.stringify(reply)).toContain(JSON.stringify('a\n'))
    }
  })

  test('of other names stay functions', () => {
    const { bytes } = run('anthropic', 'openai-responses', data, asked('openai-responses'))
    expect(bytes).toContain('function_call_arguments.delta')
  })
})

describe('a stream', () => {
  test.each(['openai', 'anthropic', 'gemini'] as const)('of %s counts its text, usage and reason', (from) => {
    for (const to of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const) {
      const { text, translator, bytes } = run(from, to, END[from])
      expect(text).toBe('Hi')
      expect(translator.finish()).toBe('stop')
      expect(bytes).toContain('"Hi"')
      expect(bytes).toMatch(/cost_?[mM]inor":3/)
    }
    expect(run('anthropic', 'gemini', END.anthropic).translator.usage()).toMatchObject({ outputTokens: 4 })
  })

  test('that we cut closes its blocks and ends with the limit', () => {
    const ends = {
      'openai-chat': '"finish_reason":"length"',
      'openai-responses': '"reason":"max_output_tokens"',
      anthropic: '"stop_reason":"max_tokens"',
      gemini: '"finishReason":"MAX_TOKENS"',
    } as const
    for (const [to, end] of Object.entries(ends) as [WireName, string][]) {
      const translator = translatorFor('openai', to)
      translator.push(chunk({ content: 'Hi' }))
      const last = translator.close(USAGE, COST, true)
      expect(last).toContain(end)
      if (to === 'anthropic') expect(last).toContain('content_block_stop')
      expect(translator.finish()).toBe('length')
    }
  })

  test('keeps characters whose halves arrive apart', () => {
    const [high, low] = ['\ud83d', '\ude00']
    for (const to of ['openai-chat', 'anthropic', 'gemini'] as const) {
      const { bytes } = run('openai', to, [
        chunk({ content: high }),
        chunk({ content: low }),
        chunk({}, 'stop'),
      ])
      const texts = [...bytes.matchAll(/"(?:content|text)":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
        JSON.parse(text ?? '""'),
      )
      expect(texts.join('')).toBe('😀')
      expect(Buffer.from(bytes).toString()).toBe(bytes)
    }
  })

  test('of several answers keeps them apart', () => {
    const data = [
      chunk({ content: 'A' }),
      chunk({ content: 'B' }, null, 1),
      chunk({}, 'stop'),
      chunk({}, 'length', 1),
    ]
    const { events } = run('openai', 'gemini', data, asked('gemini', [], 2))
    expect(events.at(-1)).toMatchObject({
      candidates: [
        { index: 0, finishReason: 'STOP' },
        { index: 1, finishReason: 'MAX_TOKENS' },
      ],
    })
  })

  test('ignores pings, unknown events and empty pieces', () => {
    const noise = ['{"type":"ping"}', '{"type":"new_event"}']
    expect(run('anthropic', 'openai-chat', [...noise, ...END.anthropic, ...noise]).text).toBe('Hi')
    const empty = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: '' }, '' as string),
      ...END.openai,
      '[DONE]',
    ]
    expect(run('openai', 'anthropic', empty).text).toBe('Hi')
  })

  test('of Gemini reads parts in one event, blocked prompts and calls without ids', () => {
    const parts = [
      { text: 'T', thought: true },
      { text: 'Hi' },
      { functionCall: { name: 'a' } },
      { functionCall: { name: 'a', args: { x: 1 } } },
    ]
    const { events } = run('gemini', 'anthropic', [candidate(parts, 'STOP')])
    expect(replyOf(events)).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'T' },
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'call_r_0', input: {} },
        { type: 'tool_use', id: 'call_r_1', input: { x: 1 } },
      ],
    })
    const blocked = '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}'
    expect(run('gemini', 'openai-chat', [blocked]).translator.finish()).toBe('content_filter')
  })

  test('for Gemini can be a JSON array', () => {
    const translator = translatorFor('openai', 'gemini', asked('gemini'), { isArray: true })
    const bytes = END.openai.map((each) => translator.push(each).bytes).join('') + translator.keepAlive
    translator.end()
    const all = JSON.parse(bytes + translator.close(USAGE, COST)) as Fields[]
    expect(all).toHaveLength(2)
    const failed = translatorFor('openai', 'gemini', asked('gemini'), { isArray: true })
    expect(JSON.parse(failed.error({ code: 'INTERNAL', message: 'Failed', status: 500 }))).toEqual([
      { error: { code: 500, message: 'Failed', status: 'INTERNAL' } },
    ])
  })

  test('starts for Anthropic with the prompt tokens that are known', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 30, output_tokens: 1 }
    const start = (more: Fields) =>
      JSON.stringify({ type: 'message_start', message: { id: 'msg_1', model: 'x', ...more } })
    const first = (from: Provider, data: string, meta = {}): unknown => {
      const translator = translatorFor(from, 'anthropic', asked('anthropic'), meta)
      const [event] = eventsIn(translator.push(data).bytes)
      expect(translator.usage(), 'only the usage of the end counts').toBeNull()
      return (event as { message?: Fields }).message?.usage
    }
    const reported = { ...usage, cache_creation_input_tokens: 0 }
    expect(first('anthropic', start({ usage }), { promptTokens: 7 })).toEqual(reported)
    const ours = { input_tokens: 7, output_tokens: 0 }
    expect(first('anthropic', start({}), { promptTokens: 7 })).toEqual(ours)
    expect(first('openai', chunk({ content: 'Hi' }), { promptTokens: 7 })).toEqual(ours)
    expect(first('openai', chunk({ content: 'Hi' }))).toEqual({ input_tokens: 0, output_tokens: 0 })
  })

  test('gets an id of ours where the formats differ', () => {
    const data = ['{"type":"message_start","message":{"id":"msg_1","model":"x"}}', ...END.anthropic]
    expect(run('anthropic', 'openai-chat', data).bytes).not.toContain('msg_1')
    expect(run('anthropic', 'anthropic', data).bytes).toContain('msg_1')
  })
})
