// Patches of the service and of git are read as hunks, and a rejected hunk is the reverse of it.
import { describe, expect, test } from 'vitest'
import { diffOf } from './diff.ts'
import { contextLines, gapsOf, hiddenPart, unfold } from './fold.ts'
import { patchOf } from './git-patch.ts'
import { parsePatch } from './parse-patch.ts'
import { splitRows } from './split-rows.ts'
import { withoutHunks } from './without-hunks.ts'

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `row ${from + i}`)
const change = (before: string, after: string) =>
  parsePatch(patchOf([{ path: 'a.ts', action: 'update', before, after }]))

describe('a patch', () => {
  test.for([
    ['edited lines', text(...rows(1, 30)), text('first', ...rows(1, 14), 'NEW', ...rows(16, 30))],
    ['no line break at the end', 'one\ntwo', 'one\nTWO'],
    ['a line break that was added', 'one\ntwo', 'one\ntwo\n'],
    ['carriage returns', 'one\r\ntwo\r\n', 'one\r\ntwo\n'],
    ['a new file', '', 'one\ntwo\n'],
    ['an emptied file', 'one\ntwo', ''],
    ['lines that look like headers', '-- a\n++ b\nrename from x\n', '@@ -1 +1 @@\n-- a\n'],
  ])('with %s has the same hunks as the texts', ([, before = '', after = '']) => {
    const { added, removed, hunks } = change(before, after)
    expect({ added, removed, hunks }).toEqual(diffOf(before, after))
  })

  test('names the old path of a renamed file, also without a changed line', () => {
    const head =
      'diff --git a/old name.ts b/new.ts\nsimilarity index 90%\nrename from old name.ts\nrename to new.ts\n'
    expect(parsePatch(head)).toMatchObject({ renamedFrom: 'old name.ts', hunks: [], isBinary: false })
    const both = parsePatch(`${head}--- a/old name.ts\n+++ b/new.ts\n@@ -1 +1 @@\n-a\n+b\n`)
    expect(both).toMatchObject({ renamedFrom: 'old name.ts', added: 1, removed: 1 })
  })

  test('of a binary file has no hunks', () => {
    const patch = 'diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n'
    expect(parsePatch(patch)).toMatchObject({ isBinary: true, hunks: [] })
  })

  test('that is cut or empty gives the lines that are there', () => {
    expect(parsePatch('').hunks).toEqual([])
    expect(parsePatch('@@ -1,9 +1,9 @@\n a\n-b').hunks[0]?.lines.map(({ kind }) => kind)).toEqual([
      'same',
      'del',
    ])
  })
})

describe('a rejected hunk', () => {
  const before = text('one', ...rows(1, 20), 'two', ...rows(21, 40), 'three')
  const after = text('ONE', 'more', ...rows(1, 20), ...rows(21, 40), 'THREE').slice(0, -1)

  test('is reversed, and the others stay', () => {
    const { hunks } = change(before, after)
    expect(hunks.length).toBe(3)
    const left = hunks.map((hunk) => withoutHunks(after, [hunk]))
    expect(left[0]).toBe(text('one', ...rows(1, 40), 'THREE').slice(0, -1))
    expect(left[1]).toBe(text('ONE', 'more', ...rows(1, 20), 'two', ...rows(21, 40), 'THREE').slice(0, -1))
    expect(left[2]).toBe(text('ONE', 'more', ...rows(1, 40), 'three'))
    expect(withoutHunks(after, hunks)).toBe(before)
  })

  test('of any texts leads back, one after the other', () => {
    let state = 3
    const next = (most: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * most)
    }
    for (let round = 0; round < 200; round++) {
      const end = next(2) > 0 ? '\r\n' : '\n'
      const old = Array.from({ length: next(60) }, () => `${next(4)}${end}`)
      const now = old.flatMap((line) =>
        next(10) > 0 ? [line] : next(2) > 0 ? [] : [line, `n${next(9)}${end}`],
      )
      const [from, to] = [old.join('').slice(0, next(2) > 0 ? undefined : -1), now.join('')]
      let current = to
      for (let left = change(from, current).hunks; left.length > 0; left = change(from, current).hunks)
        current = withoutHunks(current, left.slice(next(left.length)).slice(0, 1))
      expect(current).toBe(from)
    }
  })
})

describe('unchanged lines', () => {
  const before = text(...rows(1, 100))
  const after = text(...rows(1, 29), 'NEW', 'MORE', ...rows(31, 100))
  const { hunks } = change(before, after)
  const content = after.match(/[^\n]*\n/g) ?? []

  test('are hidden around the hunks, and the end is unknown until the file is read', () => {
    expect(gapsOf(hunks, null)).toEqual([
      { from: 1, to: 26 },
      { from: 35, to: null },
    ])
    expect(gapsOf(hunks, 101)[1]).toEqual({ from: 35, to: 101 })
    expect(gapsOf(change('a\n', 'b\n').hunks, null)).toEqual([null, null])
  })

  test('are shown step by step with both numbers', () => {
    const gaps = gapsOf(hunks, content.length)
    const { hunks: lines, hidden } = unfold(
      hunks,
      gaps,
      [
        { top: 0, bottom: 20 },
        { top: 20, bottom: 0 },
      ],
      content,
    )
    expect(lines[0]?.[0]).toEqual({ kind: 'same', text: 'row 7\n', oldNo: 7, newNo: 7 })
    expect(lines[0]?.at(-1)).toEqual({ kind: 'same', text: 'row 53\n', oldNo: 53, newNo: 54 })
    expect(hidden).toEqual([
      { from: 1, to: 6 },
      { from: 55, to: 101 },
    ])
    const all = unfold(
      hunks,
      gaps,
      [
        { top: 0, bottom: 40 },
        { top: 99, bottom: 0 },
      ],
      content,
    )
    expect(all.hidden).toEqual([null, null])
    expect(all.hunks[0]?.filter(({ newNo }) => newNo !== null).map(({ newNo }) => newNo)).toEqual(
      content.map((_, i) => i + 1),
    )
    expect(hiddenPart({ from: 1, to: 5 }, { top: 3, bottom: 2 })).toBeNull()
    expect(contextLines(content, 100, 400, 1).length).toBe(2)
  })
})

test('side by side, a removed line stands beside the line that replaces it', () => {
  const { hunks } = change(text('a', 'b', 'c', 'd'), text('a', 'B', 'X', 'c'))
  const shown = splitRows(hunks[0]?.lines ?? []).map(({ left, right }) => [
    left?.text.trim() ?? null,
    right?.text.trim() ?? null,
  ])
  expect(shown).toEqual([
    ['a', 'a'],
    ['b', 'B'],
    [null, 'X'],
    ['c', 'c'],
    ['d', null],
  ])
})
