import { expect, test } from 'vitest'
import { type Candidate, choose, isGenerated } from './choose.ts'

const file = (path: string, content: string, more: Partial<Candidate> = {}): Candidate => ({
  path,
  content,
  isDirty: false,
  commitsAgo: null,
  ...more,
})
const ROOM = { files: 10, characters: 10_000 }
const pathsFor = (prompt: string, files: Candidate[], budget = ROOM) =>
  choose(prompt, files, budget).map(({ path }) => path)

test('files that the words of the prompt name come first, then those in which they occur', () => {
  const files = [
    file('src/wallet/ledger.ts', 'export const entries = 1'),
    file('src/report.ts', "import { ledger } from './wallet/ledger'"),
    file('src/colours.ts', 'export const red = 1'),
  ]
  expect(pathsFor('Round the amounts of the ledger', files)).toEqual([
    'src/wallet/ledger.ts',
    'src/report.ts',
  ])
})

test('a name in the prompt is found by its parts', () => {
  const files = [
    file('src/parse-line.ts', 'x'),
    file('src/other.ts', 'x'),
    file('src/render.ts', 'parseLine()'),
  ]
  expect(pathsFor('parseLine loses the last word', files)).toEqual(['src/parse-line.ts', 'src/render.ts'])
})

test('the manifest and what was worked on last come along, and nothing that nothing speaks for', () => {
  const files = [
    file('docs/old.md', 'x'),
    file('package.json', '{}'),
    file('src/now.ts', 'x', { isDirty: true }),
    file('src/before.ts', 'x', { commitsAgo: 3 }),
  ]
  expect(pathsFor('اجعلها أسرع', files)).toEqual(['package.json', 'src/now.ts', 'src/before.ts'])
})

test('the budget is kept; a long file does not keep shorter ones out', () => {
  const files = [
    file('a-sum.ts', 'x'.repeat(90)),
    file('b-sum.ts', 'x'.repeat(90)),
    file('c-sum.ts', 'x'.repeat(10)),
  ]
  expect(pathsFor('sum', files, { files: 10, characters: 100 })).toEqual(['a-sum.ts', 'c-sum.ts'])
  expect(pathsFor('sum', files, { files: 1, characters: 1_000 })).toEqual(['a-sum.ts'])
})

test('the same prompt always has the same files, whatever order they come in', () => {
  const files = ['d', 'a', 'c', 'b'].map((name) => file(`${name}-sum.ts`, 'sum'))
  expect(pathsFor('sum', files)).toEqual(pathsFor('sum', files.toReversed()))
})

test('what tools have made is no candidate', () => {
  expect(['package-lock.json', 'web/app.min.js', 'a/yarn.lock', 'logo.svg'].every(isGenerated)).toBe(true)
  expect(['package.json', 'src/lock.ts', 'minimal.js'].some(isGenerated)).toBe(false)
})
