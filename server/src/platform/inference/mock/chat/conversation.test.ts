// What the stand-in model says to a person, and to a program that asks.
import { describe, expect, test } from 'vitest'
import type { Message } from '../../question.ts'
import { replyTo } from '../reply.ts'

const say = (content: string, system?: string): string => {
  const messages: Message[] = [{ role: 'user', content }]
  return replyTo(system === undefined ? messages : [{ role: 'system', content: system }, ...messages])
}

describe('a person who', () => {
  test.for([
    ['asks for a sum', 'What is 12 * (3 + 4)?', /= \*\*84\*\*/],
    ['asks for a sum with thousands', 'what is 1,500 + 2,500', /\*\*4000\*\*/],
    ['asks for a share', 'How much is 7.5% of 20,000?', /\*\*1500\*\*/],
    ['divides by zero', 'what is 1 / 0?', /divides by zero/],
    [
      'wants a function',
      'Show me slugify in Python',
      /```py\nimport re\nimport unicodedata\n\n\ndef slugify/,
    ],
    [
      'describes a function',
      'How do I remove duplicates from an array in TypeScript?',
      /function unique<T>\(items/,
    ],
    ['wants a function in a language with fewer', 'show me debounce in Go', /not in Go/],
    [
      'pastes code',
      'Explain this:\n```js\nexport async function load(url) {\n  return await fetch(url)\n}\n```',
      /2? ?lines of JavaScript[\s\S]*`load`[\s\S]*Line 2 talks to the network|3 lines of JavaScript[\s\S]*`load`/,
    ],
    [
      'pastes code without a fence',
      'def add(a, b):\n    return a + b\nimport os',
      /lines of Python[\s\S]*`add`/,
    ],
    ['asks about money', 'How much does Cowrie cost?', /never charged more than you were told/],
    ['asks how to pay', 'how do I top up my wallet', /USSD or mobile money/],
    ['asks about lanes', 'What is the frontier lane?', /"frontier": true/],
    ['asks who it is', 'Who are you?', /mock lane/],
    ['says hello', 'Hello!', /^Hello!/],
    ['asks for something else', 'Compose a symphony', /I understood that you asked: “Compose a symphony”/],
    ['says nothing', '', /you asked: nothing/],
  ] as const)('%s', ([, content, expected]) => {
    const reply = say(content)
    expect(reply).toMatch(expected)
    expect(reply).toContain('stand-in model')
  })
})

describe('a title', () => {
  test.for([
    ['Please fix the **login** page. It is broken.', 'Fix the login page'],
    ['```js\nx\n```', 'New conversation'],
    [`explain ${'very '.repeat(40)}long things`, /^Explain very.{20,50}…$/],
  ] as const)('of %j', ([content, expected]) => {
    const title = say(content, 'Write a short title for this conversation.')
    if (typeof expected === 'string') expect(title).toBe(expected)
    else expect(title).toMatch(expected)
    expect(title.length).toBeLessThanOrEqual(60)
  })

  test('is not what a person gets who speaks of one', () => {
    expect(say('Give me a short title for my book')).toContain('I understood')
  })
})

describe('a program that wants JSON only', () => {
  test('gets the keys that it shows, each of its kind', () => {
    const reply = say(
      'Review this.',
      'Reply with valid JSON only: {"summary": "…", "score": 3, "ok": true, "findings": [{"line": 1}]}',
    )
    expect(JSON.parse(reply)).toEqual({
      summary: expect.stringContaining('Review this'),
      score: 0,
      ok: false,
      findings: [],
    })
  })

  test('gets the keys of a shape that is no JSON itself', () => {
    const reply = JSON.parse(say('Plan.', 'Answer in JSON: {"steps": string[], "reason": string}'))
    expect(Object.keys(reply)).toEqual(['steps', 'reason'])
  })

  test('gets an object without a shape', () => {
    expect(JSON.parse(say('What is 2 + 2? Return only JSON.'))).toHaveProperty('answer')
  })
})
