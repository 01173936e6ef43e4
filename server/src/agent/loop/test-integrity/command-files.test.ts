import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { findCommandFiles } from './command-files.ts'

const named = (command: string, ...paths: string[]) => [
  ...findCommandFiles(command, new Map(paths.map((path) => [path, '']))).keys(),
]

test.for<[pattern: string, path: string, isNamed: boolean]>([
  ['*.sh', 'a.sh', true],
  ['*.sh', 'a/b.sh', false],
  ['ci/*.sh', 'ci/all.sh', true],
  ['ci/*/r?n.sh', 'ci/x/run.sh', true],
  ['ci/*/r?n.sh', 'ci/x/ruin.sh', false],
  ['c*i/*', 'c-i/x', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*', 'x', true],
])('%s names %s: %s', ([pattern, path, isNamed]) => {
  expect(named(`sh ${pattern}`, path)).toEqual(isNamed ? [path] : [])
})

test('a pattern with excessive backtracking is given up quickly', () => {
  const look = () => expect(named(`sh ${'*a'.repeat(190)}b`, 'a'.repeat(240))).toEqual([])
  expect(measureCost(look)).toBeLessThan(100)
})

test('names are resolved into folders, but not out of the workspace', () => {
  expect(named('cd a && (cd b; ./c.sh)', 'a/b/c.sh')).toEqual(['a/b/c.sh'])
  expect(named('cd .. && sh ../c.sh', 'c.sh')).toEqual([])
})

test('scripts that run each other are resolved once', () => {
  const files = new Map([
    ['a.sh', 'sh b.sh'],
    ['b.sh', 'sh a.sh; sh c.sh'],
    ['c.sh', ''],
  ])
  expect([...findCommandFiles('sh a.sh', files).keys()]).toEqual(['a.sh', 'b.sh', 'c.sh'])
})
