import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxTree } from '../../sandbox/sandbox.ts'
import { inspectChange } from './inspect-change.ts'
import { openTree, ProjectTexts, withTexts } from './tree-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-verify-'))
  await mkdir(join(folder, '.git'))
  await mkdir(join(folder, 'src'))
  for (const path of ['.git/config', 'src/a.mjs', 'src/a.test.mjs', 'gone.txt', 'old.txt'])
    await writeFile(join(folder, path), `disk ${path}`)
  await symlink('/etc/passwd', join(folder, 'link.txt'))
  await symlink('/etc', join(folder, 'etc'))
})
afterAll(() => rm(folder, { recursive: true }))

const toTree = (files: Record<string, string>, deleted: readonly string[] = []): SandboxTree => ({
  folder,
  files: new Map(Object.entries(files)),
  deleted: new Set(deleted),
})

test('a tree has the files of its folder and its changes, without links and the data of git', async () => {
  const files = await openTree(toTree({ 'old.txt': 'new', 'b.txt': 'b' }, ['gone.txt']))
  expect([...files.paths].sort()).toEqual(['b.txt', 'old.txt', 'src/a.mjs', 'src/a.test.mjs'])
  expect(String(await files.read('old.txt'))).toBe('new')
  expect(String(await files.read('src/a.mjs'))).toBe('disk src/a.mjs')
  for (const path of ['gone.txt', 'link.txt', 'etc/passwd', '../x', '.git/config', 'none'])
    expect(await files.read(path)).toBeNull()
})

test('texts are loaded only when a check asks for them', async () => {
  const read: string[] = []
  const texts = new ProjectTexts({
    paths: new Set(['a', 'b', 'c']),
    read: async (path) => {
      read.push(path)
      return Buffer.from(path === 'a' ? 'b' : 'end')
    },
  })
  expect(await withTexts([texts], () => texts.get(texts.get('a') ?? ''))).toBe('end')
  expect(read).toEqual(['a', 'b'])
  expect(texts.isOverLimit).toBe(false)
})

test('a check that asks for too much gets a bounded part, and the texts report it', async () => {
  const paths = new Set(Array.from({ length: 200 }, (_, i) => `${i}`))
  let read = 0
  const texts = new ProjectTexts({
    paths,
    read: async () => {
      read++
      return Buffer.alloc(1 << 20)
    },
  })
  await withTexts([texts], () => [...paths].map((path) => texts.get(path)))
  expect(read).toBeLessThan(20)
  expect(texts.isOverLimit).toBe(true)
})

test('a change is found by its content, even without its name', async () => {
  const inspect = (before: SandboxTree, after: SandboxTree, changedPaths: readonly string[] = []) =>
    inspectChange({ before, after, changedPaths, command: 'node --test', request: '' })
  const before = toTree({ 'old.txt': 'x' })
  expect((await inspect(before, toTree({ 'old.txt': 'x' }), ['old.txt'])).changes).toEqual([])
  const hidden = await inspect(before, toTree({ 'old.txt': 'x' }, ['src/a.test.mjs']))
  expect(hidden).toMatchObject({ changes: ['src/a.test.mjs'], decisive: ['src/a.test.mjs'] })
})

test('the original tests replace the changed ones, and the old program gets the new tests', async () => {
  const after = toTree({
    'src/a.mjs': 'fixed',
    'src/a.test.mjs': 'disk src/a.test.mjs\nmore',
    'b.test.mjs': 'b',
  })
  const { withOriginalTests, oldProgram } = await inspectChange({
    ...{ before: toTree({}), after, changedPaths: [...after.files.keys()], command: 'node --test' },
    request: '',
  })
  const textOf = (tree: SandboxTree | null, path: string) => String(tree?.files.get(path))
  expect(textOf(withOriginalTests, 'src/a.mjs')).toBe('fixed')
  expect(textOf(withOriginalTests, 'src/a.test.mjs')).toBe('disk src/a.test.mjs')
  expect(withOriginalTests?.files.has('b.test.mjs')).toBe(false)
  expect([...(oldProgram?.files.keys() ?? [])].sort()).toEqual(['b.test.mjs', 'src/a.test.mjs'])
})
