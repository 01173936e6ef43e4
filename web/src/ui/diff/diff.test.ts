// A diff transforms one text into the other with few lines, deletions before additions.
import { describe, expect, test } from 'vitest'
import { type Diff, diffOf } from './diff.ts'

const signs = ({ hunks }: Diff) =>
  hunks.map(({ lines }) =>
    lines.map(({ kind, text }) => `${{ same: ' ', del: '-', add: '+' }[kind]}${text.trimEnd()}`),
  )
const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `row ${from + i}`)

describe('a diff', () => {
  test('of equal texts is empty', () => {
    expect(diffOf('a\nb\n', 'a\nb\n')).toEqual({ added: 0, removed: 0, hunks: [] })
    expect(diffOf('', '').hunks).toEqual([])
  })

  test('has deletions before additions, three context lines, and both counts', () => {
    const before = text(...rows(1, 5), 'const a = 1', 'const b = 2', ...rows(6, 12))
    const after = text(...rows(1, 5), 'let a = 1', 'let b = 2', 'let c', ...rows(6, 12))
    const diff = diffOf(before, after)
    expect(signs(diff)).toEqual([
      [
        ' row 3',
        ' row 4',
        ' row 5',
        '-const a = 1',
        '-const b = 2',
        '+let a = 1',
        '+let b = 2',
        '+let c',
        ' row 6',
        ' row 7',
        ' row 8',
      ],
    ])
    expect(diff).toMatchObject({ added: 3, removed: 2 })
    expect(diff.hunks[0]).toMatchObject({ oldStart: 3, oldCount: 8, newStart: 3, newCount: 9 })
  })

  test('joins near changes and separates distant ones', () => {
    const near = diffOf(text('x', ...rows(1, 6), 'y'), text('X', ...rows(1, 6), 'Y'))
    const far = diffOf(text('x', ...rows(1, 7), 'y'), text('X', ...rows(1, 7), 'Y'))
    expect(near.hunks.length).toBe(1)
    expect(far.hunks.length).toBe(2)
    expect(far.hunks[1]).toMatchObject({ oldStart: 6, newStart: 6 })
  })

  test('detects a missing final newline', () => {
    expect(signs(diffOf('a\nb', 'a\nb\n'))).toEqual([[' a', '-b', '+b']])
  })

  test('transforms any text into any other', () => {
    const next = chance(5)
    for (let round = 0; round < 300; round++) {
      const some = () => Array.from({ length: Math.floor(next() * 30) }, () => `${Math.floor(next() * 6)}`)
      const [before, after] = [text(...some()), text(...some())]
      expect(applied(before, diffOf(before, after))).toBe(after)
    }
  })

  test('of texts with little in common is correct and fast', () => {
    const before = text(...rows(1, 4_000))
    const after = text(...rows(4_001, 9_000))
    const diff = diffOf(before, after)
    expect(diff).toMatchObject({ added: 5_000, removed: 4_000 })
    expect(applied(before, diff)).toBe(after)
  })
})

function applied(before: string, { hunks }: Diff): string {
  const old = before.match(/[^\n]*\n|[^\n]+/g) ?? []
  const result: string[] = []
  let at = 0
  for (const { oldStart, oldCount, lines } of hunks) {
    const from = oldCount === 0 ? oldStart : oldStart - 1
    result.push(...old.slice(at, from), ...lines.flatMap(({ kind, text }) => (kind === 'del' ? [] : [text])))
    at = from + oldCount
  }
  return [...result, ...old.slice(at)].join('')
}

/** The same random numbers in every run. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
