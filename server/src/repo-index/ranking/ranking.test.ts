import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { extractQuestion, measureWeights } from '../embedding/calibrate-task.ts'
import { allocateRows, eachProductBlock } from '../embedding/vector-products.ts'
import { concatVectors, dot, quantize } from '../embedding/vectors.ts'
import { fuse } from './fusion.ts'
import { createLexicalIndex } from './lexical.ts'
import { createPostings } from './postings.ts'
import { tokenize } from './tokenize.ts'
import { createTopK } from './top-k.ts'

test('an identifier gives its words and itself, in every spelling', () => {
  expect(tokenize('parseHTTPBody')).toEqual(['pars', 'http', 'body', 'parsehttpbody'])
  expect(tokenize('parse_http_body')).toEqual(tokenize('ParseHttpBody'))
  expect(new Set(tokenize('parses parsing parsed parser parse')).size).toBe(1)
  expect(tokenize('what is the total of it')).toEqual(['total'])
})

test('rare terms and names rank higher than common terms', () => {
  const lexical = createLexicalIndex([
    { body: 'return the value of the wallet' },
    { body: 'return the value', symbol: 'transferFunds' },
    { body: 'return the value and transfer it' },
    { body: 'return the value of nothing' },
  ])
  expect(lexical.search('transfer value', 3).map(({ doc }) => doc)).toEqual(
    [1, 2, 3].with(2, expect.any(Number)),
  )
  expect(lexical.search('zebra', 3)).toEqual([])
})

test('removed texts do not affect the ranking', () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `word${i % 7} other${i % 3} common ${'more '.repeat(i % 5)}`,
  )
  const counted = (text: string) => ({
    counts: new Map(tokenize(text).map((term) => [term, 1])),
    length: text.length,
  })
  const [changed, fresh] = [createPostings(), createPostings()]
  for (const [i, text] of texts.entries()) changed.add(i, counted(text))
  for (const [i, text] of texts.entries())
    if (i % 2 === 0) changed.remove(i)
    else fresh.add(i, counted(text))
  const query = new Map(tokenize('word3 other1 common').map((term) => [term, 1]))
  expect(changed.search(query, 10)).toEqual(fresh.search(query, 10))
})

test('top-k selects the same items as sorting', () => {
  const scores = Array.from({ length: 500 }, (_, i) => (i * 7919) % 97)
  const top = createTopK(20)
  for (const [at, score] of scores.entries()) top.offer(at, score)
  const sorted = scores.map((score, at) => ({ at, score })).sort((a, b) => b.score - a.score || a.at - b.at)
  expect(top.list()).toEqual(sorted.slice(0, 20))
})

test('two rankings are fused by rank', () => {
  const words = [7, 1, 2].map((at) => ({ at, score: 9 }))
  const meaning = [3, 1].map((at) => ({ at, score: 0.5 }))
  expect(fuse(words, meaning, 1)[0]).toMatchObject({ at: 1, lexical: 9, vector: 0.5 })
  expect(fuse(words, meaning, 0).map(({ at }) => at)).toEqual([7, 1, 2])
})

test('the dot product of quantised vectors gives the cosine', () => {
  const [a, b] = [quantize([3, 4, 0, 0, 0]), quantize([4, 3, 0, 0, 0])]
  expect(dot(a, new Int8Array(concatVectors([b, a]).buffer), 5) / 127 ** 2).toBeCloseTo(1, 1)
  expect(dot(a, b, 0) / 127 ** 2).toBeCloseTo(0.96, 1)
})

test.for([16, 256, 20])('many dot products of %i numbers are the same as one by one', (size) => {
  const values = (seed: number, count: number) =>
    Int8Array.from({ length: count }, (_, i) => (((i + 1) * 7919 * seed) % 255) - 127)
  const [query, matrix] = [values(3, size), values(5, size * ROWS)]
  expect(productsOf(query, matrix)).toEqual(
    Array.from({ length: ROWS }, (_, row) => dot(query, matrix, row * size)),
  )
})

test('many dot products of a large matrix are the same without copying its rows', () => {
  const size = 1_024
  const query = Int8Array.from({ length: size }, (_, i) => (i % 255) - 127)
  const matrix = allocateRows(size * ROWS)
  expect(matrix.buffer.byteLength).toBeGreaterThan(matrix.length)
  for (let i = 0; i < matrix.length; i++) matrix[i] = ((i * 7919) % 255) - 127
  expect(productsOf(query, matrix)).toEqual(productsOf(query, matrix.slice()))
})

const ROWS = 5_001

function productsOf(query: Int8Array, matrix: Int8Array): number[] {
  const found: number[] = []
  eachProductBlock(query, matrix, ROWS, (_, products, count) => found.push(...products.subarray(0, count)))
  return found
}

test.for([
  ['/** Adds two numbers and returns them. Slowly. */', 'Adds two numbers and returns them'],
  ['// Says what it is for,\n// over two lines.\n', 'Says what it is for, over two lines'],
  [
    '    """Turn a text into a number of seconds.\n\n    :param x: y"""',
    'Turn a text into a number of seconds',
  ],
  ['/** Short. */', null],
  ['// Says what it is for: this and that.', null],
])('extracts a query from the comment %s', ([docs, question]) => {
  expect(extractQuestion(docs ?? '')).toBe(question)
})

test('extracting a query from a long comment is fast', () => {
  const blank = (lines: number) => `/* one two three four\n${'\n'.repeat(lines)}x */`
  const ask = () => expect(extractQuestion(blank(16_000))).toBe('one two three four')
  expect(measureCost(ask)).toBeLessThan(500)
})

test('lists grow without losing texts, and the reported memory includes them', () => {
  const postings = createPostings()
  const empty = postings.bytes
  for (let at = 0; at < 5_000; at++)
    postings.add(at, {
      counts: [
        [`term${at % 1_000}`, 1],
        [`single${at}`, 1],
        ['common', 2],
      ],
      length: 3,
    })
  expect(postings.bytes - empty).toBeGreaterThanOrEqual(15_000 * 4)
  const found = (term: string) => postings.search(new Map([[term, 1]]), 5_000).map(({ at }) => at)
  expect(found('term7')).toEqual([7, 1_007, 2_007, 3_007, 4_007])
  expect(found('single4321')).toEqual([4_321])
  expect(found('common')).toHaveLength(5_000)
})

test('calibration weighs vectors by how well they find documented functions', () => {
  const documented = Array.from({ length: 40 }, (_, i) => ({
    path: `src/file${i}.ts`,
    scope: '',
    symbol: `handleThing${i}`,
    content: `// Handle thing ${i} and number ${i}.\nfunction handleThing${i}() { return number${i} }`,
    docs: `// Handle thing ${i} and number ${i}.`,
  }))
  // Enough time for all queries, even on a busy machine.
  const { queries, ranks, weight } = measureWeights({ documented, others: [] }, 30_000)
  expect(queries).toBe(40)
  expect(Object.keys(ranks)).toEqual(['0', '1', '2', '0.25', '0.5'])
  expect(ranks[String(weight)]).toBeGreaterThanOrEqual(Math.max(...Object.values(ranks)) - 0.0021)
})
