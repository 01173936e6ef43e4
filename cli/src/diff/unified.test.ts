import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { expect, test } from 'vitest'
import { diffOf, patchOf } from './unified.ts'
import { rowOf, totalsOf, viewOf } from './view.ts'

const LINES = rounds(600, 6_000)
/** `npm test` uses a smaller limit than the CLI. */
const MAX_EDIT_LENGTH = isSoak ? undefined : 500

const file = (text: string, isExecutable = false) => ({ text, isExecutable })

test('a change has three lines of context and a header that git accepts', () => {
  const diff = diffOf('a b.txt', file('1\n2\n3\n4\n5\n'), file('1\n2\n3\n4\nfive'))
  expect(patchOf([diff])).toBe(
    'diff --git a/a b.txt b/a b.txt\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n\\ No newline at end of file\n',
  )
  expect(diff).toMatchObject({ action: 'update', addedLines: 1, removedLines: 1 })
})

test('new, deleted, empty and mode-changed files', () => {
  expect(patchOf([diffOf('n', null, file('x\n', true))])).toBe(
    'diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
  )
  expect(patchOf([diffOf('n', file('x\n'), null)])).toBe(
    'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
  )
  expect(patchOf([diffOf('n', null, file(''))])).toBe('diff --git a/n b/n\nnew file mode 100644\n')
  expect(patchOf([diffOf('n', file('x'), file('x', true))])).toBe(
    'diff --git a/n b/n\nold mode 100644\nnew mode 100755\n',
  )
})

test('texts with nothing in common are replaced completely, without a long search', () => {
  const lines = (word: string) => Array.from({ length: LINES }, (_, index) => `${word} ${index}\n`).join('')
  const diff = diffOf('big', file(lines('old')), file(lines('new')), MAX_EDIT_LENGTH)
  expect([diff.addedLines, diff.removedLines]).toEqual([LINES, LINES])
  expect(diff.lines[diff.headLines]).toBe(`@@ -1,${LINES} +1,${LINES} @@`)
})

test('the view has styled spans and totals', () => {
  const diff = diffOf('a', file('x\n'), file('y\n'))
  expect(viewOf(diff).at(-1)).toEqual([{ text: '+y', style: 'green', verbatim: true }])
  expect(rowOf(diff, 'merged')[0]).toBe('M a  ')
  expect(totalsOf([diff, diff])).toBe('2 files, +2 -2')
})
