import { describe, expect, test } from 'vitest'
import { qrSvg } from '../../platform/qr.ts'
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts'

// RFC 6238, appendix B: the secret "12345678901234567890" and, of each code, the last six of its eight digits.
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a code', () => {
  test.for([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
    [20_000_000_000, '353130', 666_666_666],
  ] as const)('of second %i of the standard is %s', ([second, code, step]) => {
    expect(stepOfCode(RFC_SECRET, code, new Date(second * 1000))).toBe(step)
  })

  test.for([
    [-60, null],
    [-30, 1],
    [0, 1],
    [30, 1],
    [60, null],
    [90, null],
  ] as const)('is good %i seconds later: %s', ([seconds, step]) => {
    expect(stepOfCode(RFC_SECRET, '287082', new Date((59 + seconds) * 1000))).toBe(step)
  })

  test.for(['28708', '2870820', '287O82', '', '-87082', '１２３４５６'])(
    'of another form (%j) is none',
    (code) => {
      expect(stepOfCode(RFC_SECRET, code, new Date(59_000))).toBeNull()
    },
  )
})

describe('a secret', () => {
  test('has 160 bits and is never the same', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret)
    expect(new Set(secrets).size).toBe(50)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('has a URL with our name and the address, whatever characters it contains', () => {
    const url = new URL(otpauthUrl(RFC_SECRET, 'ada+1&issuer=Evil@example.com'))
    expect(url.protocol).toBe('otpauth:')
    expect(decodeURIComponent(url.pathname)).toContain('Cowrie:ada+1&issuer=Evil@example.com')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Cowrie',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('the code to scan', () => {
  const svg = qrSvg(otpauthUrl(RFC_SECRET, 'ada@example.com'))
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])

  test('is black on a white background, for dark pages too', () => {
    expect(svg).toContain(`<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000"`)
  })

  test('has four modules of white all around', () => {
    const runs = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map((run) => run.slice(1, 4).map(Number))
    expect(runs.length).toBeGreaterThan(100)
    for (const [x = 0, y = 0, width = 0] of runs) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(4)
      expect(Math.max(x + width - 1, y)).toBeLessThan(size - 4)
    }
  })

  test('has room for the longest address in the letters that take most', () => {
    expect(qrSvg(otpauthUrl(RFC_SECRET, `${'漢'.repeat(250)}@漢.漢`))).toMatch(/^<svg /)
  })

  test('draws the three corners by which readers find it', () => {
    const end = size - 4 - 7
    for (const [x, y] of [
      [4, 4],
      [end, 4],
      [4, end],
    ])
      expect(svg).toContain(`M${x} ${y}h7v1h-7z`)
  })

  test('is small and contains only shapes', () => {
    expect(svg.length).toBeLessThan(14_000)
    expect(svg.replaceAll(/<\/?svg[^>]*>|<path fill="#(fff|000)" d="[Mhvz\d -]+"\/>/g, '')).toBe('')
  })
})
