// Changed files as a tree, marks of hunks, and the difference after a rejection.
import type { TaskFileDiff } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { changedFiles, hunkMark, merged, patchOf } from './changed-files.ts'
import { type TreeNode, treeOf } from './file-tree.ts'

const fileAt = (path: string, more: Partial<TaskFileDiff> = {}): TaskFileDiff => ({
  path,
  action: 'update',
  added: 1,
  removed: 2,
  patch: `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1 @@\n-a\n-b\n+c\n`,
  isBinary: false,
  isWhole: false,
  sha256: '0',
  ...more,
})

test('folders with one folder inside are joined, and add up their files', () => {
  const files = changedFiles(
    ['src/ui/a.ts', 'src/ui/b.ts', 'docs/guide/deep/c.md', 'd.md'].map((path) => fileAt(path)),
  )
  const shown = (nodes: readonly TreeNode[]): unknown[] =>
    nodes.map((node) =>
      node.kind === 'file' ? node.name : [node.name, node.added, node.removed, shown(node.children)],
    )
  expect(shown(treeOf(files))).toEqual([
    ['src/ui', 2, 4, ['a.ts', 'b.ts']],
    ['docs/guide/deep', 1, 2, ['c.md']],
    'd.md',
  ])
})

test('the mark of a hunk stays when the hunk moves, and differs for another change', () => {
  const at = (patch: string) => changedFiles([fileAt('a', { patch })])[0]?.hunks[0] ?? expect.unreachable()
  const first = hunkMark('a', at('@@ -1,2 +1 @@\n-a\n-b\n+c\n'))
  expect(hunkMark('a', at('@@ -11,3 +21,2 @@\n x\n-a\n-b\n+c\n'))).toBe(first)
  expect(hunkMark('a', at('@@ -1,2 +1 @@\n-a\n-b\n+d\n'))).not.toBe(first)
  expect(hunkMark('b', at('@@ -1,2 +1 @@\n-a\n-b\n+c\n'))).not.toBe(first)
})

test('states are created, edited, deleted and binary, and files of a caller cannot be rejected here', () => {
  const files = changedFiles([
    fileAt('a', { action: 'create' }),
    fileAt('b', { isBinary: true, patch: '' }),
    fileAt('c', { action: 'delete', sha256: null }),
    fileAt('d', { sha256: null }),
    fileAt('d', { sha256: null, patch: 'rename from e\nrename to d\n' }),
  ])
  expect(files.map(({ id, state, isBinary, isStored }) => [id, state, isBinary, isStored])).toEqual([
    ['a', 'created', false, true],
    ['b', 'edited', true, true],
    ['c', 'deleted', false, true],
    ['d', 'edited', false, false],
    ['d 2', 'renamed', false, false],
  ])
  expect(patchOf(files).endsWith('rename to d\n')).toBe(true)
})

test('after a rejection, only the files of the reply change', () => {
  const diff = {
    added: 3,
    removed: 6,
    change: 3,
    skipped: [],
    files: ['a', 'b', 'c'].map((path) => fileAt(path)),
  }
  const left = fileAt('b', { added: 0, removed: 1 })
  const next = merged(diff, { changed: ['a', 'b'], files: [left], change: 5 })
  expect(next).toMatchObject({ added: 1, removed: 3, change: 5 })
  expect(next.files).toEqual([left, diff.files[2]])
})
