// Patches of the service and of git are read as hunks.
import { describe, expect, test } from 'vitest'
import { contextLines, gapsOf, hiddenPart, unfold } from './fold.ts'
import { parsePatch } from './parse-patch.ts'
import { splitRows } from './split-rows.ts'

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `row ${from + i}`)
/** A patch with one hunk. Lines begin with their sign. */
const change = (at: string, ...lines: string[]) =>
  parsePatch(`--- a/a.ts\n+++ b/a.ts\n@@ ${at} @@\n${text(...lines)}`)

describe('a patch', () => {
  test('has the lines of each hunk with their numbers', () => {
    const { added, removed, hunks } = parsePatch(
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n@@ -20 +20,2 @@\n row\n+more\n',
    )
    expect([added, removed]).toEqual([2, 1])
    expect(
      hunks.map(({ oldStart, oldCount, newStart, newCount }) => [oldStart, oldCount, newStart, newCount]),
    ).toEqual([
      [1, 2, 1, 2],
      [20, 1, 20, 2],
    ])
    expect(hunks[0]?.lines).toEqual([
      { kind: 'same', text: 'one\n', oldNo: 1, newNo: 1 },
      { kind: 'del', text: 'two\n', oldNo: 2, newNo: null },
      { kind: 'add', text: 'TWO\n', oldNo: null, newNo: 2 },
    ])
  })

  test('keeps carriage returns, a missing line break at the end, and lines that look like headers', () => {
    const { hunks } = parsePatch(
      '--- a/a\n+++ b/a\n@@ -1,3 +1,2 @@\n--- a\n-rename from x\r\n-end\n\\ No newline at end of file\n++++ b\n+@@ -1 +1 @@\n',
    )
    expect(hunks[0]?.lines.map(({ kind, text: line }) => [kind, line])).toEqual([
      ['del', '-- a\n'],
      ['del', 'rename from x\r\n'],
      ['del', 'end'],
      ['add', '+++ b\n'],
      ['add', '@@ -1 +1 @@\n'],
    ])
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

describe('unchanged lines', () => {
  const after = text(...rows(1, 29), 'NEW', 'MORE', ...rows(31, 100))
  const around = (from: number) => rows(from, from + 2).map((row) => ` ${row}`)
  const { hunks } = change('-27,7 +27,8', ...around(27), '-row 30', '+NEW', '+MORE', ...around(31))
  const content = after.match(/[^\n]*\n/g) ?? []

  test('are hidden around the hunks, and the end is unknown until the file is read', () => {
    expect(gapsOf(hunks, null)).toEqual([
      { from: 1, to: 26 },
      { from: 35, to: null },
    ])
    expect(gapsOf(hunks, 101)[1]).toEqual({ from: 35, to: 101 })
    expect(gapsOf(change('-1 +1', '-a', '+b').hunks, null)).toEqual([null, null])
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
  const { hunks } = change('-1,4 +1,4', ' a', '-b', '+B', '+X', ' c', '-d')
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
