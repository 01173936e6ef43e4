import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lintScope } from './lint-scope.mjs'

const root = scratchFolder()
const outside = scratchFolder()
const record = join(outside, 'lint.json')
const write = (path: string, text: string) => writeFileSync(join(root, path), text)
const scope = () => lintScope(root, record)

beforeAll(() => {
  spawnSync('git', ['init', '-q'], { cwd: root })
  write('.gitignore', 'ignored.ts\n')
  write('biome.json', '{}')
  write('a.ts', 'a')
  write('b.ts', 'b')
  write('ignored.ts', 'c')
})
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true })
})

test('lint checks everything until it passes, and then only files that have changed', () => {
  expect(scope().paths).toEqual(['.'])
  scope().pass()
  expect(scope().paths).toEqual([])
  write('a.ts', 'changed')
  write('new.ts', '')
  write('ignored.ts', 'changed')
  rmSync(join(root, 'b.ts'))
  expect(scope().paths.toSorted()).toEqual(['a.ts', 'new.ts'])
  // It failed, so they are checked again.
  expect(scope().paths).toHaveLength(2)
})

test('lint checks everything after a change of its rules, with a damaged record and without git', () => {
  scope().pass()
  write('biome.json', '{ }')
  expect(scope().paths).toEqual(['.'])
  scope().pass()
  writeFileSync(record, 'damaged')
  expect(scope().paths).toEqual(['.'])
  expect(lintScope(outside, record).paths).toEqual(['.'])
})
