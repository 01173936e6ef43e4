import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FieldMode, readPieces } from './large-json.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cowrie-json-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const READINGS: Readonly<Record<string, FieldMode>> = { rows: 'elements', wallet: 'whole', __proto__: null }
function read(text: string, chunkBytes?: number, bytesMax?: number) {
  const path = join(folder, 'file.json')
  writeFileSync(path, text)
  const options = { ...(chunkBytes && { chunkBytes }), ...(bytesMax && { bytesMax }) }
  const modeOf = (key: string) => (Object.hasOwn(READINGS, key) ? (READINGS[key] ?? null) : null)
  return Array.from(readPieces(path, modeOf, options), ({ key, value }) => [key, value])
}

const ROWS = [
  { id: 1, text: 'a "quoted" \\ , ] } text', nested: { list: [[1, 2], { a: {} }] } },
  'text, with ] and [ and \\"',
  7,
  null,
  [],
  { é: '€ 😀', 'rows"': 'x' },
]

test.for([1, 2, 3, 7, 64, 1_000_000])('reads fields and elements in chunks of %i bytes', (chunkBytes) => {
  const document = { first: [1, { rows: [9] }], rows: ROWS, 'wal\\let': 5, wallet: { a: [1] }, last: true }
  for (const indent of [0, 2])
    expect(read(JSON.stringify(document, null, indent), chunkBytes)).toEqual([
      ...ROWS.map((row) => ['rows', row]),
      ['wallet', { a: [1] }],
    ])
})

test('keeps all digits of amounts, and reads fields with the names of prototypes as data', () => {
  const [[, row] = []] = read('{"rows":[{"aMinor":9223372036854775807,"__proto__":{"isAdmin":true}}]}')
  expect(row).toMatchObject({ aMinor: 9_223_372_036_854_775_807n })
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
  expect(read('{"__proto__":{"wallet":1},"constructor":[1],"wallet":2}')).toEqual([['wallet', 2]])
})

test('reads empty objects and lists', () => {
  expect(read('{}')).toEqual([])
  expect(read(' { "rows" : [ ] , "wallet" : [ ] } \n')).toEqual([['wallet', []]])
})

test.for([
  ['', 'too early'],
  ['{"rows":[1,2', 'too early'],
  ['{"rows":[1,2]', 'too early'],
  ['{"rows":"[1]', 'too early'],
  ['[1]', 'no object'],
  ['\uFEFF{}', 'no object'],
  ['{"rows":[1]}{"rows":[2]}', 'after its end'],
  ['{"rows":[1],"rows":[2]}', 'rows twice'],
  ['{"rows":[1],"\\u0072ows":[2]}', 'rows twice'],
  ['{"rows":{"a":1}}', 'no list'],
  ['{"rows":5}', 'no list'],
  ['{"rows":[1][2]}', 'no list'],
  ['{"rows":5[2]}', 'no list'],
  ['{"rows":[1,,2]}', ''],
  ['{"rows":[1 2]}', ''],
  ['{"wallet":}', ''],
  ['{"wallet"}', 'without a value'],
  ['{,"wallet":1}', 'without a value'],
  ['{[1]}', 'without a name'],
  ['{"rows":[{"aMinor":1.5}]}', 'not an integer'],
] as const)('refuses %s', ([text, reason]) => {
  for (const chunkBytes of [1, 4096]) expect(() => read(text, chunkBytes)).toThrow(reason)
})

test('refuses a value that is too long, before it is in memory', () => {
  expect(read(`{"rows":["${'x'.repeat(90)}"]}`, 10, 100)).toHaveLength(1)
  expect(() => read(`{"rows":["${'x'.repeat(200)}"]}`, 10, 100)).toThrow('too long')
  expect(read(`{"other":["${'x'.repeat(200)}"]}`, 10, 100)).toEqual([])
})
