import { expect, test } from 'vitest'
import { matchesGlob } from './glob.ts'

test.for([
  ['*.ts', 'src/a.ts', true],
  ['*.ts', 'src/a.tsx', false],
  ['src', 'src/deep/a.ts', true],
  ['src/', 'src/a.ts', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**', 'src/deep/a.ts', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['**/a.ts', 'a.ts', true],
  ['./a.ts', 'a.ts', true],
  ['/a.ts', 'src/a.ts', false],
  ['src/*.{ts,js}', 'src/a.js', true],
  ['?.ts', 'ab.ts', false],
  ['[a-c].ts', 'b.ts', true],
  ['[!a-c].ts', 'b.ts', false],
  ['a.ts', 'axts', false],
  ['src/[slug].ts', 'src/s.ts', true],
  ['a+(b)$.ts', 'a+(b)$.ts', true],
  ['{', '{', true],
] as const)('%s and %s: %s', ([glob, path, isMatch]) => {
  expect(matchesGlob(path, glob)).toBe(isMatch)
})
