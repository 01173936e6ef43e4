// Sentences end where a reader expects it.
import { expect, test } from 'vitest'
import { splitSentences } from './sentences.ts'

test.for([
  [
    'abbreviations, initials and decimals',
    'Dr. J. Smith paid 3.5 bn. He left.',
    ['Dr. J. Smith paid 3.5 bn.', 'He left.'],
  ],
  [
    'lower case that continues',
    'Use e.g. this. It works etc. and more.',
    ['Use e.g. this.', 'It works etc. and more.'],
  ],
  ['quotation marks', 'She said “No.” Then she left!', ['She said “No.”', 'Then she left!']],
  [
    'French',
    'Le taux est de 12,5 %. « Ça suffit ! » Vraiment ?',
    ['Le taux est de 12,5 %.', '« Ça suffit !', '» Vraiment ?'],
  ],
  ['Arabic', 'هل هذا صحيح؟ نعم. شكرا.', ['هل هذا صحيح؟', 'نعم.', 'شكرا.']],
  ['Japanese', '始まりました。必要ありません。', ['始まりました。', '必要ありません。']],
  ['paragraphs', 'A title\n\nA text', ['A title', 'A text']],
] as const)('with %s', ([, text, expected]) => {
  expect(splitSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})
