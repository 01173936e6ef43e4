import { describe, expect, test } from 'vitest'
import type { Block, WireName } from './conversation.ts'
import { readProof, tagProof } from './signatures.ts'
import { createStreamTranslator, type Fields, readRequest, translateReply, writeRequest } from './wires.ts'

const META = { model: 'm', createdAt: 1, id: 'resp_1', wantsUsage: true }
const TARGET = { model: 'claude-x', maxTokens: 8_000 }
const TOOL = { name: 'Read', schema: { type: 'object' } }

const conversationOf = (wire: WireName, blocks: readonly Block[]) =>
  ({
    wire,
    model: 'm',
    system: [],
    messages: [
      { role: 'user', blocks: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', blocks },
      { role: 'user', blocks: [{ kind: 'text', text: 'Continue' }] },
    ],
    tools: [TOOL],
    toolChoice: null,
    options: {},
    isStream: false,
    ignored: [],
  }) as const

const fieldsOf = (value: unknown): string => JSON.stringify(value)

describe('a proof of reasoning', () => {
  test.each([
    ['openai', 'openai-chat'],
    ['openai', 'openai-responses'],
    ['anthropic', 'anthropic'],
    ['gemini', 'gemini'],
  ] as const)('of %s is unchanged for a client of %s', (wire, client) => {
    expect(tagProof({ wire, text: 'c2ln', isRedacted: false }, client)).toBe('c2ln')
    expect(readProof('c2ln', client)).toEqual({ wire, text: 'c2ln', isRedacted: false })
  })

  test.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'of Anthropic returns from a client of %s',
    (client) => {
      for (const isRedacted of [true, false]) {
        const proof = { wire: 'anthropic', text: 'EqQB.x/+=', isRedacted } as const
        const tagged = tagProof(proof, client)
        expect(tagged).not.toBe(proof.text)
        expect(readProof(tagged, client)).toEqual(proof)
      }
    },
  )

  test('has the form cw1.<wire>.<signature>, as base64 where the format requires it', () => {
    const proof = { wire: 'anthropic', text: 'abc', isRedacted: false } as const
    expect(tagProof(proof, 'openai-chat')).toBe('cw1.anthropic.abc')
    expect(tagProof(proof, 'gemini')).toMatch(/^[A-Za-z0-9+/]+=*$/)
  })

  test('of an unknown tag belongs to the client', () => {
    for (const text of ['cw1.other.x', 'cw2.gemini.x', 'Y3cxLg==', 'cw1'])
      expect(readProof(text, 'anthropic')).toEqual({ wire: 'anthropic', text, isRedacted: false })
  })
})

describe('reasoning in a history', () => {
  const thinking = (signature: string): Block => ({ kind: 'thinking', text: 'Hmm', signature })
  const text: Block = { kind: 'text', text: 'Done' }

  test('reaches the provider that made it, without the tag', () => {
    const asked = conversationOf('openai-responses', [thinking('cw1.anthropic.sig'), text])
    const { body, adapted } = writeRequest(asked, 'anthropic', TARGET)
    expect((body.messages as Fields[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hmm', signature: 'sig' },
        { type: 'text', text: 'Done' },
      ],
    })
    expect(adapted).toEqual([])
  })

  test.each(['openai', 'gemini'] as const)(
    'of Anthropic is not sent to %s, and the client learns it',
    (provider) => {
      const asked = conversationOf('anthropic', [
        thinking('sig'),
        { kind: 'thinking', text: '', redacted: 'x' },
        text,
      ])
      const { body, adapted } = writeRequest(asked, provider, TARGET)
      expect(fieldsOf(body)).not.toContain('Hmm')
      expect(fieldsOf(body)).toContain('Done')
      expect(adapted).toEqual(['messages[].content[].thinking'])
    },
  )

  test('without other content leaves no empty message', () => {
    const { body } = writeRequest(conversationOf('anthropic', [thinking('sig')]), 'openai', TARGET)
    expect(body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'Continue' },
    ])
  })

  test('that a provider encrypted returns as such from a format with one field', () => {
    const asked = conversationOf('openai-responses', [
      { kind: 'thinking', text: '', signature: 'cw1r.anthropic.data' },
      text,
    ])
    const { body } = writeRequest(asked, 'anthropic', TARGET)
    expect(fieldsOf(body)).toContain('{"type":"redacted_thinking","data":"data"}')
  })

  test('of an OpenAI provider returns from a client of Anthropic, which keeps signed reasoning only', () => {
    const reply = {
      choices: [
        { message: { role: 'assistant', content: 'Done', reasoning_content: 'Hmm' }, finish_reason: 'stop' },
      ],
    }
    const conversation = conversationOf('anthropic', [text])
    const translated = translateReply({ from: 'openai', to: 'anthropic', conversation, meta: META }, reply)
    expect(translated.reply.content).toEqual([
      { type: 'thinking', thinking: 'Hmm', signature: 'cw1.openai.' },
      { type: 'text', text: 'Done' },
    ])
    const next = readRequest('anthropic', {
      model: 'm',
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: translated.reply.content },
      ],
    })
    const { body } = writeRequest(next, 'openai', TARGET)
    expect((body.messages as Fields[])[1]).toEqual({
      role: 'assistant',
      content: 'Done',
      reasoning_content: 'Hmm',
    })
  })
})

describe('the proof of a call of Gemini', () => {
  const part = { functionCall: { name: 'Read', args: { path: 'a' } }, thoughtSignature: 'c2ln' }
  const reply = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    responseId: 'r1',
  }
  const result = { kind: 'tool_result', callId: 'call_r1_0', name: 'Read', content: [] } as const

  const HISTORIES = {
    anthropic: (fields: Fields) => ({
      max_tokens: 10,
      messages: [{ role: 'assistant', content: fields.content }],
    }),
    'openai-responses': (fields: Fields) => ({ input: fields.output }),
    'openai-chat': (fields: Fields) => ({ messages: [(fields.choices as Fields[])[0]?.message] }),
  } as const

  test.each(Object.keys(HISTORIES) as (keyof typeof HISTORIES)[])('returns from a client of %s', (client) => {
    const conversation = conversationOf(client, [])
    const translation = { from: 'gemini', to: client, conversation, meta: META } as const
    const translated = translateReply(translation, reply)
    const history = readRequest(client, { model: 'm', ...HISTORIES[client](translated.reply) })
    const { body } = writeRequest(
      { ...history, messages: [...history.messages, { role: 'user', blocks: [result] }] },
      'gemini',
      { ...TARGET, model: 'gemini-3-pro' },
    )
    expect((body.contents as Fields[])[0]).toEqual({
      role: 'model',
      parts: [
        { functionCall: { id: 'call_r1_0', name: 'Read', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
      ],
    })
    const stream = createStreamTranslator(translation)
    const { bytes } = stream.push(JSON.stringify(reply))
    expect(bytes + stream.close({ ...NO_USAGE }, { costMinor: 0n, balanceMinor: 0n })).toContain(
      'cw1.gemini.c2ln',
    )
  })

  test('is replaced by the documented value where the client lost it, from Gemini 3 on', () => {
    const call = { kind: 'tool_call', id: 'call_1', name: 'Read', arguments: '{}' } as const
    const asked = conversationOf('openai-chat', [call, { ...call, id: 'call_2' }])
    const partsFor = (model: string) => {
      const { body } = writeRequest(asked, 'gemini', { ...TARGET, model })
      return (body.contents as { parts: Fields[] }[])[1]?.parts.map((each) => each.thoughtSignature)
    }
    expect(partsFor('gemini-3-pro-preview')).toEqual(['skip_thought_signature_validator', undefined])
    expect(partsFor('gemini-2.5-pro')).toEqual([undefined, undefined])
  })
})

const NO_USAGE = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}
