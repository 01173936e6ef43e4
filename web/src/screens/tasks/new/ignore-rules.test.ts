import { expect, test } from 'vitest'
import { ignoreMatcher } from './ignore-rules.ts'

const ignoredBy = (rules: string, ...paths: string[]): string[] =>
  paths.filter(ignoreMatcher(new Map([['', rules]])))

test('patterns match as in git', () => {
  expect(ignoredBy('*.log\n# note\n\n', 'a.log', 'deep/b.log', 'a.txt')).toEqual(['a.log', 'deep/b.log'])
  expect(ignoredBy('/dist', 'dist/a.js', 'src/dist/a.js')).toEqual(['dist/a.js'])
  expect(ignoredBy('build/', 'build', 'build/a', 'x/build/a')).toEqual(['build/a', 'x/build/a'])
  expect(ignoredBy('docs/*.md', 'docs/a.md', 'docs/x/a.md', 'x/docs/a.md')).toEqual(['docs/a.md'])
  expect(ignoredBy('**/tmp/**', 'tmp/a', 'x/tmp/y/b', 'tmp')).toEqual(['tmp/a', 'x/tmp/y/b'])
  expect(ignoredBy('a?.[jt]s\nb[!0-9]', 'a1.js', 'a1.cs', 'bx', 'b1')).toEqual(['a1.js', 'bx'])
  expect(ignoredBy('\\#x\n\\!y', '#x', '!y')).toEqual(['#x', '!y'])
})

test('a later rule includes a file again, but not below an ignored folder', () => {
  expect(ignoredBy('*.log\n!keep.log', 'a.log', 'keep.log')).toEqual(['a.log'])
  expect(ignoredBy('out/\n!out/keep.txt', 'out/keep.txt')).toEqual(['out/keep.txt'])
})

test('rules of a folder apply below it, and win over those of the root', () => {
  const isIgnored = ignoreMatcher(
    new Map([
      ['', '*.csv'],
      ['data', '!small.csv\n/big.txt'],
    ]),
  )
  expect(['data/small.csv', 'small.csv', 'data/big.txt', 'big.txt'].filter(isIgnored)).toEqual([
    'small.csv',
    'data/big.txt',
  ])
})

test('folders of tools and git are never sent', () => {
  expect(ignoredBy('!node_modules', 'node_modules/a.js', 'x/.git/config', 'src/a.js')).toEqual([
    'node_modules/a.js',
    'x/.git/config',
  ])
})
