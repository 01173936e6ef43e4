// The diff of a pull request by file.
import { expect, test } from 'vitest'
import { splitDiff } from './split-diff.ts'

const DIFF = `diff --git a/a.js b/a.js
index 111..222 100644
--- a/a.js
+++ b/a.js
@@ -1,2 +1,2 @@
 const a = 1
-const b = 2
+const b = 'diff --git a/x b/x'
diff --git a/new file.js b/new file.js
new file mode 100644
--- /dev/null
+++ b/new file.js
@@ -0,0 +1 @@
+hello
diff --git a/old.js b/old.js
deleted file mode 100644
--- a/old.js
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/from.js b/to.js
similarity index 100%
rename from from.js
rename to to.js
diff --git a/logo.png b/logo.png
index 111..222 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/one.js b/two.js
similarity index 70%
rename from one.js
rename to two.js
index 111..222 100644
Binary files a/one.js and b/two.js differ
diff --git "a/\\303\\251.js" "b/\\303\\251.js"
--- "a/\\303\\251.js"
+++ "b/\\303\\251.js"
@@ -1 +1 @@
-1
+2
`

test('each file has its path, its status and its patch', () => {
  expect(splitDiff(DIFF)).toMatchObject([
    { filename: 'a.js', status: 'modified', changes: 2 },
    { filename: 'new file.js', status: 'added', patch: '@@ -0,0 +1 @@\n+hello' },
    { filename: 'old.js', status: 'removed' },
    { filename: 'to.js', status: 'renamed', changes: 0 },
    { filename: 'logo.png', status: 'modified', changes: 0 },
    { filename: 'two.js', status: 'renamed', changes: 1 },
    { filename: 'é.js', status: 'modified' },
  ])
  expect(splitDiff(DIFF)[4]).not.toHaveProperty('patch')
})

test('a line of a file cannot pass for the start of another file', () => {
  const line = '+a\u2028diff --git a/x.js b/x.js\u2028--- a/x.js\u2028@@ -1 +1 @@'
  const diff = `diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n old\n${line}\n`
  expect(splitDiff(diff)).toEqual([
    { filename: 'a.js', status: 'modified', changes: 1, patch: `@@ -1 +1,2 @@\n old\n${line}` },
  ])
})
