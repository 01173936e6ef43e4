import { expect, test } from 'vitest'
import { removeDuplicates } from './duplicates.ts'
import { rankByMatch, selectByName } from './match-ranking.ts'
import { profileQuery } from './query-profile.ts'

const candidate = (
  path: string,
  symbol: string,
  content: string,
  scores: { lexical?: number; vector?: number; history?: number; kind?: string },
) => ({
  indexed: {
    file: { id: path, path, chunks: 1, version: 1n },
    ...{ ord: 0, kind: scores.kind ?? 'function', symbol, startLine: 1, endLine: 2 },
  },
  ...{ score: 0.5, lexical: 0, vector: 0, history: 0, scope: '', content, ...scores },
})

type Candidates = readonly ReturnType<typeof candidate>[]
const profile = (query: string) => profileQuery(query, () => 1)
const order = (query: string, candidates: Candidates) =>
  rankByMatch(profile(query), candidates).map(({ indexed }) => indexed.symbol)
const selected = (query: string, candidates: Candidates, most: number) =>
  selectByName(profile(query), candidates, most).map(({ indexed }) => indexed.symbol)

test('a name that says the same in other words ranks above a text that repeats the words', () => {
  const hits = [
    candidate('src/a.ts', 'log', '// delete the folder, remove the folder\nfunction log() {}', {
      lexical: 9,
    }),
    candidate('src/b.ts', 'removeDir', 'function removeDir(path) { return rm(path) }', { lexical: 6 }),
  ]
  expect(order('delete a directory', hits)).toEqual(['removeDir', 'log'])
})

test('a chunk of several small definitions is as good as the best of them', () => {
  const getters = ['reset', 'isValid', 'invalidReason', 'locale', 'numberingSystem', 'zone']
  const text = getters.map((name) => `get ${name}() { return this.data }`).join('\n')
  const hits = [
    candidate('src/a.ts', 'systemOf', 'function systemOf(all) { return all.first }', { lexical: 8 }),
    candidate('src/b.ts', getters.join(', '), text, { lexical: 6 }),
  ]
  expect(order('the numbering system', hits)[0]).toBe(getters.join(', '))
})

test('an identifier in the query decides, before and after the texts are read', () => {
  const hits = [
    candidate('src/a.ts', 'parse', 'function parse(body) {}', { lexical: 9, vector: 0.9 }),
    candidate('src/b.ts', 'parseBody2', 'function parseBody2() {}', { lexical: 1 }),
  ]
  expect(order('why does parseBody2 fail', hits)[0]).toBe('parseBody2')
  expect(selected('why does parseBody2 fail', hits, 1)).toEqual(['parseBody2'])
})

test('a word of the query does not name a constant in capitals, unless it is written like it', () => {
  const hits = [
    candidate('src/a.ts', 'CATEGORY', 'const CATEGORY = 1', { lexical: 3, kind: 'code' }),
    candidate('src/b.ts', 'unlinkCategory', 'function unlinkCategory() {}', { lexical: 3 }),
  ]
  expect(order('unlink the category from its parent', hits)[0]).toBe('unlinkCategory')
  expect(order('where is CATEGORY set', hits)[0]).toBe('CATEGORY')
})

test('the name of a file is not a part of a word', () => {
  const hits = [
    candidate('bin/add', 'main', 'function main() {}', { lexical: 3 }),
    candidate('src/start.ts', 'start', 'function start() {}', { lexical: 4 }),
  ]
  expect(order('print an address', hits)[0]).toBe('start')
  expect(order('what does add do', hits)[0]).toBe('main')
})

test('a file name in the query ranks its chunks first', () => {
  const hits = [
    candidate('src/a.ts', 'charge', 'function charge() {}', { lexical: 3 }),
    candidate('src/wallet.ts', 'settle', 'function settle() {}', { lexical: 1 }),
  ]
  expect(order('what happens in wallet.ts', hits)[0]).toBe('settle')
})

test('tests rank lower unless the query is about tests', () => {
  const hits = [
    candidate('test/wallet.test.ts', 'a', 'wallet', { lexical: 9 }),
    candidate('src/wallet.ts', 'b', 'wallet', { lexical: 8 }),
  ]
  expect(order('how wallets settle', hits)).toEqual(['b', 'a'])
  expect(order('the tests of wallets', hits)).toEqual(['a', 'b'])
})

test('functions rank above prose that says the same', () => {
  const hits = [
    candidate('README.md', 'Settling', 'settle the open holds', { lexical: 9, kind: 'section' }),
    candidate('src/holds.ts', 'settleHolds', 'function settleHolds() {}', { lexical: 8 }),
  ]
  expect(order('settle the open holds', hits)[0]).toBe('settleHolds')
})

test('the subject of a commit finds files, a question finds functions', () => {
  const same = (path: string, symbol: string, lexical: number) =>
    candidate(path, symbol, `function ${symbol}() {}`, { lexical })
  const hits = [
    ...['alpha', 'beta', 'gamma', 'delta'].map((symbol) => same('src/one.ts', symbol, 9)),
    ...['epsilon', 'zeta'].map((symbol) => same('src/two.ts', symbol, 8)),
  ]
  const files = (query: string) =>
    rankByMatch(profile(query), hits).map(({ indexed }) => indexed.file.path.slice(4, 7))
  expect(files('wallet: fix rounding').slice(0, 2).toSorted()).toEqual(['one', 'two'])
  expect(files('how does it round').slice(0, 2)).toEqual(['one', 'one'])
  expect(files('move money between accounts: round it').slice(0, 2)).toEqual(['one', 'one'])
})

test.each(['parse: limit the depth', 'fix(parse): limit the depth', 'lex, parse: limit the depth'])(
  '%s means the file or folder of that name',
  (subject) => {
    const hits = ['src/report.ts', 'src/parse.ts', 'src/parse/tree.ts'].map((path) =>
      candidate(path, 'limitDepth', 'function limitDepth() {}', { lexical: 9 }),
    )
    const paths = rankByMatch(profile(subject), hits).map(({ indexed }) => indexed.file.path)
    expect(paths).toEqual(['src/parse.ts', 'src/parse/tree.ts', 'src/report.ts'])
  },
)

test('a change has one hit for each file before a second one', () => {
  const hits = [0, 1, 2].flatMap((n) =>
    ['first', 'second'].map((symbol) =>
      candidate(`src/${n}.ts`, `${symbol}${n}`, `function ${symbol}${n}() {}`, { lexical: 9 - 4 * n }),
    ),
  )
  const paths = rankByMatch(profile('wallet: fix rounding'), hits).map(({ indexed }) => indexed.file.path)
  expect(new Set(paths.slice(0, 3)).size).toBe(3)
})

test('a name that begins with the verb of the query ranks above its opposite', () => {
  const hits = ['writeSettings', 'readSettings'].map((symbol) =>
    candidate('src/settings.ts', symbol, `function ${symbol}(path) {}`, { lexical: 9 }),
  )
  expect(order('Reads the settings of a user', hits)[0]).toBe('readSettings')
})

test('scores fall from the best to the worst and stay between 0 and 1', () => {
  const hits = Array.from({ length: 30 }, (_, i) =>
    candidate(`src/${i}.ts`, `n${i}`, 'text', { lexical: 30 - i }),
  )
  const scores = rankByMatch(profile('text'), hits).map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores[0]).toBe(0.5)
  expect(scores.at(-1)).toBeGreaterThan(0)
  expect(rankByMatch(profile('text'), [])).toEqual([])
})

test('near duplicates of a better hit are removed', () => {
  const hits = ['parse the body of a request', 'parse the body of a request', 'write it'].map((content) => ({
    content,
  }))
  expect(removeDuplicates(hits, 5)).toEqual([hits[0], hits[2]])
})
