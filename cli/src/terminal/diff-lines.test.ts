import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { render } from './line.ts'

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -9,3 +9,4 @@ export function a() {
 same
-old
+new
+newer
@@ -99 +100,1 @@
-++ not a header
\\ No newline at end of file
`
const shown = (patch: string, hasPath = true) =>
  diffLines(patch, { hasPath }).map((line) => render(line, false))

test('a diff has the path, line numbers and signs', () => {
  expect(shown(PATCH)).toEqual([
    'src/a.ts',
    ' 9  same',
    '10 -old',
    '10 +new',
    '11 +newer',
    '   …',
    '99 -++ not a header',
    '   no line end at the end of the file',
  ])
  expect(shown(PATCH, false)[0]).toBe(' 9  same')
})

test('a long diff is cut with a count', () => {
  const patch = `@@ -1,9 +1,9 @@\n${'+x\n'.repeat(9)}`
  expect(diffLines(patch, { linesMax: 2 }).map((line) => render(line, false))).toEqual([
    '1 +x',
    '2 +x',
    '… 7 more lines',
  ])
})

test('without colours the words say what happened', () => {
  const spoken = diffLines(PATCH).map((line) =>
    typeof line === 'string'
      ? line
      : line.map((part) => (typeof part === 'string' ? part : (part.spoken ?? part.text))).join(''),
  )
  expect(spoken).toContain('added: new')
  expect(spoken).toContain('removed: old')
})

test('new, deleted and hostile files', () => {
  expect(
    shown('diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n'),
  ).toEqual(['n', 'new file mode 100755', '1 +x'])
  expect(
    shown('diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'),
  ).toEqual(['n', 'deleted file mode 100644', '1 -x'])
  expect(shown('--- a/x\n+++ b/evil\u202etxt\n@@ -1 +1 @@\n+a\n')[0]).toBe('evil\\u202etxt')
  expect(shown('')).toEqual([])
})
