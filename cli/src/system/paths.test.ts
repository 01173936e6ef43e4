import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPaths } from './paths.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-paths-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a profile has separate settings and keys', () => {
  const { config, state } = findPaths({ HOME: '/people/ada' }, '/', 'work')
  expect([config, state]).toEqual([
    '/people/ada/.config/cowrie/profiles/work',
    '/people/ada/.local/state/cowrie/profiles/work',
  ])
})

test.for(['..', '../x', 'A', 'a/b', '-x', 'x'.repeat(33)])('%s is not a valid profile name', (profile) => {
  expect(() => findPaths({ HOME: '/people/ada' }, '/', profile)).toThrow('not a valid profile name')
})

test('the repository is the nearest parent folder with .git', async () => {
  await mkdir(join(folder, 'a', 'b'), { recursive: true })
  expect(findPaths({}, join(folder, 'a', 'b'), undefined).repository).toBeNull()
  await mkdir(join(folder, '.git'))
  expect(findPaths({}, join(folder, 'a', 'b'), undefined).repository).toEqual({
    root: folder,
    gitFolder: join(folder, '.git'),
  })
})

test('a worktree has a separate state folder', async () => {
  await writeFile(join(folder, '.git'), 'gitdir: ../main/.git/worktrees/x\n')
  expect(findPaths({}, folder, undefined).repository).toEqual({
    root: folder,
    gitFolder: join(folder, '..', 'main', '.git', 'worktrees', 'x'),
  })
})
