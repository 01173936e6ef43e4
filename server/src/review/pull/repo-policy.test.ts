// Ignore patterns of the repository policy.
import { expect, test } from 'vitest'
import { findIgnoredPaths } from './ignore-patterns.ts'
import { parsePolicyFile } from './repo-policy.ts'

const DEEP = `${'a/'.repeat(60)}c`

test('patterns exclude matching files', async () => {
  const paths = ['docs/a.js', 'src/b.js', '../odd.js', 'gen/c.ts']
  const ignored = await findIgnoredPaths(paths, ['docs/', '*.ts', '!gen/c.ts'], {
    owner: 'org_a',
    timeoutMs: 30_000,
  })
  expect([...(ignored ?? [])]).toEqual(['docs/a.js'])
})

test('patterns that take too long time out', async () => {
  const slow = `${'**/a/'.repeat(8)}z`
  expect(await findIgnoredPaths([DEEP], [slow], { owner: 'org_a', timeoutMs: 100 })).toBeNull()
})

test.for([
  ['a/**/b/**/c/**/d/**', true],
  ['**/a/**/b/**/c/**/d/**', false],
  ['a'.repeat(201), false],
] as const)('%s is a valid pattern: %s', ([pattern, isValid]) => {
  expect(parsePolicyFile(JSON.stringify({ ignore: [pattern] })) !== null).toBe(isValid)
})
