import { expect, test } from 'vitest'
import { qrLines } from './qr.ts'

const ADDRESS = 'https://cowrie.example/pay/mock/tp01k9z5f2m3n4p5q6r7s8t9v0wx'

test('a URL becomes a square QR code of half blocks', () => {
  const lines = qrLines(ADDRESS, 80) ?? []
  const [first = ''] = lines
  expect(lines.every((line) => /^[ ▀▄█]+$/.test(line) && line.length === first.length)).toBe(true)
  expect(lines).toHaveLength(Math.ceil(first.length / 2))
})

test('a QR code that does not fit is not printed', () => {
  expect(qrLines(ADDRESS, 20)).toBeNull()
})
