// A repository of 5,000 files with about 6 KB each, and npm packages that it depends on.
import type { FakeNpmPackage } from '@cowrie/testkit/fakes/npm-registry.ts'

export const FILES = 5_000
const PARTS = 40
const PACKAGES = 120
const FILES_PER_PACKAGE = 25

export const pathOf = (i: number): string => `src/module${i % 100}/part${i % 10}/file${i % FILES}.ts`

export const manyFiles = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: FILES }, (_, i) => [
      pathOf(i),
      Array.from({ length: PARTS }, (_, part) => partOf(i, part)).join('\n'),
    ]),
  )

const partOf = (i: number, part: number): string =>
  part === 0
    ? `export function handler${i}(items: readonly number[]): number {\n  return items.length\n}\n`
    : `/** Rounds the total of invoice ${part}. */\nexport const step${part} = (amount: number, rate: number) => {\n  const total = amount * rate + ${i}\n  return Math.round(total)\n}\n`

export const manyPackages = (): FakeNpmPackage[] =>
  Array.from({ length: PACKAGES }, (_, i) => ({
    name: `package-${i}`,
    files: Object.fromEntries(
      Array.from({ length: FILES_PER_PACKAGE }, (_, n) => [
        n === 0 ? 'index.js' : `lib/part${n}.js`,
        `exports.value = ${n}\n${'// a line of a package\n'.repeat(60)}`,
      ]),
    ),
  }))
