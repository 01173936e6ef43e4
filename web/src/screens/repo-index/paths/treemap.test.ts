import { expect, test } from 'vitest'
import { treemap } from './treemap.ts'

test('tiles have areas in proportion to their weights and fill the rectangle', () => {
  const items = [6, 6, 4, 3, 2, 2, 1, 0].map((weight) => ({ weight }))
  const tiles = treemap(items, 600, 400)
  expect(tiles).toHaveLength(7)
  for (const { item, width, height } of tiles)
    expect(width * height).toBeCloseTo((item.weight / 24) * 240_000)
  for (const { x, y, width, height } of tiles) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect([x + width <= 600.001, y + height <= 400.001]).toEqual([true, true])
    expect(Math.max(width / height, height / width)).toBeLessThan(4)
  }
})

test('no items give no tiles', () => {
  expect(treemap([], 10, 10)).toEqual([])
  expect(treemap([{ weight: 0 }], 10, 10)).toEqual([])
})
