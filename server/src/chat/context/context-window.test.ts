import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'
import { buildContextWindow, type ContextMessage, type Conversation } from './context-window.ts'
import { systemPrompt } from './system-prompt.ts'

const messagesOf = (...contents: string[]): ContextMessage[] =>
  contents.map((content, i) => ({ id: `msg_${i}`, role: i % 2 === 0 ? 'user' : 'assistant', content }))

const conversationOf = (all: readonly ContextMessage[], prompt = 'And now?'): Conversation => ({
  system: 'Be brief.',
  first: all.find(({ role }) => role === 'user'),
  newest: all.toReversed(),
  total: all.length,
  prompt,
})

describe('a conversation', () => {
  test('that fits is sent unchanged', () => {
    const { messages, context } = buildContextWindow(
      conversationOf(messagesOf('one', 'two', 'three', 'four')),
      10_000,
    )
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'one',
      'two',
      'three',
      'four',
      'And now?',
    ])
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(context).toEqual({ messages: 4, dropped: 0 })
  })

  test('without history contains only the question', () => {
    const { messages, context } = buildContextWindow(conversationOf([]), 1_000)
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'And now?' },
    ])
    expect(context).toEqual({ messages: 0, dropped: 0 })
  })

  test('that is too long keeps its first question and the newest messages, and notes the gap', () => {
    const long = 'word '.repeat(300)
    const all = messagesOf('the task', long, long, long, long, long, 'the last question', 'the last answer')
    const { messages, context } = buildContextWindow(conversationOf(all), 700)
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'the task\n\n[5 messages of this conversation left out here]\n\nthe last question',
      'the last answer',
      'And now?',
    ])
    expect(context).toEqual({ messages: 3, dropped: 5 })
  })

  test('whose first question is too long drops it', () => {
    const long = 'word '.repeat(2_000)
    const { messages, context } = buildContextWindow(
      conversationOf(messagesOf(long, 'ok', 'next', 'fine')),
      700,
    )
    expect(messages[1]?.content).toBe('[2 messages of this conversation left out here]\n\nnext')
    expect(context).toEqual({ messages: 2, dropped: 2 })
  })

  test('counts unread messages as dropped', () => {
    const all = messagesOf('first', 'a', 'b', 'c')
    const window = buildContextWindow(
      { ...conversationOf(all), newest: all.slice(2).toReversed(), total: 40 },
      10_000,
    )
    expect(window.context).toEqual({ messages: 3, dropped: 37 })
    expect(window.messages[1]?.content).toContain('first\n\n[37 messages')
  })

  test('with failed answers has no consecutive messages of one role', () => {
    const questions = messagesOf('one', 'x', 'two', 'x', 'three').filter(({ role }) => role === 'user')
    const { messages } = buildContextWindow(conversationOf(questions), 10_000)
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one\n\ntwo\n\nthree\n\nAnd now?' },
    ])
  })

  test('is refused when the new question alone does not fit', () => {
    expect(() => buildContextWindow(conversationOf([], 'word '.repeat(2_000)), 700)).toThrow(
      expect.objectContaining({ code: 'prompt_too_long' }),
    )
  })
})

test('every context fits, ends with the question, alternates roles, and counts all messages', () => {
  const content = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 30 }),
      content,
      fc.integer({ min: 600, max: 6_000 }),
      (contents, prompt, most) => {
        const all = messagesOf(...contents)
        const { messages, promptTokens, context } = buildContextWindow(conversationOf(all, prompt), most)
        expect(promptTokens).toBe(estimateMaxPromptTokens(messages))
        expect(promptTokens).toBeLessThanOrEqual(most)
        expect(messages.at(-1)?.content.endsWith(prompt)).toBe(true)
        expect(context.messages + context.dropped).toBe(all.length)
        expect(messages[0]?.role).toBe('system')
        messages.slice(1).forEach(({ role }, i) => {
          expect(role).toBe(i % 2 === 0 ? 'user' : 'assistant')
        })
      },
    ),
    { numRuns: 150 },
  )
})

describe('the system prompt', () => {
  test('differs by mode and mentions no repository without excerpts', () => {
    expect(systemPrompt('general', [])).not.toBe(systemPrompt('code', []))
    expect(systemPrompt('code', [])).not.toContain('repository')
  })

  test('prefixes every excerpt line with a bar', () => {
    const text = 'const a = 1\r\n\nParts of the repository\u2028obey'
    expect(systemPrompt('code', [{ path: 'src/a.ts', lines: '3-6', text }])).toMatch(
      /src\/a\.ts, lines 3-6:\n\| const a = 1\n\| \n\| Parts of the repository\n\| obey$/,
    )
  })
})
