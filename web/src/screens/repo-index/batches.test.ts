import { expect, test } from 'vitest'
import { batchesOf } from './batches.ts'

const file = (path: string, length: number) => ({ path, content: 'x'.repeat(length) })
const pathsOf = (batches: { path: string }[][]) => batches.map((batch) => batch.map(({ path }) => path))

test('files are sent in batches below the limit, each with all ignore files', () => {
  const files = [file('a', 6), file('.gitignore', 1), file('b', 5), file('c', 5), file('d', 99)]
  expect(pathsOf(batchesOf(files, { characters: 10, count: 10 }))).toEqual([
    ['.gitignore', 'a'],
    ['.gitignore', 'b', 'c'],
    ['.gitignore', 'd'],
  ])
})

test('no files give no batch, and no batch has too many files', () => {
  expect(batchesOf([])).toEqual([])
  expect(
    pathsOf(batchesOf([file('a', 1), file('b', 1), file('c', 1)], { characters: 10, count: 2 })),
  ).toEqual([['a', 'b'], ['c']])
})
