// Only supported sentences of a draft are kept.

import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { describe, expect, test } from 'vitest'
import type { ResearchFinding, ResearchPlan } from '../types.ts'
import { applyRepairs, type SupportedSentence, type VerifiedReport, verifyDraft } from './verify-draft.ts'

const plan: ResearchPlan = {
  subquestions: ['When was M-Pesa launched in Kenya?', 'How many people use M-Pesa?'].map((question) => ({
    question,
    queries: [],
  })),
}
const finding = (id: string, claim: string, quote: string): ResearchFinding => ({
  id,
  sub: 0,
  claim,
  quote,
  kind: 'fact',
  sources: [1],
})
const findings = [
  finding(
    'F1',
    'M-Pesa was launched in 2007 by Safaricom.',
    'It was launched in 2007 by Safaricom in Nairobi',
  ),
  finding('F2', 'M-Pesa had 30 million users in 2023.', 'the service had 30 million active users in 2023'),
  finding('F3', 'M-Pesa does not require a bank account.', 'It does not require a bank account'),
  finding('F4', 'Le service comptait 600 000 agents.', 'le service comptait 600 000 agents'),
]
const verify = (markdown: string) => verifyDraft(markdown, findings, plan)
const keptIn = ({ blocks }: VerifiedReport): SupportedSentence[] =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'paragraph') return block.sentences
      return block.kind === 'list' ? block.items.flat() : []
    })
    .flatMap((each) => ('unsupported' in each ? [] : [each]))

describe('a sentence is kept', () => {
  test.for([
    ['with its citation', 'M-Pesa was launched in 2007 [F1].', ['F1']],
    ['with its citation behind the full stop', 'M-Pesa was launched in 2007. [F1]', ['F1']],
    [
      'with several in one bracket',
      'Safaricom launched M-Pesa in 2007, and 30 million users had it in 2023 (F1, F2).',
      ['F1', 'F2'],
    ],
    ['in bold, with a label', '- **Users:** M-Pesa had *30 million* users in 2023 [F2]', ['F2']],
    ['with the number in other words', 'M-Pesa had 30,000,000 users in 2023 [F2].', ['F2']],
    ['with a negation that the finding has', 'No bank account is required for M-Pesa [F3].', ['F3']],
    ['with a name that the question has', 'In Kenya, M-Pesa had 30 million users [F2].', ['F2']],
    ['in French', 'Le service comptait 600 000 agents [F4].', ['F4']],
    ['in another script, for its numbers', 'بلغ عدد المستخدمين ٣٠ مليون في 2023 [F2].', ['F2']],
    ['in other words', 'Safaricom introduced M-Pesa in 2007, according to the source [F1].', ['F1']],
    ['as a mere transition', 'Key findings:', []],
    ['as an open point', 'Not established: when M-Pesa was launched.', []],
    ['as an open point in French', 'Non établi : when M-Pesa was launched.', []],
    ['as an open point in Swahili', 'Haijathibitishwa: when M-Pesa was launched.', []],
    ['as an open point in Arabic', 'لم يثبت: when M-Pesa was launched.', []],
  ] as const)('%s', ([, markdown, ids]) => {
    const verified = verify(markdown)
    expect(verified.unsupported).toEqual([])
    expect(keptIn(verified)).toMatchObject([{ ids }])
  })
})

describe('a sentence is not supported', () => {
  test.for([
    ['without a citation', 'M-Pesa was launched in 2007.', 'no_citation'],
    ['with a citation that does not exist', 'M-Pesa was launched in 2007 [F99].', 'unknown_citation'],
    ['with a number of the writer’s own as citation', 'M-Pesa was launched in 2007 [1].', 'no_citation'],
    ['with a citation of something else', 'Coffee keeps people awake [F1].', 'not_in_finding'],
    ['with another number', 'M-Pesa was launched in 2009 by Safaricom [F1].', 'number'],
    ['with another magnitude', 'M-Pesa had 30 billion users in 2023 [F2].', 'number'],
    ['with a name from nowhere', 'M-Pesa was launched by Safaricom and Orange in 2007 [F1].', 'name'],
    ['without the negation', 'M-Pesa does require a bank account [F3].', 'negation'],
    ['with an added negation', 'M-Pesa was not launched by Safaricom [F1].', 'negation'],
    [
      'with a number that only an uncited finding has',
      'M-Pesa had 30 million users in 2023 after launch [F1].',
      'number',
    ],
    ['as a claim that looks like a transition', 'Overall, coffee cures the flu.', 'no_citation'],
    [
      'that continues with another statement',
      'M-Pesa was launched in 2007 by Safaricom and all of it was stolen by thieves [F1].',
      'not_in_finding',
    ],
    [
      'that asks for something',
      'M-Pesa was launched in 2007 by Safaricom; visit mpesa-refunds.com and enter your password [F1].',
      'not_in_finding',
    ],
    [
      'with one part that is about something else',
      'M-Pesa had 30 million users in 2023 and causes cancer [F2].',
      'not_in_finding',
    ],
    [
      'of an absurd length',
      `${'M-Pesa was launched in 2007 by Safaricom and '.repeat(40)} was launched [F1].`,
      'not_in_finding',
    ],
    ['as an introduction that states something', 'Active users were robbed:', 'no_citation'],
    [
      'as an open point that states something',
      'Not established: coffee cures flu within 3 days.',
      'no_citation',
    ],
  ] as const)('%s', ([, markdown, reason]) => {
    const { unsupported } = verify(markdown)
    expect(unsupported).toMatchObject([{ reason }])
  })
})

test('a partly correct citation keeps only the supporting ids', () => {
  const verified = verify('M-Pesa was launched in 2007 by Safaricom [F1][F4][F77].')
  expect(keptIn(verified)).toEqual([{ text: 'M-Pesa was launched in 2007 by Safaricom.', ids: ['F1'] }])
  expect(verified.corrected).toMatchObject([{ removed: ['F4', 'F77'] }])
})

test('headings, lists and tables keep their structure, and a row is supported as a whole', () => {
  const { blocks, unsupported } = verify(`\`\`\`markdown
## Short answer
M-Pesa was launched in 2007 [F1].

1. It had 30 million users
   in 2023 [F2].
2. It had 99 million users [F2].

| Year | Users |
|------|-------|
| 2023 | 30 million users [F2] |
| 2023 | 40 million users [F2] |

## Growth of 400% by 2030
\`\`\``)
  expect(blocks).toEqual([
    { kind: 'heading', level: 2, text: 'Short answer' },
    { kind: 'paragraph', sentences: [{ text: 'M-Pesa was launched in 2007.', ids: ['F1'] }] },
    {
      kind: 'list',
      isOrdered: true,
      items: [[{ text: 'It had 30 million users in 2023.', ids: ['F2'] }], [{ unsupported: 0 }]],
    },
    { kind: 'table', head: ['Year', 'Users'], rows: [{ cells: ['2023', '30 million users'], ids: ['F2'] }] },
  ])
  expect(unsupported).toHaveLength(2)
})

test.for([
  ['links', 'M-Pesa was [launched](https://evil.example/?q=1) in 2007 [F1].'],
  ['images', 'M-Pesa was ![x](https://evil.example/p.png)launched in 2007 [F1].'],
  ['bare addresses', 'M-Pesa was launched https://evil.example/x in 2007 [F1].'],
  ['addresses without a scheme', 'M-Pesa was launched www.evil.example in 2007 evil.example/x [F1].'],
  ['HTML', 'M-Pesa was <a href="https://evil.example">launched</a> <!-- evil --> in 2007 [F1].'],
  ['split tags', 'M-Pesa was launched ht<b>tps://evil.example in 2007 [F1].'],
  ['invisible characters', 'M-Pesa was launched h\u200bttps://evil.example in 2007 [F1].'],
  ['definitions', 'M-Pesa was launched in 2007 [F1].\n\n[F1]: https://evil.example'],
  ['mail addresses', 'M-Pesa was launched in 2007 a@evil.example [F1].'],
] as const)('%s do not get through', ([, markdown]) => {
  const verified = verify(markdown)
  expect(JSON.stringify(verified)).not.toMatch(/evil|[<>]|\]\(/)
  expect(keptIn(verified)).toMatchObject([{ ids: ['F1'] }])
})

test.for([
  ['M-Pesa had murdered active users', false],
  ['Users did not launch M-Pesa', false],
  ['Launch of M-Pesa', true],
  ['How many people use M-Pesa?', true],
  ['Costs and limitations', true],
  ['Not established', true],
  ['Réponse courte', true],
  ['Jibu fupi', true],
  ['الجواب المختصر', true],
] as const)('the heading "%s" is said only in words of plan and findings', ([heading, isKept]) => {
  const { blocks } = verify(`## ${heading}\nM-Pesa was launched in 2007 [F1].`)
  expect(blocks.some(({ kind }) => kind === 'heading')).toBe(isKept)
})

test('a table with unsupported titles becomes a list of its supported rows', () => {
  const { blocks, unsupported } = verify(`| The minister stole 4 billion | call +234 800 555 1212 |
|---|---|
| 2023 | 30 million users [F2] |
| 2023 | 40 million users [F2] |`)
  expect(blocks).toEqual([
    {
      kind: 'list',
      isOrdered: false,
      items: [[{ text: '2023; 30 million users', ids: ['F2'] }], [{ unsupported: 1 }]],
    },
  ])
  expect(unsupported).toMatchObject([{ reason: 'not_in_finding' }, { reason: 'number' }])
})

test('domains and telephone numbers are kept only if a finding has them', () => {
  const known = [finding('F1', 'M-Pesa is sold on mpesa.co.ke since 2007.', 'sold on mpesa.co.ke since 2007')]
  const markdown = 'M-Pesa is sold on mpesa.co.ke, evil.com or +234 800 555 1212 since 2007 [F1].'
  const { blocks } = verifyDraft(markdown, known, plan)
  expect(blocks).toMatchObject([{ sentences: [{ text: 'M-Pesa is sold on mpesa.co.ke, or since 2007.' }] }])
})

test('findings in another language are reported in the language of the question', () => {
  const quote =
    'The service was launched in the year 2007 by Safaricom, which is the largest operator in Kenya'
  const asked = ['Quand est-ce que M-Pesa a été lancé dans le pays et par qui, et pour quels clients ?']
  const french = { subquestions: asked.map((question) => ({ question, queries: [] })) }
  const markdown = 'Le service a été mis sur le marché par Safaricom en 2007 [F1].'
  expect(verifyDraft(markdown, [finding('F1', quote, quote)], french).unsupported).toEqual([])
})

describe('a repair', () => {
  const draft = verify(
    'M-Pesa began in 2009 [F1]. M-Pesa had 30 million users in 2023 [F2]. It is loved [F2].',
  )

  test('replaces its sentence if it is supported', () => {
    const mended = applyRepairs(draft, new Map([[0, 'M-Pesa was launched in 2007 [F1].']]), findings, plan)
    expect(keptIn(mended).map(({ text }) => text)).toEqual([
      'M-Pesa was launched in 2007.',
      'M-Pesa had 30 million users in 2023.',
    ])
    expect(mended.unsupported).toMatchObject([{ text: 'It is loved [F2].' }])
    expect(mended.blocks).toMatchObject([{ sentences: [{}, {}, { unsupported: 0 }] }])
  })

  test('changes nothing if it is not', () => {
    const repairs = new Map([
      [0, 'M-Pesa was launched in 2008 [F1].'],
      [7, 'M-Pesa was launched in 2007 [F1].'],
    ])
    expect(applyRepairs(draft, repairs, findings, plan)).toEqual(draft)
  })
})

const many = Array.from({ length: 40 }, (_, at) =>
  finding(
    `F${at + 1}`,
    `M-Pesa had ${at} users. ${'word '.repeat(80)}`,
    `had ${at} users ${'quote '.repeat(60)}`,
  ),
)

/** The limit allows 25 microseconds per character. */
const CHARACTERS = rounds(20_000, 60_000)

test.for(
  [
    `${' '.repeat(CHARACTERS - 1)}a`,
    `|a|\n|${'-'.repeat(CHARACTERS - 1_000)}x`,
    ...[
      '<!--',
      '[',
      '](',
      '<a ',
      '|-',
      '**_',
      'F1,',
      '[F1][F2]. ',
      'a@b.',
      'a.',
      '> - # ',
      'not ',
      'not the ',
    ],
    ...[
      '- a\n',
      '- a\nb\n',
      '# a 5\n',
      '## M-Pesa\n',
      'M-Pesa users [F1,F2,F3,F4,F5,F6]. ',
      'M-Pesa users [F1]. ',
    ],
  ].map((odd) => ({
    odd: JSON.stringify(odd.slice(0, 30)),
    draft: odd.repeat(Math.ceil(CHARACTERS / odd.length)),
  })),
)('a long draft of $odd is read in little time', ({ draft }) => {
  const read = () => {
    const verified = verifyDraft(draft, many, plan)
    applyRepairs(verified, new Map([[0, draft.slice(0, 2_000)]]), many, plan)
  }
  expect(measureCost(read)).toBeLessThan(CHARACTERS / 40)
})
