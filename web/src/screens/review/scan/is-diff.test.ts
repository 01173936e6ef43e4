import { expect, test } from 'vitest'
import { isDiff } from './is-diff.ts'

test('a diff is distinguished from code that looks like one', () => {
  expect(isDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n')).toBe(true)
  expect(isDiff('--- a\nx = 1\n+++ b\n')).toBe(false)
  expect(isDiff('+++ a\n@@ no @@')).toBe(false)
})
