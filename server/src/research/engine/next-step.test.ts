import { expect, test } from 'vitest'
import type { RunLimits } from '../pricing/run-limits.ts'
import type { RunRecord } from '../runs-sql.ts'
import { nextStep, type RunState } from './next-step.ts'

const LIMITS = { passes: 2, queriesPerSub: 1, extractBatch: 2 } as RunLimits
const OPTIONS: RunRecord['options'] = {
  ...{ clarify: false, approvePlan: false, searchWeb: true, repositories: [], context: null },
}
const PLAN = {
  subquestions: [
    { question: 'What?', queries: ['what', 'what else'] },
    { question: 'Why?', queries: ['why'] },
  ],
}

function known(
  run: Partial<RunRecord>,
  done: Record<string, unknown> = {},
  sources: RunState['sources'] = [],
  isLate = false,
): RunState {
  const whole = {
    ...{ status: 'running', stopReason: null, plan: PLAN, limits: LIMITS, needs: null, options: OPTIONS },
    ...run,
  } as RunRecord
  return { run: whole, done: new Map(Object.entries(done)), sources, isLate }
}
const SEARCHED = { 'search.1': { isFailed: false } }
const source = (
  n: number,
  pass: number,
  status: 'queued' | 'read' | 'failed',
  reason: string | null = null,
) => ({
  n,
  pass,
  status,
  reason,
})

test('a run begins with its plan', () => {
  expect(nextStep(known({ plan: null }))).toEqual({ kind: 'plan' })
})

test('a question is clarified before the plan, and the plan is approved before the first search', () => {
  const options = { ...OPTIONS, clarify: true, approvePlan: true }
  expect(nextStep(known({ plan: null, options }))).toEqual({ kind: 'clarify' })
  const clear = { clarify: { questions: [] } }
  expect(nextStep(known({ plan: null, options }, clear))).toEqual({ kind: 'plan' })
  expect(nextStep(known({ options }, clear))).toEqual({ kind: 'approval' })
  expect(nextStep(known({ options }, { ...clear, approval: {} }))).toMatchObject({ kind: 'search' })
  expect(nextStep(known({ options, needs: 'approval' }, clear))).toEqual({ kind: 'wait' })
})

test('a run without searches reads the pages that it was given', () => {
  const options = { ...OPTIONS, searchWeb: false }
  const given = [source(1, 1, 'read'), source(2, 1, 'read')]
  expect(nextStep(known({ options }, {}, given))).toMatchObject({ kind: 'extract', pages: [1, 2] })
})

test('the first searches use the plan, limited by the depth', () => {
  const queries = [
    { text: 'what', sub: 0 },
    { text: 'why', sub: 1 },
  ]
  expect(nextStep(known({}))).toEqual({ kind: 'search', pass: 1, queries })
})

test('queued sources are read first', () => {
  const step = nextStep(known({}, SEARCHED, [source(1, 1, 'read'), source(2, 1, 'queued')]))
  expect(step).toEqual({ kind: 'read', pass: 1 })
})

test('read sources are extracted in batches, without failed sources', () => {
  const sources = [source(1, 1, 'read'), source(2, 1, 'failed'), source(3, 1, 'read'), source(4, 1, 'read')]
  expect(nextStep(known({}, SEARCHED, sources))).toMatchObject({ kind: 'extract', batch: 1, pages: [1, 3] })
  const done = { ...SEARCHED, 'extract.1.1': {} }
  expect(nextStep(known({}, done, sources))).toMatchObject({ kind: 'extract', batch: 2, pages: [4] })
})

test('after a pass the gap step runs, and the next pass uses its queries', () => {
  const read = [source(1, 1, 'read')]
  const done = { ...SEARCHED, 'extract.1.1': {} }
  expect(nextStep(known({}, done, read))).toEqual({ kind: 'gap', pass: 1 })
  const queries = [{ text: 'more', sub: 1 }]
  const withGap = { ...done, 'gap.1': { queries } }
  expect(nextStep(known({}, withGap, read))).toEqual({ kind: 'search', pass: 2, queries })
})

test('without gaps, or after the last pass, the report is written', () => {
  const read = [source(1, 1, 'read')]
  const done = { ...SEARCHED, 'extract.1.1': {}, 'gap.1': { queries: [] } }
  expect(nextStep(known({}, done, read))).toEqual({ kind: 'report', stopReason: 'completed' })
  const second = {
    ...done,
    'gap.1': { queries: [{ text: 'more', sub: 0 }] },
    'search.2': { isFailed: false },
  }
  expect(nextStep(known({}, second, read))).toEqual({ kind: 'report', stopReason: 'completed' })
})

test('a run that is out of money or time continues with its report', () => {
  expect(nextStep(known({ plan: null, stopReason: 'budget' }))).toEqual({
    kind: 'report',
    stopReason: 'budget',
  })
  const late = known({}, SEARCHED, [source(1, 1, 'queued')], true)
  expect(nextStep(late)).toEqual({ kind: 'report', stopReason: 'wall_clock' })
})

test('a draft is repaired once and published; without a draft the report is published directly', () => {
  const written = { report: { markdown: 'It is so [F1].', stopReason: 'completed' } }
  expect(nextStep(known({}, written))).toEqual({ kind: 'repair' })
  expect(nextStep(known({}, { ...written, repair: { repairs: [] } }))).toEqual({ kind: 'publish' })
  const plain = { report: { markdown: null, stopReason: 'completed' } }
  expect(nextStep(known({}, plain))).toEqual({ kind: 'publish' })
})

test('unreadable sources are replaced once by the next best ones', () => {
  const passedOver = (n: number) => ({ n, pass: 1, status: 'skipped' as const, reason: 'low_relevance' })
  const sources = [source(1, 1, 'read'), source(2, 1, 'failed', 'http_403'), passedOver(3), passedOver(4)]
  expect(nextStep(known({}, SEARCHED, sources))).toEqual({ kind: 'refill', pass: 1, numbers: [3] })
  const refilled = { ...SEARCHED, 'refill.1': { numbers: [3] } }
  expect(nextStep(known({}, refilled, sources))).toMatchObject({ kind: 'extract', pages: [1] })
})

test('a run without any search answer fails, even after its deadline', () => {
  const done = { 'search.1': { isFailed: true } }
  expect(nextStep(known({}, done))).toEqual({ kind: 'fail', code: 'search_failed' })
  expect(nextStep(known({}, done, [], true))).toEqual({ kind: 'fail', code: 'search_failed' })
  // An empty result is an answer.
  expect(nextStep(known({}, SEARCHED))).toEqual({ kind: 'gap', pass: 1 })
})

test('a cancelled run takes no further step', () => {
  const written = { report: { markdown: 'x', stopReason: 'completed' } }
  expect(nextStep(known({ status: 'cancelled', stopReason: 'cancelled' }, written))).toEqual({
    kind: 'cancelled',
  })
})
