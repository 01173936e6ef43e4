// Rejected hunks return to their old lines; the other hunks stay.
import { expect, test } from 'vitest'
import { toDifference } from './differences.ts'
import { rejectHunks } from './reject-hunks.ts'

const OPTIONS = { context: 3, editsMax: 2_000 }
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `row ${from + i}`)
/** The headers of the patch that callers see. */
const startsOf = (before: string, after: string) =>
  [
    ...(toDifference({ path: 'a', before: Buffer.from(before), after })?.patch ?? '').matchAll(
      /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/gm,
    ),
  ].map(([, old, now]) => ({ oldStart: Number(old), newStart: Number(now) }))

test('one rejected hunk returns, and the other one stays', () => {
  const before = text('one', ...rows(1, 20), 'two')
  const after = text('ONE', 'more', ...rows(1, 20), 'TWO')
  const [first, second] = startsOf(before, after)
  if (!first || !second) throw new Error('there are two hunks')
  expect(rejectHunks(before, after, [first], OPTIONS)).toEqual({ text: text('one', ...rows(1, 20), 'TWO') })
  expect(rejectHunks(before, after, [second], OPTIONS)).toEqual({
    text: text('ONE', 'more', ...rows(1, 20), 'two'),
  })
  expect(rejectHunks(before, after, [first, second], OPTIONS)).toBe('all')
  expect(rejectHunks(before, after, [{ oldStart: 2, newStart: 2 }], OPTIONS)).toBe('unknown')
})

test('line ends and a missing last line break are kept as they were', () => {
  const middle = rows(1, 20).map((row) => `${row}\r\n`)
  const before = ['one\r\n', ...middle, 'two'].join('')
  const after = ['ONE\n', ...middle, 'two\n'].join('')
  const [first, second] = startsOf(before, after)
  if (!first || !second) throw new Error('there are two hunks')
  expect(rejectHunks(before, after, [first], OPTIONS)).toEqual({
    text: ['one\r\n', ...middle, 'two\n'].join(''),
  })
  expect(rejectHunks(before, after, [second], OPTIONS)).toEqual({
    text: ['ONE\n', ...middle, 'two'].join(''),
  })
})

test('a file that was emptied or filled returns as a whole', () => {
  for (const [before, after] of [
    ['one\ntwo', ''],
    ['', 'one\n'],
  ] as const)
    expect(rejectHunks(before, after, startsOf(before, after), OPTIONS)).toBe('all')
})

test('any hunks of any difference can be rejected, one after the other or at once', () => {
  let state = 7
  const next = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
  for (let round = 0; round < 150; round++) {
    const old = Array.from({ length: next(80) }, () => `${next(4)}`)
    const now = old.flatMap((line) => (next(12) > 0 ? [line] : next(2) > 0 ? [] : [line, `new ${next(9)}`]))
    const end = (lines: string[]) => lines.join('\n') + (lines.length > 0 && next(2) > 0 ? '\n' : '')
    const [before, after] = [end(old), end(now)]
    const starts = startsOf(before, after)
    if (starts.length < 2) continue
    let current = after
    for (let left = startsOf(before, current); left.length > 1; left = startsOf(before, current)) {
      const rejected = left.filter((_, i) => i === 0 || (i < left.length - 1 && next(2) > 0))
      const result = rejectHunks(before, current, rejected, OPTIONS)
      if (typeof result === 'string') throw new Error(`round ${round}: ${result}`)
      expect(startsOf(before, result.text).length).toBeLessThan(left.length)
      current = result.text
    }
    expect(rejectHunks(before, current, startsOf(before, current), OPTIONS)).toBe('all')
  }
})
