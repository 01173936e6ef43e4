// Valid and malformed diffs.
import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { assembleText, InvalidPatch, parsePatch } from './hunks.ts'
import { parseDiff } from './unified.ts'

describe('a patch', () => {
  test('gives the added lines and the visible text of the new side', () => {
    const hunks = parsePatch(
      '@@ -2,3 +2,3 @@ function\n b\n-c\n+C\n d\n@@ -9,0 +10,1 @@\n+j\n\\ No newline at end of file',
    )
    expect([...hunks.added]).toEqual([3, 10])
    expect(assembleText(hunks).split('\n')).toEqual(['', 'b', 'C', 'd', '', '', '', '', '', 'j'])
  })

  test.for([
    ['with fewer lines than its header states', '@@ -1,3 +1,3 @@\n a'],
    ['with more lines than its header states', '@@ -1 +1 @@\n a\n+b'],
    ['with an unknown line prefix', '@@ -1,2 +1,2 @@\n a\n?b'],
    ['with a huge line number', '@@ -1 +999999999 @@\n+a'],
    ['with overlapping hunks', '@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c'],
    ['without a hunk', 'hello'],
  ])('%s is invalid', ([, patch]) => {
    expect(() => parsePatch(patch ?? '')).toThrow(InvalidPatch)
  })
})

describe('a diff', () => {
  test('lists new, changed, deleted and binary files', () => {
    const text = [
      'diff --git a/new.js b/new.js\nnew file mode 100644\n--- /dev/null\n+++ b/new.js\n@@ -0,0 +1,2 @@\n+one\n+two',
      'diff --git a/old.js b/old.js\n--- a/old.js\t2026-01-01\n+++ b/old.js\n@@ -5 +5 @@\n-x\n+y',
      'diff --git a/gone.js b/gone.js\n--- a/gone.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x',
      'diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ',
      'diff --git "a/\\303\\244.js" "b/\\303\\244.js"\n--- "a/\\303\\244.js"\n+++ "b/\\303\\244.js"\n@@ -1 +1 @@\n-x\n+-- y',
      '',
    ].join('\n')
    const { files, withoutText } = parseDiff(text)
    expect(files.map(({ path, isNew, hunks }) => [path, isNew, [...hunks.added]])).toEqual([
      ['new.js', true, [1, 2]],
      ['old.js', false, [5]],
      ['ä.js', false, [1]],
    ])
    expect(withoutText).toEqual([
      { path: 'gone.js', reason: 'deleted' },
      { path: 'p.png', reason: 'binary' },
    ])
  })

  test('names files whose lines it cannot read: merges, and files without hunks', () => {
    const text = [
      'diff --cc pay.js\nindex 1,2..3\n--- a/pay.js\n+++ b/pay.js\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++eval(b)',
      'diff --git a/x.js b/x.js\n--- a/x.js\n+++ b/x.js',
      'diff --git a/y.js b/y.js\n--- a/y.js\n+++ b/y.js\n@@ -1 +1 @@\n-x\n+y',
      '',
    ].join('\n')
    const { files, withoutText } = parseDiff(text)
    expect(files.map(({ path }) => path)).toEqual(['y.js'])
    expect(withoutText).toEqual([
      { path: 'pay.js', reason: 'merge_diff' },
      { path: 'x.js', reason: 'no_lines' },
    ])
  })

  test('of two texts reproduces the visible lines of the new one', () => {
    const older = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
    const newer = older.replace('line 7\n', 'line seven\nline 7.5\n').replace('line 30', '+++ b/other')
    const [file] = parseDiff(createTwoFilesPatch('a/x', 'b/x', older, newer)).files
    const lines = newer.split('\n')
    expect([...(file?.hunks.added ?? [])].map((line) => lines[line - 1])).toEqual([
      'line seven',
      'line 7.5',
      '+++ b/other',
    ])
    for (const [line, text] of file?.hunks.shown ?? []) expect(text).toBe(lines[line - 1])
  })

  test.for([
    '',
    'hello',
    '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a',
    '@@ -1 +1 @@\n-a\n+b',
    '--- a/\n+++ b/\n@@ -1 +1 @@\n-a\n+b',
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+eval(c)',
  ])('cannot be parsed from %j', (text) => {
    expect(() => parseDiff(text)).toThrow(InvalidPatch)
  })
})
