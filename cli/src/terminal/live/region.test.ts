import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmulator } from '../../../test/emulator.ts'
import { cyan, green, type Line } from '../line.ts'
import { Region } from './region.ts'
import { BLANK, type Paint, type Row, rowOf, rowsOfWrapped } from './row.ts'

const paint: Paint = { theme: 'dark', hasLinks: false }
const COLUMNS = 20
const row = (line: Line): Row => rowOf(line, COLUMNS - 1, paint)
const textOf = ({ cells }: Row) => cells.map(({ text }) => text).join('')

const text = fc.stringMatching(/^[ab漢é]{0,8}$/u)
const line = fc.oneof(
  text.map((each): Line => each),
  fc.tuple(text, text).map(([one, two]): Line => [green(one), cyan(two)]),
)
const frame = fc.record({
  finished: fc.array(line, { maxLength: 4 }),
  rows: fc.array(line, { maxLength: 5 }),
  isCursorShown: fc.boolean(),
  place: fc.nat(40),
})

test('after every frame the terminal shows the history and the region, whatever changed', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 7, max: 12 }),
      fc.boolean(),
      (frames, height, isSynchronized) => {
        const region = new Region({ isSynchronized })
        const emulator = createEmulator(COLUMNS, height)
        const history: string[] = []
        for (const { finished, rows, isCursorShown, place } of frames) {
          const live = rows.map(row)
          const on = live.length === 0 ? 0 : place % live.length
          const cursor = { row: on, column: place % ((live[on] ?? BLANK).width + 1) }
          const done = finished.map(row)
          emulator.feed(
            region.frame(
              { finished: done, rows: live, cursor: isCursorShown ? cursor : null },
              { columns: COLUMNS, rows: height },
            ),
          )
          history.push(...done.map(textOf))
          const all = [...history, ...live.map(textOf)]
          const shown = emulator.text().split('\n')
          while (shown.at(-1) === '' && shown.length > all.length) shown.pop()
          while (all.at(-1) === '' && shown.length < all.length) all.pop()
          expect(shown.map((each) => each.trimEnd())).toEqual(all.map((each) => each.trimEnd()))
          expect(emulator.cursor().isShown).toBe(isCursorShown)
          if (isCursorShown && live.length > 0) {
            const firstLive = Math.max(0, history.length + live.length - height)
            const top = history.length + live.length > height ? firstLive : 0
            expect(emulator.cursor().column).toBe(cursor.column)
            expect(emulator.cursor().row).toBeLessThanOrEqual(history.length + cursor.row - top)
          }
          expect(emulator.unknown).toEqual([])
        }
        emulator.feed(region.erase())
        expect(
          emulator
            .text()
            .trimEnd()
            .split('\n')
            .map((each) => each.trimEnd()),
        ).toEqual(
          (history.length === 0 ? [''] : history)
            .join('\n')
            .trimEnd()
            .split('\n')
            .map((each) => each.trimEnd()),
        )
      },
    ),
    { numRuns: rounds(100, 5_000) },
  )
})

test('only the part of a row that changed is written', () => {
  const region = new Region({ isSynchronized: true })
  const size = { columns: 40, rows: 10 }
  const rows = (...lines: Line[]) => lines.map((each) => rowOf(each, 39, paint))
  region.frame({ finished: [], rows: rows('12 s working', 'input', 'status'), cursor: null }, size)
  const ticked = region.frame(
    { finished: [], rows: rows('13 s working', 'input', 'status'), cursor: null },
    size,
  )
  expect(ticked).toBe('\x1b[2A\x1b[2G3')
  expect(
    region.frame({ finished: [], rows: rows('13 s working', 'input', 'status'), cursor: null }, size),
  ).toBe('')
})

test('a row that is finished is not written again', () => {
  const region = new Region({ isSynchronized: true })
  const size = { columns: 40, rows: 10 }
  const rows = (...lines: Line[]) => lines.map((each) => rowOf(each, 39, paint))
  region.frame({ finished: [], rows: rows('the first line', 'input', 'status'), cursor: null }, size)
  const next = region.frame(
    { finished: rows('the first line'), rows: rows('more', 'input', 'status'), cursor: null },
    size,
  )
  expect(next).toContain('more')
  expect(next).not.toMatch(/first|input|status/)
})

test('a line longer than the window is continued by the terminal, so that copies stay whole', () => {
  const region = new Region({ isSynchronized: true })
  const emulator = createEmulator(10, 8)
  const long = rowsOfWrapped('abcdefghijklmnopqrstuvwxy', 10, paint)
  emulator.feed(
    region.frame({ finished: long, rows: [rowOf('> ', 9, paint)], cursor: null }, { columns: 10, rows: 8 }),
  )
  expect(emulator.text()).toBe('abcdefghij\nklmnopqrst\nuvwxy\n> ')
  emulator.resize(30, 8)
  expect(emulator.text()).toBe('abcdefghijklmnopqrstuvwxy\n> ')
})

test('after a new width, the region is redrawn and the history stays, whatever was shown', () => {
  const shown = fc.array(line, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 4 }),
      shown,
      fc.integer({ min: 5, max: 30 }),
      fc.boolean(),
      fc.nat(40),
      (finished, rows, columns, reflows, place) => {
        const region = new Region({ isSynchronized: true })
        const emulator = createEmulator(COLUMNS, 24, { reflows })
        const live = rows.map(row)
        const on = place % live.length
        const cursor = { row: on, column: place % ((live[on] ?? BLANK).width + 1) }
        const before = { columns: COLUMNS, rows: 24 }
        emulator.feed(region.frame({ finished: finished.map(row), rows: live, cursor }, before))
        emulator.resize(columns, 24)
        const after = { columns, rows: 24 }
        emulator.feed(region.eraseAfterResize(after, reflows))
        emulator.feed(region.frame({ finished: [], rows: [rowOf('end', 4, paint)], cursor: null }, after))
        const cut = (text: string) => (reflows ? text : [...text].slice(0, columns).join(''))
        const history = finished.map((each) => cut(textOf(row(each)).trimEnd())).join('')
        // A wide letter may stand at the edge of a narrow window.
        const isPlain = [...finished, ...rows].every((each) => !textOf(row(each)).includes('漢'))
        if (isPlain) expect(emulator.text().replace(/\s/g, '')).toBe(`${history}end`.replace(/\s/g, ''))
      },
    ),
    { numRuns: rounds(150, 5_000) },
  )
})
