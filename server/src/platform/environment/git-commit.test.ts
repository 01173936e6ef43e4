import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCommit } from './git-commit.ts'

const HASH = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cowrie-commit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

test.for<[string, Record<string, string>]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${HASH}\n` }],
  ['a detached head', { '.git/HEAD': `${HASH}\n` }],
  [
    'a packed branch',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/other-refs/heads/main\n${HASH} refs/heads/main\n`,
    },
  ],
  [
    'a worktree',
    {
      '.git': 'gitdir: ../main/.git/worktrees/ops\n',
      '../main/.git/worktrees/ops/HEAD': 'ref: refs/heads/ops\n',
      '../main/.git/worktrees/ops/commondir': '../..\n',
      '../main/.git/refs/heads/ops': `${HASH}\n`,
    },
  ],
])('the commit of %s is read without the git program', ([, files]) => {
  const outer = folder
  folder = join(outer, 'checkout')
  mkdirSync(folder)
  write(files)
  expect(readCommit(folder)).toBe(HASH)
  folder = outer
})

test.for<[string, Record<string, string>]>([
  ['is not a checkout', {}],
  ['has a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  ['has a HEAD without a hash', { '.git/HEAD': 'nonsense\n' }],
  ['names a missing git folder', { '.git': 'gitdir: /nowhere/at/all\n' }],
])('a folder that %s has no commit', ([, files]) => {
  write(files)
  expect(readCommit(folder)).toBeNull()
})
