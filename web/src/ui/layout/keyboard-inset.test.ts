import { expect, test } from 'vitest'
import { coveredPx } from './keyboard-inset.ts'

test('a keyboard over the page covers what is left of the window below the view', () => {
  expect(coveredPx({ height: 740, offsetTop: 0, scale: 1 }, 740)).toBe(0)
  expect(coveredPx({ height: 440, offsetTop: 0, scale: 1 }, 740)).toBe(300)
  // The view was moved down to what is being written.
  expect(coveredPx({ height: 440, offsetTop: 120.4, scale: 1 }, 740)).toBe(180)
  expect(coveredPx({ height: 440, offsetTop: 300, scale: 1 }, 740)).toBe(0)
})

test('a page that was made smaller, a bar of the browser and a zoom cover nothing', () => {
  expect(coveredPx({ height: 440, offsetTop: 0, scale: 1 }, 440)).toBe(0)
  expect(coveredPx({ height: 660, offsetTop: 0, scale: 1 }, 740)).toBe(0)
  expect(coveredPx({ height: 370, offsetTop: 0, scale: 2 }, 740)).toBe(0)
})
