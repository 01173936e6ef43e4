import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatGrammar } from '../chat/chat-grammar.ts'
import { SseFilter } from './sse-filter.ts'

const LIKE = { id: 'c', created: 1, model: 'small-1' }
const chunk = (delta: object, finish: string | null = null, rest: object = {}) =>
  `data: ${JSON.stringify({ ...LIKE, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...rest })}\n\n`
const USAGE = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\n`
const DONE = 'data: [DONE]\n\n'

/** Passes a stream through in packets of these sizes, repeated. */
function pass(text: string, sizes: readonly number[] = [text.length * 4]) {
  const bytes = Buffer.from(text)
  const sieve = new SseFilter(chatGrammar({ like: LIKE, requireModel: () => undefined, answers: 1 }))
  const passed: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length && !sieve.isOver; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    passed.push(...sieve.take(Buffer.from(bytes.subarray(at, at + size))))
    at += size
  }
  if (!sieve.isOver) passed.push(...sieve.finish())
  return { text: Buffer.concat(passed).toString(), sieve }
}

describe('a stream', () => {
  test('with a carriage return inside an event is malformed, because clients end a line there', () => {
    const broken = chunk({ content: 'a' }).replace(',"choices"', ',\r"choices"')
    expect(() => pass(broken + chunk({}, 'stop') + DONE)).toThrow()
  })

  test('loses nothing but its usage and its end, for any packet boundaries', () => {
    const words = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 })
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(words, sizes, fc.constantFrom('\n', '\r\n'), (texts, packets, lineEnd) => {
        const kept = texts.map((content) => chunk({ content })).join('') + chunk({}, 'stop')
        const whole = (kept + USAGE + DONE).replaceAll('\n\n', lineEnd + lineEnd)
        const { text, sieve } = pass(whole, packets)
        expect(text).toBe(kept.replaceAll('\n\n', lineEnd + lineEnd))
        expect(sieve.seen).toMatchObject({ finish: 'stop', last: { usage: { prompt_tokens: 3 } } })
        expect(sieve.written.text).toBe(texts.join('').toWellFormed())
      }),
    )
  })

  test('validates a chunk that resembles an earlier one like the first', () => {
    const outcomeOf = (text: string) => {
      try {
        return pass(text).sieve.written.text
      } catch {
        return 'malformed'
      }
    }
    const mutations = fc.record({
      at: fc.nat(200),
      removed: fc.nat(6),
      added: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom('"', '\\', '"}', '\\u00', '\u0001', '",\n"'),
      ),
    })
    fc.assert(
      fc.property(fc.string(), mutations, (content, { at, removed, added }) => {
        const event = chunk({ content })
        const mutated = `${event.slice(0, at)}${added}${event.slice(at + removed)}`
        const alone = outcomeOf(mutated)
        const later = outcomeOf(chunk({ content: 'learnt' }) + mutated)
        expect(later).toBe(alone === 'malformed' ? alone : `learnt${alone}`)
      }),
      { numRuns: rounds(500, 3_000) },
    )
  })

  test('is not confused by text that looks like its syntax', () => {
    const tricks =
      '"usage":{"prompt_tokens":0} data: [DONE]\n\ndata: {"error":{"message":"x"}} "finish_reason":"stop"'
    const { text, sieve } = pass(chunk({ content: tricks }) + chunk({ content: 'more' }))
    expect(text).toBe(chunk({ content: tricks }) + chunk({ content: 'more' }))
    expect(sieve.seen).toMatchObject({ usage: null, finish: null, last: null })
    expect(sieve.isOver).toBe(false)
  })

  test('that reports usage with its last text keeps both', () => {
    const last = chunk({ content: 'bye' }, 'stop', { usage: { prompt_tokens: 1, completion_tokens: 1 } })
    const { text, sieve } = pass(last + DONE)
    expect(text).toBe(last)
    expect(sieve.seen.last).toBeNull()
    expect(sieve.seen.usage).toMatchObject({ usage: { prompt_tokens: 1 } })
  })

  test.for([
    ['text', { content: 'one two three' }],
    ['reasoning', { reasoning_content: 'one two three' }],
    ['arguments', { tool_calls: [{ index: 0, function: { arguments: 'one two three' } }] }],
    ['parts', { content: [{ type: 'text', text: 'one two three' }] }],
    ['a refusal', { refusal: 'one two three' }],
    [
      'reasoning that is sent twice',
      {
        reasoning: 'one two three',
        reasoning_details: [{ type: 'reasoning.text', text: 'one two three', index: 0 }],
      },
    ],
  ] as const)('is counted by its %s', ([, delta]) => {
    const { sieve } = pass(chunk(delta))
    expect(sieve.written.tokens()).toBeGreaterThanOrEqual(3)
    expect(sieve.written.tokens()).toBeLessThan(6)
  })

  test('that reports an error fails', () => {
    expect(() => pass(`${chunk({ content: 'x' })}data: {"error":{"message":"no"}}\n\n`)).toThrow(/failed/)
    expect(() => pass(chunk({ content: 'x' }, 'error'))).toThrow(/failed/)
  })
})
