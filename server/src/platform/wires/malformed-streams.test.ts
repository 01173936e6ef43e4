import {
  anthropicDelta,
  anthropicEnd,
  anthropicStart,
  anthropicStop,
  calls,
  candidate,
  chunk,
  type Provider,
  translatorFor,
} from '@cowrie/testkit/gateway/wire-fixtures.ts'
import { describe, expect, test } from 'vitest'
import { MalformedReplyError } from './conversation.ts'
import { ProviderStreamError } from './wires.ts'

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

describe('a malformed stream', () => {
  test.each<[Provider, string, readonly string[]]>([
    ['openai', 'no JSON', ['{']],
    ['openai', 'no object', ['[]']],
    ['openai', 'no choice', ['{"choices":[1]}']],
    [
      'openai',
      'arguments that are no text',
      [calls({ index: 0, id: 'a', function: { name: 'b', arguments: {} } })],
    ],
    ['openai', 'a call without a name', [calls({ index: 0, id: 'a' })]],
    ['openai', 'an unknown reason', [chunk({}, 'constructor')]],
    ['openai', 'text after its end', [chunk({}, 'stop'), chunk({ content: 'more' })]],
    ['openai', 'more answers than asked', [chunk({ content: 'a' }, null, 1)]],
    [
      'openai',
      'cut arguments',
      [calls({ index: 0, id: 'a', function: { name: 'b', arguments: '{"x":' } }), chunk({}, 'tool_calls')],
    ],
    [
      'anthropic',
      'a block that starts twice',
      [anthropicStart({ type: 'text' }), anthropicStart({ type: 'text' })],
    ],
    ['anthropic', 'a piece without a block', [anthropicDelta({ type: 'text_delta', text: 'x' })]],
    [
      'anthropic',
      'a piece of another kind',
      [anthropicStart({ type: 'text' }), anthropicDelta({ type: 'thinking_delta', thinking: 'x' })],
    ],
    ['anthropic', 'an end without a start', [anthropicStop()]],
    ['anthropic', 'an unknown block', [anthropicStart({ type: '__proto__' })]],
    ['anthropic', 'an unknown reason', [anthropicEnd('toString')]],
    ['anthropic', 'an end within a block', [anthropicStart({ type: 'text' }), anthropicEnd('end_turn')]],
    ['gemini', 'no candidates', ['{"candidates":{}}']],
    ['gemini', 'no parts', ['{"candidates":[{"content":{"parts":[1]}}]}']],
    ['gemini', 'a part without content', [candidate([{}])]],
    ['gemini', 'a call without a name', [candidate([{ functionCall: {} }])]],
    ['gemini', 'a failed call', [candidate([], 'MALFORMED_FUNCTION_CALL')]],
    [
      'gemini',
      'deep arguments',
      [
        `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}]}}]}`,
      ],
    ],
  ])('of %s with %s is the fault of the provider', (from, _, data) => {
    const translator = translatorFor(from, 'anthropic')
    expect(() => data.map((each) => translator.push(each))).toThrow(MalformedReplyError)
  })

  test.each(Object.keys(END) as Provider[])('of %s that ends too early is incomplete', (from) => {
    const translator = translatorFor(from, 'openai-chat')
    expect(() => translator.end()).toThrow(MalformedReplyError)
    const cut = translatorFor(from, 'openai-chat')
    const open = from === 'gemini' ? [candidate([{ text: 'Hi' }])] : END[from].slice(0, -1)
    for (const each of open) cut.push(each)
    expect(() => cut.end()).toThrow(MalformedReplyError)
  })

  test.each<[Provider, string, string]>([
    ['openai', '{"error":{"message":"Busy","type":"server_error","code":"overloaded"}}', 'overloaded'],
    ['openai', '{"error":"Busy"}', 'error'],
    [
      'anthropic',
      '{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}',
      'overloaded_error',
    ],
    ['gemini', '{"error":{"code":503,"message":"Busy","status":"UNAVAILABLE"}}', 'UNAVAILABLE'],
  ])('of %s with the error %s reports it', (from, data, code) => {
    expect(() => translatorFor(from, 'gemini').push(data)).toThrow(new ProviderStreamError(code, 'Busy'))
  })

  test('ends with bounds on blocks', () => {
    const translator = translatorFor('gemini', 'openai-chat')
    const parts = Array.from({ length: 10_001 }, () => ({ functionCall: { name: 'a' } }))
    expect(() => translator.push(candidate(parts))).toThrow('too many blocks')
  })
})
