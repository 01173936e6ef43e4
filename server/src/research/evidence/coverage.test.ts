// Gaps are computed from findings: how many sites cover each subquestion, and where they conflict.
import { describe, expect, test } from 'vitest'
import type { ReportSource, ResearchFinding, ResearchPlan } from '../types.ts'
import {
  computeCoverage,
  describeConflicts,
  findConflicts,
  findGaps,
  isWorthAnotherPass,
} from './coverage.ts'

const plan: ResearchPlan = {
  subquestions: ['When?', 'How many?', 'Why?'].map((question) => ({ question, queries: [] })),
}
const source = (n: number, url: string): ReportSource => ({
  n,
  url,
  title: '',
  status: 'read',
  reason: null,
  sha256: null,
  fetchedAt: null,
})
const sources = [
  source(1, 'https://a.example.co.ke/x'),
  source(2, 'https://www.example.co.ke/y'),
  source(3, 'https://other.org'),
]
const finding = (id: string, sub: number, claim: string, ...numbers: number[]): ResearchFinding => ({
  id,
  sub,
  claim,
  quote: claim,
  kind: 'fact',
  sources: numbers,
})

test('two pages of one site count as one source', () => {
  const findings = [
    finding('F1', 0, 'It began in 2007.', 1, 2),
    finding('F2', 1, 'There are 30 million users.', 2, 3),
  ]
  expect(computeCoverage(plan, findings, sources)).toEqual([
    { sub: 0, findings: ['F1'], domains: ['example.co.ke'] },
    { sub: 1, findings: ['F2'], domains: ['example.co.ke', 'other.org'] },
    { sub: 2, findings: [], domains: [] },
  ])
  expect(findGaps(plan, findings, sources).map(({ sub, why }) => [sub, why])).toEqual([
    [0, 'only one site speaks to it'],
    [2, 'nothing was found'],
  ])
})

describe('findings conflict', () => {
  const one = 'M-Pesa had 30 million users in Kenya in 2023.'
  test.for([
    ['about the same in the same unit', 'In 2023 M-Pesa counted 34 million users in Kenya.', 3, 1],
    ['but not at another time', 'In 2019 M-Pesa counted 24 million users in Kenya.', 3, 0],
    ['but not in another unit', 'In 2023 M-Pesa in Kenya had 34 percent growth.', 3, 0],
    ['but not about something else', 'Airtel had 3 million users in Uganda.', 3, 0],
    ['but not when they say the same', 'M-Pesa users in Kenya: 30,000,000 users.', 3, 0],
    ['but not within one source', 'In 2023 M-Pesa counted 34 million users in Kenya.', 1, 0],
  ] as const)('%s', ([, other, n, count]) => {
    const findings = [finding('F1', 1, one, 1), finding('F2', 1, other, n)]
    expect(findConflicts(findings)).toHaveLength(count)
    expect(describeConflicts(plan, findings)).toHaveLength(count)
  })

  test('and the conflict is a gap', () => {
    const findings = [
      finding('F1', 1, one, 1),
      finding('F2', 1, 'In 2023 M-Pesa had 34 million users in Kenya.', 3),
    ]
    expect(findGaps(plan, findings, sources)).toContainEqual(
      expect.objectContaining({ sub: 1, why: expect.stringMatching(/disagree/) }),
    )
  })
})

test('another pass is worthwhile while gaps remain, and later only if reading yields findings', () => {
  const covered = plan.subquestions.map((_, sub) => finding(`F${sub + 1}`, sub, `Part ${sub} holds.`, 1, 3))
  const many = Array.from({ length: 20 }, (_, at) => source(at + 1, `https://site${at}.org`))
  expect(isWorthAnotherPass({ plan, findings: covered, sources, pass: 1 })).toBe(false)
  expect(isWorthAnotherPass({ plan, findings: [], sources, pass: 1 })).toBe(true)
  expect(isWorthAnotherPass({ plan, findings: [], sources: many, pass: 2 })).toBe(false)
  expect(isWorthAnotherPass({ plan, findings: covered.slice(1), sources, pass: 2 })).toBe(true)
})

test('figures of two countries do not conflict', () => {
  const about = (id: string, claim: string, n: number): ResearchFinding => ({
    id,
    sub: 0,
    claim,
    quote: claim,
    kind: 'number',
    sources: [n],
  })
  const ghana = about('F1', 'Mobile money transfers in Ghana cost 5.7 percent on average.', 1)
  const nigeria = about('F2', 'Mobile money transfers in Nigeria cost 7.9 percent on average.', 2)
  const other = about('F3', 'Mobile money transfers in Ghana cost 6.2 percent on average.', 3)
  expect(findConflicts([ghana, nigeria])).toEqual([])
  expect(findConflicts([ghana, other])).toHaveLength(1)
})

test('fees for different amounts do not conflict, and each conflict is listed once', () => {
  const fee = (id: string, claim: string, n: number): ResearchFinding => ({
    ...{ id, sub: 0, claim, quote: claim, kind: 'number' },
    sources: [n],
  })
  const small = fee('F1', 'Sending 100 cedis by mobile money costs 0.6 percent there.', 1)
  const large = fee('F2', 'Sending 900 cedis by mobile money costs 0.9 percent there.', 2)
  expect(findConflicts([small, large])).toEqual([])
  const three = [0.6, 0.7, 0.8].map((share, at) =>
    fee(`F${at + 1}`, `Sending 100 cedis by mobile money costs ${share} percent there.`, at + 1),
  )
  expect(findConflicts(three)).toHaveLength(2)
  const range = fee(
    'F1',
    'MTN charges a fee of 0.75% for transfers in Ghana between GHS 50 and GHS 1,000.',
    1,
  )
  expect(findConflicts([range, fee('F2', 'The transfer fee for GHS 1,250.50 is GHS 9.38.', 2)])).toEqual([])
})
