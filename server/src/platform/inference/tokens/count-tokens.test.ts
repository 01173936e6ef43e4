// Counting: the estimate is not too low, not much too high, and fast for any text.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { describe, expect, test } from 'vitest'
import {
  countPromptTokens,
  countTokens,
  estimateMaxPromptTokens,
  estimateMaxTextTokens,
  estimateMinPromptTokens,
} from './count-tokens.ts'
import { estimateMaxTokens } from './estimate-tokens.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const PIECE = 1_500

describe('a count', () => {
  test.for<[string, number]>([
    ['', 0],
    ['hello world', 2],
    ['Say hello, please.', 5],
    ['const price = 1_000', 7],
    ['<|endoftext|>', 7],
  ])('of %j is %i', ([text, tokens]) => {
    expect(countTokens(text)).toBe(tokens)
  })

  test.for<[string, string]>([
    ['one letter', 'a'.repeat(200_000)],
    ['spaces', ' '.repeat(200_000)],
    ['line ends', '\n'.repeat(200_000)],
    ['a horizontal rule', '='.repeat(200_000)],
    ['Chinese without spaces', '漢字'.repeat(50_000)],
    ['unpaired surrogates', '\ud800'.repeat(100_000)],
  ])('of 200 kB of %s is fast', ([, text]) => {
    const count = () => expect(countTokens(text)).toBeGreaterThan(0)
    // Without splits in long runs each of these takes many seconds.
    expect(measureCost(count)).toBeLessThan(1_500)
  })

  test('of a very long text uses samples', () => {
    const line = 'The quick brown fox jumps over the lazy dog, again and again.\n'
    const counted = countTokens(line.repeat(40_000))
    expect(counted / (countTokens(line.repeat(100)) * 400)).toBeCloseTo(1, 2)
  })

  test('by samples is close to the exact count for the code of this repository', () => {
    const texts = filesBelow(join(ROOT, 'server/src')).map((path) => readFileSync(path, 'utf8'))
    for (let start = 0; start + 40 <= texts.length; start += isSoak ? 120 : 480) {
      const some = texts.slice(start, start + 40)
      const whole = some.reduce((sum, text) => sum + countInParts(text), 0)
      expect(Math.abs(countTokens(some.join('\n')) / whole - 1)).toBeLessThan(0.06)
    }
  })

  test.for<[string, string]>([
    ['random Chinese', atRandom(200_000, 0x4e00, 20_000)],
    ['random letters', atRandom(200_000, 97, 26)],
    ['combining marks', atRandom(200_000, 0x300, 100)],
    ['eight megabytes of Amharic', atRandom(100_000, 0x1200, 300).repeat(80)],
  ])('of %s is fast and below the estimate', ([, text]) => {
    countTokens('The tokenizer is loaded.')
    expect(measureCost(() => countTokens(text))).toBeLessThan(250)
    expect(countTokens(text)).toBeLessThanOrEqual(estimateMaxTokens(text) + 20)
    expect(countTokens(text)).toBe(countTokens(text))
  })

  test('of a text whose samples are dense is fast as well', () => {
    // The tokenizer remembers pieces, so each count gets a new text.
    const partsOf = (dense: string) =>
      Array.from({ length: 20 }, (_, i) => dense.slice(i * 2_000, (i + 1) * 2_000))
    const fresh = Array.from({ length: 6 }, (_, i) => partsOf(atRandom(40_000 + i, 0x4e00, 20_000)))
    const texts = fresh.map((parts) => parts.join(' '.repeat(18_947)))
    const guarded = measureCost((run) => countTokens(texts[run] ?? ''))
    const all = measureCost((run) => fresh[3 + run]?.forEach(countTokens))
    expect(guarded).toBeLessThan(all / 2)
  })

  test('of a conversation takes no longer than that of one long message', () => {
    const text = atRandom(300_000, 0x4e00, 20_000)
    const messages = Array.from({ length: 150 }, (_, i) => {
      return { role: 'user', content: text.slice(i * 2_000, (i + 1) * 2_000) } as const
    })
    expect(measureCost(() => countPromptTokens(messages))).toBeLessThan(250)
    const [one, other] = ['A short question.', 'A short answer.']
    const few = [one, other].map((content) => ({ role: 'user', content }) as const)
    expect(countPromptTokens(few)).toBe(countTokens(one) + countTokens(other) + 16)
  })
})

describe('an upper estimate', () => {
  test('is not below the count, for code, prose and data of this repository', () => {
    const paths = filesBelow(join(ROOT, 'server')).concat(filesBelow(ROOT, 1))
    const texts = piecesOf(paths.filter((_, i) => isSoak || i % 4 === 0))
    expect(texts.length).toBeGreaterThan(200)
    const ratios = texts.map((text) => estimateMaxTokens(text) / countTokens(text)).sort((a, b) => a - b)
    expect(ratios.filter((ratio) => ratio < 1).length).toBeLessThanOrEqual(texts.length / 1_000)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.6)
    expect(ratios[Math.floor(ratios.length * 0.95)]).toBeLessThan(1.8)
  })

  test.for(['ar', 'am', 'ti', 'sw', 'ha', 'yo', 'ig', 'zu', 'xh', 'so', 'om', 'rw', 'fr', 'pt', 'en', 'zh'])(
    'is not below the count, for names in the language %s',
    (language) => {
      const text = namesIn(language)
      expect(estimateMaxTokens(text)).toBeGreaterThanOrEqual(countTokens(text))
    },
  )

  test.for<[string, (bytes: Buffer) => string]>([
    ['base64', (bytes) => bytes.toString('base64')],
    ['hexadecimal', (bytes) => bytes.toString('hex')],
    ['digits', (bytes) => [...bytes].map((byte) => byte % 10).join('')],
    ['numbers', (bytes) => [...bytes].map((byte) => byte * 37).join(', ')],
    ['fractions', (bytes) => [...bytes].map((byte) => (byte / 7).toFixed(6)).join(' ')],
    ['emoji', (bytes) => [...bytes].map((byte) => String.fromCodePoint(0x1f300 + byte * 2)).join(' ')],
    ['signs', (bytes) => [...bytes].map((byte) => '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'[byte % 31]).join('')],
  ])('is not below the count, for %s', ([, make]) => {
    for (let round = 0; round < 10; round++) {
      const text = make(randomBytes(1_000))
      expect(estimateMaxTokens(text)).toBeGreaterThanOrEqual(countTokens(text))
    }
  })

  test('and a lower estimate include the count, for the same texts', () => {
    const texts = piecesOf(filesBelow(join(ROOT, 'server'))).slice(0, 100)
    const messages = texts.map((content) => ({ role: 'user', content }) as const)
    for (const message of messages)
      expect(estimateMinPromptTokens([message])).toBeLessThanOrEqual(countPromptTokens([message]))
    expect(estimateMaxPromptTokens(messages)).toBeGreaterThan(countPromptTokens(messages))
    expect(estimateMaxTextTokens(JSON.stringify(messages))).toBeGreaterThan(countPromptTokens(messages))
  })
})

/** Deterministic pseudo-random characters of a block. */
function atRandom(length: number, from: number, kinds: number): string {
  const random = seeded(length + from)
  return Array.from({ length }, () => String.fromCharCode(from + Math.floor(random() * kinds))).join('')
}

function countInParts(text: string): number {
  let sum = 0
  for (let start = 0; start < text.length; start += 8_000)
    sum += countTokens(text.slice(start, start + 8_000))
  return sum
}

function filesBelow(folder: string, depth = 6): string[] {
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return /node_modules|^\.|dist|^data$/.test(entry.name) ? [] : filesBelow(path, depth - 1)
    return /\.(ts|sql|md|json)$/.test(entry.name) && !entry.name.includes('lock') ? [path] : []
  })
}

/** A piece from the middle of each file. */
function piecesOf(paths: readonly string[]): string[] {
  return paths
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => text.length > 200)
    .map((text) => {
      const start = Math.floor(Math.max(0, text.length - PIECE) / 2)
      return text.slice(start, start + PIECE)
    })
}

function namesIn(language: string): string {
  const regions = new Intl.DisplayNames(language, { type: 'region' })
  const codes = 'NG KE GH ZA EG ET TZ UG SN CM MA DZ RW ZM ZW MZ AO ML US GB FR DE CN IN BR'.split(' ')
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  const days = codes.map((_, index) => date.format(new Date(1_700_000_000_000 + index * 1_100_000_000)))
  return [...codes.map((code) => regions.of(code)), ...days].join(', ')
}
