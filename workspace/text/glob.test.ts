import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { createGlob } from './glob.ts'

test.for<[pattern: string, matches: string[], others: string[]]>([
  ['*.ts', ['a.ts', 'src/deep/a.ts'], ['a.tsx', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts', 'x/src/a.ts']],
  ['src/**', ['src/a', 'src/b/c'], ['a/src/b']],
  ['src/', ['src/a', 'src/b/c'], ['srcs/a']],
  ['**/test/**/*.py', ['test/a.py', 'x/test/y/z/a.py'], ['test.py', 'x/a.py']],
  ['{src,lib}/*.{js,ts}', ['src/a.js', 'lib/b.ts'], ['app/a.js', 'src/a.py']],
  ['file?.[ch]', ['file1.c', 'a/fileX.h'], ['file.c', 'file12.c']],
  ['[!a]*.md', ['b.md'], ['a.md']],
  ['./README.md', ['README.md'], ['READMEXmd']],
  ['*', ['a', 'b/c'], []],
  ['*🙂?.txt', ['a🙂é.txt'], ['a🙂.txt']],
])('%s', ([pattern, matches, others]) => {
  const isMatch = createGlob(pattern)
  expect(matches.filter((path) => !isMatch?.(path))).toEqual([])
  expect(others.filter((path) => isMatch?.(path))).toEqual([])
})

test('a hostile pattern takes no longer than another, and too many alternatives are refused', () => {
  const isMatch = createGlob(`${'*a'.repeat(100)}*b/${'**/'.repeat(30)}x`)
  const matchAll = () => {
    for (let i = 0; i < 200; i++) isMatch?.(`${'a'.repeat(200)}/${'y/'.repeat(30)}z`)
  }
  expect(measureCost(matchAll)).toBeLessThan(2_000)
  expect(createGlob('{a,b}'.repeat(7))).toBeUndefined()
})
