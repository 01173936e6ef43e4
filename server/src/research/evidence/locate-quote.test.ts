// A quote is found in any spelling, and not if one significant word differs.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitSentences } from '../reading/sentences.ts'
import { indexText, isQuotable, locateQuote } from './locate-quote.ts'
import { tokensOf } from './tokens.ts'
import { isNegation, isStopWord } from './word-lists.ts'

const PAGE = `# Mobile money

M-Pesa was launched in 2007 by Vodafone and **Safaricom**, the largest [mobile network](https://example.org/net) operator in Kenya.[12] It has since
expanded to Tanzania, Mozambique and Egypt.

The service does not require a bank account, and in 2023 it handled 4,300,000 transactions “every hour” – more than all cards together. Fees may rise
by 12.5% next year, the regulator said on 5 March 2024, but they must not exceed 300 shillings for any customer of the service.

أُطلقت الخدمة في عام ٢٠٠٧ في كينيا، ولا تحتاج إلى حساب مصرفي.

このサービスは二〇〇七年にケニアで始まりました。銀行口座は必要ありません。`

const found = (quote: string): string | null => {
  const span = locateQuote(PAGE, quote)
  return span && PAGE.slice(span.start, span.end)
}

describe('a quote is found', () => {
  test.for([
    [
      'verbatim',
      'The service does not require a bank account',
      'The service does not require a bank account',
    ],
    [
      'in other capitals and spaces',
      'IT HAS  since expanded\tto Tanzania',
      'It has since\nexpanded to Tanzania',
    ],
    [
      'without markdown and notes',
      'Safaricom, the largest mobile network operator in Kenya. It has',
      /^Safaricom.*\[12\] It has$/s,
    ],
    ['with other marks', "handled 4,300,000 transactions 'every hour' - more than", /^handled.*more than$/],
    ['with its full stop', 'customer of the service.', 'customer of the service.'],
    [
      'in decomposed letters and ligatures',
      'The service does not require a bank'.normalize('NFKD'),
      /^The service/,
    ],
    [
      'with a group mark of another country',
      'handled 4\u00a0300\u00a0000 transactions every hour',
      /^handled/,
    ],
    ['across an ellipsis', 'M-Pesa was launched in 2007 ... operator in Kenya', /^M-Pesa.*Kenya$/s],
    ['between ellipses', '…Fees may rise by 12.5% […] the regulator said…', /^Fees.*said$/s],
    [
      'with a small word less',
      'Fees may rise by 12.5% next year, the regulator said on 5 March 2024, but they must not exceed 300 shillings for any customer of service',
      /^Fees.*service$/s,
    ],
    [
      'in Arabic without vowel marks, with other digits',
      'اطلقت الخدمة في عام 2007 في كينيا',
      /^أُطلقت.*كينيا$/,
    ],
    ['in Japanese', 'このサービスは二〇〇七年にケニアで', 'このサービスは二〇〇七年にケニアで'],
  ] as const)('%s', ([, quote, expected]) => {
    expect(found(quote)).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected)
  })
})

const LONG =
  'Fees may rise by 12.5% next year, the regulator said on 5 March 2024, but they must not exceed 300 shillings for any customer'

describe('a quote is not found', () => {
  test.for([
    ['with another number', LONG.replace('300', '400')],
    ['without its negation', LONG.replace('not ', '')],
    ['with another modal', LONG.replace('may', 'will')],
    ['with another unit', LONG.replace('%', '')],
    ['with another name', LONG.replace('March', 'April')],
    ['with another direction', LONG.replace('rise', 'fall')],
    ['cut off from its negation', 'require a bank account, and in 2023'],
    ['with an ellipsis in place of a negation', 'but they must … exceed 300 shillings for any'],
    ['in another order', 'operator in Kenya … M-Pesa was launched in 2007'],
    ['when it is too short', 'bank account'],
    ['when it is too long', 'The service '.repeat(40)],
    ['when nothing of it is there', 'Coffee is grown on the slopes of Mount Kenya'],
    ['in Japanese with another word', 'このサービスは二〇〇七年にウガンダで'],
  ] as const)('%s', ([, quote]) => {
    expect(found(quote)).toBeNull()
  })
})

test.for([
  ['far apart', `${'Others came later. '.repeat(40)}\n\n`, false],
  ['far apart in one paragraph', 'Others came later. '.repeat(40), true],
  ['in two paragraphs that follow each other', 'Others came later.\n\n', true],
] as const)('parts of a quotation lie %s', ([, between, isFound]) => {
  const text = `It was launched in Kenya. ${between}It is used by millions.`
  expect(locateQuote(text, 'It was launched in Kenya … It is used by millions') !== null).toBe(isFound)
})

// Our own decision records: long English texts with numbers, code, links and lists. Their list repeats all titles.
const DECISIONS = join(import.meta.dirname, '../../../../decisions')
const texts = readdirSync(DECISIONS)
  .filter((name) => /^\d.*\.md$/.test(name))
  .sort()
  .map((name) => readFileSync(join(DECISIONS, name), 'utf8'))
const indexes = texts.map(indexText)
const sentences = texts
  .flatMap((text, page) =>
    splitSentences(text).map(({ start, end }) => ({
      page,
      text: text.slice(start, end),
      words: text.slice(start, end).split(/\s+/),
    })),
  )
  .filter(({ text, words }) => words.length >= 14 && text.length > 60 && isQuotable(text))
  .filter((_, at) => at % 2 === 0)
const isLocated = (page: number, quote: string): boolean => locateQuote(indexes[page] ?? '', quote) !== null
const hasNegation = (text: string) => tokensOf(text).some(isNegation)

describe('sentences of long texts', () => {
  test.for<[string, (sentence: { text: string; words: string[] }) => string | null]>([
    ['as they are', ({ text }) => text],
    ['on one line', ({ words }) => words.join(' ')],
    [
      'with marks of markdown',
      ({ words }) => words.map((word, at) => (at % 5 === 2 ? `*${word}*` : word)).join(' '),
    ],
    ['without marks of markdown', ({ text }) => text.replace(/[*`]/g, '')],
    [
      'with an ellipsis',
      ({ words }) => {
        const [head, gap, tail] = [words.slice(0, 6), words.slice(6, -6), words.slice(-6)].map((part) =>
          part.join(' '),
        )
        return hasNegation(gap ?? '') ? null : `${head} ... ${tail}`
      },
    ],
  ])('are almost all accepted %s', ([, changed]) => {
    const asked = sentences.flatMap((sentence) => {
      const quote = changed(sentence)
      return quote === null || !isQuotable(quote) ? [] : [{ page: sentence.page, quote }]
    })
    const accepted = asked.filter(({ page, quote }) => isLocated(page, quote))
    expect(asked.length).toBeGreaterThan(100)
    expect(accepted.length / asked.length).toBeGreaterThanOrEqual(0.987)
  })

  const strange = sentences.flatMap(({ words }) => words.filter((word) => /^[a-z]{5,}$/.test(word)))
  test.for<[string, (sentence: { text: string }, at: number) => string | null]>([
    [
      'a changed number',
      ({ text }) =>
        changedAt(
          text,
          ({ kind }) => kind === 'number',
          () => '7919',
        ),
    ],
    ['a lost or added negation', ({ text }) => changedAt(text, isNegation, () => '') ?? negated(text)],
    [
      'half of their words swapped',
      ({ text }, at) => {
        const telling = tokensOf(text).filter((token) => token.kind === 'word' && !isStopWord(token))
        const swapped = telling.filter((_, place) => place % 2 === 1).reverse()
        return swapped.reduce((so, { start, end }) => {
          const other = strange[(at * 31 + start * 7) % strange.length] ?? ''
          return so.slice(0, start) + other + so.slice(end)
        }, text)
      },
    ],
  ])('are almost never accepted with %s', ([, changed]) => {
    const asked = sentences.flatMap(({ page, text }, at) => {
      const quote = changed({ text }, at)
      return quote === null ? [] : [{ page, quote }]
    })
    const accepted = asked.filter(({ page, quote }) => isLocated(page, quote))
    expect(asked.length).toBeGreaterThan(30)
    expect(accepted.length / asked.length).toBeLessThanOrEqual(0.006)
  })

  test('are never accepted on another page', () => {
    const asked = sentences.map(({ page, text }) => ({ page: (page + 1) % texts.length, text }))
    expect(asked.filter(({ page, text }) => isLocated(page, text))).toEqual([])
  })
})

function changedAt(
  text: string,
  isMeant: (token: ReturnType<typeof tokensOf>[number]) => boolean,
  to: () => string,
): string | null {
  const token = tokensOf(text).find(isMeant)
  return token ? text.slice(0, token.start) + to() + text.slice(token.end) : null
}

const negated = (text: string): string | null =>
  / (?:is|are|was|can|has|have) /.test(text) ? text.replace(/ (is|are|was|can|has|have) /, ' $1 not ') : null

test('any located quote occurs in the text', () => {
  const word = fc.constantFrom(
    'one',
    'Two',
    '3',
    'not',
    'café',
    '…',
    'the',
    'money',
    '%',
    '한국어',
    '銀行',
    '\n\n',
    'it’s',
  )
  const wording = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(wording, wording, fc.nat(), fc.nat(), (text, other, from, length) => {
      const quote = length % 3 === 0 ? other : text.slice(from % (text.length + 1)).slice(0, length % 400)
      const span = locateQuote(text, quote)
      if (span === null) return
      expect(span.start).toBeLessThan(span.end)
      expect(span.end).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: rounds(80, 300) },
  )
})

test('a hundred quotes are located quickly in a long, repetitive text', () => {
  const long = texts.join('\n\n').repeat(3).slice(0, 200_000)
  const repeating = 'a a a b '.repeat(25_000)
  const search = (text: string) => {
    const index = indexText(text)
    for (let at = 0; at < 100; at++)
      locateQuote(index, text.slice(at * 1900, at * 1900 + 300).replace(/ \w+ /, ' lost '))
  }
  expect(measureCost(() => [long, repeating].forEach(search))).toBeLessThan(3000)
})
