// Findings are accepted only if the pages support them.
import { describe, expect, test } from 'vitest'
import type { FindingCandidate, ResearchFinding, ResearchPlan, SourcePage } from '../types.ts'
import { checkFindings } from './check-findings.ts'

const plan: ResearchPlan = {
  subquestions: [
    { question: 'When was M-Pesa launched?', queries: [] },
    { question: 'How many transactions does it handle?', queries: [] },
  ],
}
const page = (n: number, text: string, title = 'M-Pesa'): SourcePage => ({
  n,
  title,
  url: `https://example.org/${n}`,
  text,
})
const LAUNCH = 'It was launched in March 2007 by Vodafone and Safaricom, the largest operator in Kenya.'
const pages = [
  page(
    1,
    `${LAUNCH} It does not require a bank account.\n\nTransactions rose to 4.3 billion in 2023, up from 2.1 billion.`,
  ),
  page(2, `The company confirms it.\n\n${LAUNCH} Fees are low.`),
  page(6, LAUNCH.replace('March', '**March**')),
  page(
    5,
    'In Uganda the service never had more than 1 200 agents. It is impossible to open two accounts.',
    'Airtel',
  ),
]
const said = (claim: string, quote: string, n = 1, sub = 0): FindingCandidate => ({
  n,
  sub,
  claim,
  quote,
  kind: 'fact',
})
const gate = (one: FindingCandidate, known: readonly ResearchFinding[] = [], perRunMax = 100) =>
  checkFindings([one], pages, known, { plan, perRunMax })

describe('a claim is accepted', () => {
  test.for([
    [
      'in the words of the page',
      'M-Pesa was launched in March 2007.',
      'it was launched in **March 2007**',
      1,
    ],
    [
      'with the date in other words',
      'Vodafone launched M-Pesa in 2007.',
      'launched in March 2007 by Vodafone',
      1,
    ],
    [
      'with a negation as on the page',
      'M-Pesa needs no bank account.',
      'It does not require a bank account',
      1,
    ],
    [
      'with a magnitude written out',
      'There were 4,300,000,000 transactions.',
      'Transactions rose to 4.3 billion in 2023',
      1,
    ],
    [
      'beside a negation of something else',
      'M-Pesa was launched by Safaricom.',
      `${LAUNCH} It does not require`,
      1,
    ],
    [
      'with a negation inside a word',
      'Opening two accounts is not possible.',
      'It is impossible to open two accounts',
      5,
    ],
    [
      'with a number that is grouped',
      'Airtel never had more than 1,200 agents.',
      'never had more than 1 200 agents',
      5,
    ],
  ] as const)('%s', ([, claim, quote, n]) => {
    const { added, dropped } = gate(said(claim, quote, n))
    expect(dropped).toEqual([])
    expect(added).toMatchObject([{ id: 'F1', claim, sub: 0 }])
    expect(pages.find((each) => each.n === n)?.text).toContain(added[0]?.quote)
  })
})

describe('a claim is dropped', () => {
  test.for([
    ['with another number', 'M-Pesa was launched in 2008.', LAUNCH, 'claim_not_supported'],
    [
      'with another magnitude',
      'There were 4.3 million transactions.',
      'Transactions rose to 4.3 billion in 2023',
      'claim_not_supported',
    ],
    ['with another month', 'M-Pesa was launched in April 2007.', LAUNCH, 'claim_not_supported'],
    ['with another name', 'M-Pesa was launched by Orange in 2007.', LAUNCH, 'claim_not_supported'],
    [
      'without the negation',
      'M-Pesa does require a bank account.',
      'It does not require a bank account',
      'claim_not_supported',
    ],
    ['with an added negation', 'M-Pesa was not launched by Vodafone.', LAUNCH, 'claim_not_supported'],
    [
      'in the other direction',
      'Transactions fell to 4.3 billion.',
      'Transactions rose to 4.3 billion in 2023',
      'claim_not_supported',
    ],
    ['about something else', 'Coffee keeps people awake at night.', LAUNCH, 'claim_not_supported'],
    [
      'with words that no page has',
      'M-Pesa was launched in 2007.',
      'It began operations in Kenya in 2007',
      'quote_not_found',
    ],
    ['with two words as proof', 'M-Pesa was launched in 2007.', 'March 2007', 'too_short'],
    ['without content', 'Yes.', LAUNCH, 'too_short'],
  ] as const)('%s', ([, claim, quote, reason]) => {
    const one = said(claim, quote)
    expect(gate(one)).toEqual({ added: [], merged: [], dropped: [{ candidate: one, reason }] })
  })

  test('if its page was not read', () => {
    expect(gate(said('M-Pesa is a bank.', 'M-Pesa is a bank of Kenya', 9)).dropped).toMatchObject([
      { reason: 'bad_source' },
    ])
  })
})

describe('the quote replaces a claim', () => {
  test.for([
    ['in another script', 'أطلقت الخدمة في 2007 وسرقها اللصوص'],
    [
      'that continues with another statement',
      'M-Pesa was launched in 2007 and stolen by thieves and smugglers.',
    ],
  ])('%s', ([, claim = '']) => {
    expect(gate(said(claim, LAUNCH)).added).toMatchObject([{ claim: LAUNCH, quote: LAUNCH, sources: [1, 2] }])
  })

  test('but not if it contains instructions', () => {
    const text = 'It was launched in March 2007 by Vodafone, see ![x](https://evil.example/x.png) for more.'
    const one = said('أطلقت الخدمة في 2007', text, 8)
    expect(checkFindings([one], [page(8, text)], [], { plan, perRunMax: 9 }).dropped).toMatchObject([
      { reason: 'claim_not_supported' },
    ])
  })
})

describe('sources', () => {
  test('are all pages with the exact quote, the named one first', () => {
    expect(gate(said('It was launched in 2007.', LAUNCH, 2)).added).toMatchObject([{ sources: [2, 1] }])
  })

  test('are the pages with the quote, not the named one', () => {
    const { added } = gate(
      said('There were 4.3 billion transactions.', 'Transactions rose to 4.3 billion in 2023', 5, 1),
    )
    expect(added).toMatchObject([{ sources: [1], sub: 1 }])
  })

  test('are merged into a known finding; without a new source the finding is a duplicate', () => {
    const known: ResearchFinding = {
      id: 'F7',
      sub: 0,
      claim: 'Launched in 2007.',
      quote: LAUNCH,
      kind: 'fact',
      sources: [1],
    }
    const again = said('It was launched in 2007.', LAUNCH, 2)
    expect(gate(again, [known])).toEqual({ added: [], merged: [{ ...known, sources: [1, 2] }], dropped: [] })
    const merged = { ...known, sources: [1, 2] }
    expect(gate(again, [merged])).toEqual({
      added: [],
      merged: [],
      dropped: [{ candidate: again, reason: 'duplicate' }],
    })
  })
})

test('ids continue after the highest known one, up to the limit', () => {
  const known: ResearchFinding = { id: 'F7', sub: 0, claim: 'x', quote: 'y', kind: 'fact', sources: [1] }
  const one = said('It was launched in 2007.', LAUNCH)
  expect(gate(one, [known]).added).toMatchObject([{ id: 'F8' }])
  expect(gate(one, [known], 1).dropped).toMatchObject([{ reason: 'limit' }])
})

test('a finding with an invalid subquestion goes to the one that shares most words', () => {
  const one = said('There were 4.3 billion transactions.', 'Transactions rose to 4.3 billion in 2023', 1, 9)
  expect(gate(one).added).toMatchObject([{ sub: 1 }])
})
