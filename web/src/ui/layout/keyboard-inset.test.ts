import { expect, test } from 'vitest'
import { coveredPx } from './keyboard-inset.ts'

test('an overlaying keyboard covers the window below the visual viewport', () => {
  expect(coveredPx({ height: 740, offsetTop: 0, scale: 1 }, 740)).toBe(0)
  expect(coveredPx({ height: 440, offsetTop: 0, scale: 1 }, 740)).toBe(300)
  // The viewport was scrolled to the input.
  expect(coveredPx({ height: 440, offsetTop: 120.4, scale: 1 }, 740)).toBe(180)
  expect(coveredPx({ height: 440, offsetTop: 300, scale: 1 }, 740)).toBe(0)
})

test('a resized page, a browser toolbar and a zoom cover nothing', () => {
  expect(coveredPx({ height: 440, offsetTop: 0, scale: 1 }, 440)).toBe(0)
  expect(coveredPx({ height: 660, offsetTop: 0, scale: 1 }, 740)).toBe(0)
  expect(coveredPx({ height: 370, offsetTop: 0, scale: 2 }, 740)).toBe(0)
})
