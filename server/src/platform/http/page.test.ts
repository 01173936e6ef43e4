import { describe, expect, test } from 'vitest'
import { decodeCursor, decodeTimeCursor, encodeCursor, toPage } from './page.ts'

describe('a page', () => {
  const rows = [3, 2, 1].map((seq) => ({ seq }))

  test('has a cursor when there is more, and null otherwise', () => {
    expect(toPage(rows, 3, ({ seq }) => [seq])).toEqual({ items: rows, nextCursor: null })
    const { items, nextCursor } = toPage(rows, 2, ({ seq }) => [seq])
    expect(items).toEqual(rows.slice(0, 2))
    expect(decodeCursor(nextCursor ?? '', 1)).toEqual(['2'])
  })

  test('without items is empty', () => {
    expect(toPage([], 5, () => [])).toEqual({ items: [], nextCursor: null })
  })
})

describe('a cursor', () => {
  test('decodes to its values', () => {
    const at = new Date('2026-11-15T09:00:00.000Z')
    expect(decodeCursor(encodeCursor([at, 5n, 'led_x']), 3)).toEqual([at.toISOString(), '5', 'led_x'])
    expect(decodeCursor(undefined, 3)).toBeNull()
  })

  test.for([
    'x',
    encodeCursor(['one part']),
    encodeCursor(['a', 'b\u0000']),
    encodeCursor(['a', '']),
    '../../etc',
  ])('that the service did not create (%j) is rejected', (cursor) => {
    expect(() => decodeCursor(cursor, 2)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_fields' }),
    )
  })

  test('of a time-ordered list is a position, or the start without one', () => {
    const at = new Date('2026-11-15T09:00:00.000Z')
    expect(decodeTimeCursor(encodeCursor([at, 'usr_x']))).toEqual({ at, id: 'usr_x' })
    expect(decodeTimeCursor(undefined)).toEqual({ at: new Date(0), id: '' })
  })

  test.for(['yesterday', '0000-01-01T00:00:00.000Z', '2026-13-45T00:00:00.000Z', '2026-11-15'])(
    'of a time-ordered list with %s is rejected',
    (at) =>
      expect(() => decodeTimeCursor(encodeCursor([at, 'usr_x']))).toThrow(
        expect.objectContaining({ status: 400, code: 'invalid_fields' }),
      ),
  )
})
