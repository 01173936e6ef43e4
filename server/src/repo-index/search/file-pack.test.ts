import { expect, test } from 'vitest'
import { createPostings } from '../ranking/postings.ts'
import { hashTerm } from '../ranking/term-hash.ts'
import { encodePack, isReadablePack, readPack } from './file-pack.ts'

const chunk = (symbol: string, terms: string, startLine = 1, endLine = startLine) => ({
  ...{ kind: 'function', symbol, startLine, endLine, terms, length: 7 },
  embedding: new Uint8Array([symbol.length, 2, 3]),
})

const unpack = (pack: Uint8Array) => {
  const chunks: object[] = []
  const { dictionary, numbers, items, count } = readPack(pack, ({ embedding, ...rest }) => {
    chunks.push({ ...rest, embedding: [...embedding] })
  })
  const terms = Array.from({ length: count }, (_, i) => {
    const item = items[i] ?? 0
    return [item >>> 10, dictionary[numbers[i] ?? 0], item & 1_023]
  })
  return chunks.map((each, ord) => ({
    ...each,
    terms: terms.flatMap(([at, hash, weight]) => (at === ord ? [[hash, weight]] : [])),
  }))
}

test('a pack is read as it was written', () => {
  const pack = encodePack([
    chunk('parseBody', 'pars 3 body 2000', 4, 900),
    chunk('ẹ̀kọ́', ''),
    chunk('', 'body 1'),
  ])
  expect(isReadablePack(pack)).toBe(true)
  expect(unpack(pack)).toEqual([
    {
      ...{ kind: 'function', symbol: 'parseBody', startLine: 4, endLine: 900, length: 7 },
      terms: [
        [hashTerm('pars'), 3],
        [hashTerm('body'), 1_023],
      ],
      embedding: [9, 2, 3],
    },
    {
      ...{ kind: 'function', symbol: 'ẹ̀kọ́', startLine: 1, endLine: 1, length: 7 },
      ...{ terms: [], embedding: ['ẹ̀kọ́'.length, 2, 3] },
    },
    {
      ...{ kind: 'function', symbol: '', startLine: 1, endLine: 1, length: 7 },
      ...{ terms: [[hashTerm('body'), 1]], embedding: [0, 2, 3] },
    },
  ])
  expect(unpack(encodePack([]))).toEqual([])
})

test('packed terms are ranked like counted terms', () => {
  const texts = Array.from({ length: 300 }, (_, i) => `word${i % 17} 2 other${i % 5} 1 t${i} 4 common 3`)
  const [packed, counted] = [createPostings(), createPostings()]
  for (const first of [0, 100, 200]) {
    const pack = encodePack(texts.slice(first, first + 100).map((terms) => chunk('a', terms)))
    const lengths: number[] = []
    const terms = readPack(pack, ({ length }) => lengths.push(length))
    packed.addPacked(first, lengths, terms)
    // A query in between must not hide what is added later.
    expect(packed.rarityOf('common')).toBeGreaterThan(0)
  }
  for (const [at, text] of texts.entries()) {
    const parts = text.split(' ')
    const counts = parts.flatMap((term, i) => (i % 2 === 0 ? [[term, Number(parts[i + 1])] as const] : []))
    counted.add(at, { counts, length: 7 })
  }
  const query = new Map([
    ['word3', 1],
    ['other2', 1],
    ['common', 1],
    ['t44', 2],
  ])
  expect(packed.search(query, 20)).toEqual(counted.search(query, 20))
})
