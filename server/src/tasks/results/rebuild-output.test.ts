import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDelta } from '../../../../sdk/src/index.ts'
import { type OutputDelta, rebuildOutput } from './rebuild-output.ts'

const MAX = 1_000_000
const rebuild = (base: string, delta: OutputDelta) => rebuildOutput(base, delta, MAX)

/** Few different lines, so that texts share many of them, some in other places. */
const line = fc.constantFrom(
  '',
  '}',
  '  return total',
  'const a = 1',
  '// ﷽ naïve 😀',
  '7| x',
  '  12| y',
  '| z',
  '\r',
  'x'.repeat(40),
)
const anyText = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''))
const numbered = (lines: readonly string[], from: number) => {
  const width = String(from + lines.length).length
  return lines.map((each, i) => `${String(from + i).padStart(width)}| ${each}`).join('\n')
}

test('a text rebuilt from its difference is the same text', () => {
  fc.assert(
    fc.property(anyText, anyText, (base, text) => {
      expect(rebuild(base, lineDelta(base, text))).toEqual({ text })
    }),
    { numRuns: 2_000 },
  )
})

test('so is a numbered file after edits, and a part of it', () => {
  const edit = fc.record({ at: fc.nat(60), removed: fc.nat(5), added: fc.array(line, { maxLength: 5 }) })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.array(edit, { maxLength: 4 }),
      fc.nat(50),
      (lines, edits, from) => {
        const edited = [...lines]
        for (const { at, removed, added } of edits) edited.splice(at, removed, ...added)
        const base = numbered(lines, 1)
        const text = numbered(edited.slice(from), from + 1)
        expect(rebuild(base, lineDelta(base, text))).toEqual({ text })
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a small edit of a large file is a small difference', () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `  const amount${i} = readAmount(row, ${i})`)
  const base = numbered(lines, 1)
  const text = numbered(lines.toSpliced(500, 1, '  // replaced', '  // by two lines'), 1)
  const delta = lineDelta(base, text)
  expect(rebuild(base, delta)).toEqual({ text })
  expect(JSON.stringify(delta).length).toBeLessThan(120)
})

test('parts that do not fit the base are refused', () => {
  const base = 'one\n2| two\nthree'
  for (const part of [
    [0, 4],
    [3, 1],
    [0, 1, 5, 3],
    [1, 1, 5],
    [1, 1, 5, 17],
    [9_999_999, 9_999_999],
  ])
    expect(rebuild(base, [part])).toBeNull()
  expect(
    rebuild(base, [
      [1, 1, 5, 3],
      [2, 1],
    ]),
  ).toEqual({ text: '  5| two\nthree' })
  expect(rebuild('', [])).toEqual({ text: '' })
  expect(rebuild('', [[0, 1]])).toBeNull()
})

test('a difference that repeats its base is refused before it is built', () => {
  const line = `1| ${'x'.repeat(900)}\n`
  const base = line.repeat(1_000)
  const lines = base.split('\n').length - 1
  const bomb = Array.from({ length: 5_000 }, () => [0, lines])
  expect(rebuild(base, bomb)).toBe('too_large')
  expect(
    rebuild(
      base,
      bomb.map((copy) => [...copy, 1, 16]),
    ),
  ).toBe('too_large')
})
