import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { titleOf } from './title.ts'

test.for([
  ['How do I reverse a list in Python?', 'How do I reverse a list in Python?'],
  ['Fix the login. It fails since Monday.', 'Fix the login'],
  ['# Bug report\n\nThe page is blank', 'Bug report'],
  ['> **Why** does `parse()` return _null_?', 'Why does parse() return null?'],
  ['```ts\nconst a = 1\n```\nWhat does this do?', 'What does this do?'],
  ['```ts\nconst total = 1\n```', 'const total = 1'],
  ['Read [the guide](https://example.com/a) first', 'Read the guide first'],
  ['<script>alert(1)</script> hello', 'alert(1) hello'],
  ['Rename user.name.ts to person.ts', 'Rename user.name.ts to person.ts'],
  ['Explain my_variable_name', 'Explain my_variable_name'],
  ['How do I dial *170#?', 'How do I dial *170#?'],
  ['*170*1# fails, *why*?', '*170*1# fails, why?'],
  ['**Dial *737*1*500#** now', 'Dial *737*1*500# now'],
  ['Is *#06# the same as ##002#', 'Is *#06# the same as ##002#'],
  ['Compute 2*3*4 and a * b', 'Compute 2*3*4 and a * b'],
  ['What does `a*b` and \\*args mean?', 'What does a*b and *args mean?'],
  ['Explain **kwargs and __init__', 'Explain **kwargs and __init__'],
  ['Why is List<String> not <PIN>?', 'Why is List<String> not <PIN>?'],
  ['C# or F#?', 'C# or F#?'],
  ['   \n\t\n  ', 'New conversation'],
  ['…!?', 'New conversation'],
  ['Right \u202eto left\u202c', 'Right to left'],
  ['ማስታወቂያ ምንድን ነው። ሌላ ጥያቄ', 'ማስታወቂያ ምንድን ነው'],
  [
    'Please explain to me in great detail how the reconciliation of payments works',
    'Please explain to me in great detail how the reconciliation…',
  ],
  ['x'.repeat(100), `${'x'.repeat(59)}…`],
])('%j gets the title %j', ([prompt = '', title]) => {
  expect(titleOf(prompt)).toBe(title)
})

test('every title is one short line of plain text and deterministic', () => {
  const pieces = [
    'word',
    ' ',
    '\n',
    '\r',
    '\t',
    '\u2028',
    '\u202e',
    '\u200d',
    '\ud83d',
    '👩‍💻',
    '```',
    '`',
    '*',
    '_',
    '#',
  ]
  const piece = fc.constantFrom(
    ...pieces,
    '[',
    '](',
    ')',
    '<b>',
    '<',
    '. ',
    '!',
    '؟',
    'ሰላም',
    'مرحبا',
    '\u0007',
    'x'.repeat(70),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }).map((chosen) => chosen.join('')),
      (prompt) => {
        const title = titleOf(prompt)
        expect(title).toBe(titleOf(prompt))
        expect([...title].length).toBeGreaterThan(0)
        expect([...title].length).toBeLessThanOrEqual(60)
        expect(title).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
      },
    ),
    { numRuns: 500 },
  )
})

test('the time to derive a title does not depend on the length of the question', () => {
  const nameAll = () => {
    for (const piece of ['[', '<a', '`', '_', '](', '.', '```'])
      expect(titleOf(piece.repeat(200_000 / piece.length))).toBeTruthy()
  }
  expect(measureCost(nameAll)).toBeLessThan(500)
})
