import type { ResearchRun } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { splitAroundQuote } from './find-quote.ts'
import { type Frame, quotesOf, runStateOf, withFrames } from './run-state.ts'

const AT = '2026-11-15T09:00:00.000Z'
const run = {
  status: 'running',
  phase: 'queued',
  spentMinor: 0n,
  createdAt: AT,
  finishedAt: null,
  sources: [],
  findings: [],
} as unknown as ResearchRun

const source = (seq: number, n: number, status: 'read' | 'skipped', reason: string | null): Frame => ({
  ...{ seq, at: '2026-11-15T09:00:30.000Z', kind: 'source', n, url: 'https://a.example/', title: 'A' },
  ...{ status, reason },
})
const turn = (seq: number, spentMinor: bigint): Frame => ({
  ...{ seq, at: AT, kind: 'turn', purpose: 'plan', lane: 'open', model: 'm', tokens: 1, costMinor: 1n },
  spentMinor,
})
const finding = (id: string, quote: string, sources: number[]) => ({ id, claim: quote, quote, sources })

test('the state of an active run comes from its frames, and the last frame of a source counts', () => {
  const frames = [
    turn(1, 5n),
    turn(2, 9n),
    source(3, 1, 'skipped', 'low_relevance'),
    source(4, 1, 'read', null),
  ]
  const story = runStateOf(run, frames)
  expect(story.spentMinor).toBe(9n)
  expect(story.lastedMs).toBe(30_000)
  expect(story.sources).toMatchObject([{ n: 1, status: 'read', reason: null }])
})

test('the state of a finished run comes from its record', () => {
  const ended = {
    ...run,
    status: 'completed',
    finishedAt: '2026-11-15T09:01:00.000Z',
    spentMinor: 12n,
  } as const
  const done = { seq: 5, at: AT, kind: 'done', status: 'completed', stopReason: 'completed', spentMinor: 12n }
  const story = runStateOf(run, [source(4, 1, 'read', null), { ...done, run: ended } as Frame])
  expect(story).toMatchObject({ spentMinor: 12n, lastedMs: 60_000, sources: [] })
})

test('a repeated frame is ignored', () => {
  const known = withFrames([], [turn(1, 1n), turn(2, 2n)])
  expect(withFrames(known, [turn(1, 1n), turn(2, 2n)])).toBe(known)
  expect(withFrames(known, [turn(2, 2n), turn(3, 3n), turn(3, 3n)]).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('the quote that matches the sentence comes first', () => {
  const findings = [
    finding('F1', 'Makoro has 14 berths.', [1, 2]),
    finding('F2', 'The port charges 84 dollars.', [1]),
    finding('F3', 'Elsewhere it is 90 dollars.', [3]),
  ]
  expect(quotesOf(findings, 1, 'A container costs 84 dollars [1].').map(({ id }) => id)).toEqual(['F2', 'F1'])
  expect(quotesOf(findings, 4)).toEqual([])
})

test('a quote is found in its text with any whitespace, and its characters are literal', () => {
  expect(splitAroundQuote('One.\nIt costs\n 84 (eighty-four). Two.', 'It costs 84 (eighty-four).')).toEqual([
    { text: 'One.\n', isQuote: false },
    { text: 'It costs\n 84 (eighty-four).', isQuote: true },
    { text: ' Two.', isQuote: false },
  ])
  expect(splitAroundQuote('One.', 'x [a-z]+')).toEqual([{ text: 'One.', isQuote: false }])
  expect(splitAroundQuote('One.', '')).toEqual([{ text: 'One.', isQuote: false }])
})
