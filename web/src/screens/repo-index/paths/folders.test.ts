import { expect, test } from 'vitest'
import { entriesBelow, parentOf } from './folders.ts'

const STATE = {
  paths: ['README.md', 'src/a.ts', 'src/wallet/b.ts', 'src/wallet/c.ts'],
  chunksByPath: [1, 2, 3, 4],
}

test('the weight of a folder is the sum of its contents', () => {
  expect(entriesBelow(STATE, '')).toEqual([
    { path: 'src/', weight: 9, files: 3 },
    { path: 'README.md', weight: 1, files: 1 },
  ])
  expect(entriesBelow(STATE, 'src/').map(({ path }) => path)).toEqual(['src/wallet/', 'src/a.ts'])
})

test('every folder has a parent path', () => {
  expect(['src/wallet/', 'src/'].map(parentOf)).toEqual(['src/', ''])
})
