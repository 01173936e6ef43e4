import { expect, test } from 'vitest'
import { pathOf } from './line-path.ts'

test('a line spans the full width and height', () => {
  expect(pathOf([0, 50, 100], 0, 100)).toBe('M0.0 200.0L320.0 100.0L640.0 0.0')
  expect(pathOf([-100, 100], -100, 100)).toBe('M0.0 200.0L640.0 0.0')
})

test('one point gives a line, and zeros are at the bottom', () => {
  expect(pathOf([7], 0, 7)).toBe('M0.0 0.0H640')
  expect(pathOf([0, 0], 0, 0)).toBe('M0.0 200.0L640.0 200.0')
})
