import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { expect, test } from 'vitest'
import { diffOf, patchOf } from './unified.ts'
import { rowOf, totalsOf, viewOf } from './view.ts'

const LINES = rounds(600, 6_000)
/** The soak leaves it at the bound of the command itself. */
const MAX_EDIT_LENGTH = isSoak ? undefined : 500

const file = (text: string, isExecutable = false) => ({ text, isExecutable })

test('a change is told with three lines around it and a head that git understands', () => {
  const diff = diffOf('a b.txt', file('1\n2\n3\n4\n5\n'), file('1\n2\n3\n4\nfive'))
  expect(patchOf([diff])).toBe(
    'diff --git a/a b.txt b/a b.txt\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n\\ No newline at end of file\n',
  )
  expect(diff).toMatchObject({ action: 'update', addedLines: 1, removedLines: 1 })
})

test('files that come, go, are empty or change their mode', () => {
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

test('texts with nothing in common are told whole, without a long search', () => {
  const lines = (word: string) => Array.from({ length: LINES }, (_, index) => `${word} ${index}\n`).join('')
  const diff = diffOf('big', file(lines('old')), file(lines('new')), MAX_EDIT_LENGTH)
  expect([diff.addedLines, diff.removedLines]).toEqual([LINES, LINES])
  expect(diff.lines[diff.headLines]).toBe(`@@ -1,${LINES} +1,${LINES} @@`)
})

test('what is shown has its style in spans, and the totals', () => {
  const diff = diffOf('a', file('x\n'), file('y\n'))
  expect(viewOf(diff).at(-1)).toEqual([{ text: '+y', style: 'green', verbatim: true }])
  expect(rowOf(diff, 'merged')[0]).toBe('M a  ')
  expect(totalsOf([diff, diff])).toBe('2 files, +2 -2')
})
