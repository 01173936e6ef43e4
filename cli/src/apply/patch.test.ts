// Patches pass the same checks as results.
import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Files, makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'

let folder: WorkFolder
const open = (files: Files = FILES) => {
  folder = makeWorkFolder(files)
  return folder
}
afterEach(() => folder.remove())

const A = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const FILES = { 'src/a.js': A, 'src/b.js': 'b\n', 'run.sh': '#!/bin/sh\ntrue\n' }
const EDITED = A.replace('two', '2')

describe('a patch', () => {
  test('changes, creates, moves and deletes files like git apply', async () => {
    const { cowrie, write, git, tree, root } = open()
    const before = tree()
    write({ 'src/a.js': EDITED, 'new.sh': '#!/bin/sh\n', 'sp ace.txt': 'no end' })
    git('mv', 'src/b.js', 'src/moved.js')
    unlinkSync(join(root, 'run.sh'))
    git('add', '-A')
    const expected = tree()
    const patch = git('diff', '--cached', '-M', 'HEAD')
    git('reset', '-q', '--hard')
    expect(tree()).toEqual(before)
    const stdin = async function* () {
      yield patch
    }
    expect((await cowrie(['apply', '--patch', '-', '-y'], { machine: { stdin } })).code).toBe(0)
    expect(tree()).toEqual(expected)
    expect((await cowrie(['undo'])).code).toBe(0)
    expect(tree()).toEqual(before)
  })

  test.for([
    ['no diff at all', 'hello\n', 1, 'patch_unusable'],
    [
      'hunks that do not match',
      '--- a/src/b.js\n+++ b/src/b.js\n@@ -1 +1 @@\n-c\n+B\n',
      9,
      'src/b.js does not match the patch',
    ],
    ['a file that is not there', '--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-c\n+B\n', 9, 'x.js does not exist'],
    ['a path outside', '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-c\n+B\n', 9, '../x leaves the folder'],
    [
      'a link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n',
      1,
      'is not a regular file',
    ],
  ] as const)('with %s is rejected', async ([, patch, exit, says]) => {
    const { cowrie, tree, root } = open()
    const before = tree()
    writeFileSync(join(root, '..', 'p'), patch)
    const { code, stderr } = await cowrie(['apply', '-y', '--patch', '../p'])
    expect([code, tree()]).toEqual([exit, before])
    expect(stderr).toContain(says)
  })
})
