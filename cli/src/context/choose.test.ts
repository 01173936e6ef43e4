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

test('files named in the prompt come first, then files that contain its words', () => {
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

test('an identifier in the prompt matches by its parts', () => {
  const files = [
    file('src/parse-line.ts', 'x'),
    file('src/other.ts', 'x'),
    file('src/render.ts', 'parseLine()'),
  ]
  expect(pathsFor('parseLine loses the last word', files)).toEqual(['src/parse-line.ts', 'src/render.ts'])
})

test('the manifest and recently changed files are added, and no unrelated files', () => {
  const files = [
    file('docs/old.md', 'x'),
    file('package.json', '{}'),
    file('src/now.ts', 'x', { isDirty: true }),
    file('src/before.ts', 'x', { commitsAgo: 3 }),
  ]
  expect(pathsFor('اجعلها أسرع', files)).toEqual(['package.json', 'src/now.ts', 'src/before.ts'])
})

test('the budget is kept, and a long file does not exclude shorter ones', () => {
  const files = [
    file('a-sum.ts', 'x'.repeat(90)),
    file('b-sum.ts', 'x'.repeat(90)),
    file('c-sum.ts', 'x'.repeat(10)),
  ]
  expect(pathsFor('sum', files, { files: 10, characters: 100 })).toEqual(['a-sum.ts', 'c-sum.ts'])
  expect(pathsFor('sum', files, { files: 1, characters: 1_000 })).toEqual(['a-sum.ts'])
})

test('the choice does not depend on the order of the files', () => {
  const files = ['d', 'a', 'c', 'b'].map((name) => file(`${name}-sum.ts`, 'sum'))
  expect(pathsFor('sum', files)).toEqual(pathsFor('sum', files.toReversed()))
})

test('generated files are not candidates', () => {
  expect(['package-lock.json', 'web/app.min.js', 'a/yarn.lock', 'logo.svg'].every(isGenerated)).toBe(true)
  expect(['package.json', 'src/lock.ts', 'minimal.js'].some(isGenerated)).toBe(false)
})
