// An untrusted repository: none of the commands in its configuration runs.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'

const A = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const EDITED = A.replace('two', '2')

let folder: WorkFolder
let canary: string
afterEach(() => folder.remove())

/** All git settings that run programs. Each program would create a file. */
function poison(): WorkFolder {
  folder = makeWorkFolder({
    'a.js': A,
    'b.js': 'b\n',
    'c.js': 'c\n',
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
  })
  const { root, git } = folder
  canary = join(root, '..', 'ran')
  const command = join(root, '..', 'evil.sh')
  writeFileSync(command, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`)
  chmodSync(command, 0o755)
  for (const [key, value] of [
    ['filter.evil.clean', command],
    ['filter.evil.smudge', command],
    ['filter.evil.required', 'true'],
    ['filter.long=name.process', command],
    ['diff.evil.textconv', command],
    ['diff.evil.command', command],
    ['diff.external', command],
    ['merge.evil.driver', command],
    ['core.fsmonitor', command],
    ['core.hooksPath', join(root, '..', 'hooks')],
    ['core.pager', command],
    ['core.editor', command],
    ['gpg.program', command],
    ['commit.gpgSign', 'true'],
    ['alias.stash', `!${command}`],
  ])
    git('config', key ?? '', value ?? '')
  mkdirSync(join(root, '..', 'hooks'))
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'post-checkout',
    'pre-commit',
    'post-commit',
    'fsmonitor-watchman',
  ])
    writeFileSync(join(root, '..', 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${canary}'\n`, {
      mode: 0o755,
    })
  // A program with this name in the current folder must not be used.
  writeFileSync(join(root, 'git'), `#!/bin/sh\necho git >> '${canary}'\n`, { mode: 0o755 })
  return folder
}

test.for([
  { it: 'merge', args: ['--allow-dirty'] },
  { it: 'stash', args: ['--stash'] },
  { it: 'branch', args: ['--branch', 'new'] },
  { it: 'check of the whole tree', args: ['--strict'] },
])('nothing runs with: $it', async ({ args }) => {
  const { result, cowrie, write } = poison()
  await result({ 'a.js': EDITED, 'new.js': 'n\n' })
  write({ 'a.js': A.replace('seven', '7'), 'b.js': 'mine\n' })
  const { code } = await cowrie(['apply', '-y', ...args], { env: { PATH: `.:${process.env.PATH}` } })
  expect(code).toBe(args.includes('--strict') ? 9 : 0)
  expect(existsSync(canary)).toBe(false)
  if (code === 0 && !args.includes('--branch')) expect((await cowrie(['undo'])).code).toBe(0)
  expect(existsSync(canary)).toBe(false)
})

test('the test setup works: unprotected git runs the commands', () => {
  const { git, write } = poison()
  write({ 'a.js': A.replace('seven', '7') })
  git('-c', 'commit.gpgSign=false', 'status')
  expect(existsSync(canary)).toBe(true)
})

test('a core.worktree setting of the repository is ignored', async () => {
  folder = makeWorkFolder({ 'a.js': A })
  const { result, cowrie, git, read, root, write } = folder
  mkdirSync(join(root, '..', 'elsewhere'))
  await result({ 'a.js': EDITED })
  write({ 'a.js': A.replace('seven', '7') })
  git('config', 'core.worktree', join(root, '..', 'elsewhere'))
  expect((await cowrie(['apply', '-y', '--stash'])).code).toBe(0)
  expect(read('a.js')).toBe(EDITED)
  expect(existsSync(join(root, '..', 'elsewhere', 'a.js'))).toBe(false)
})

test.for(['../planted', '.git/hooks/post-commit', '/tmp/cowrie-planted'])(
  'a journal file committed in the repository writes nothing at %s',
  async (path) => {
    folder = makeWorkFolder({ 'a.js': A })
    const { cowrie, root } = folder
    const journal = {
      id: '7k2f',
      createdAt: '2026-11-16T09:00:00.000Z',
      nonce: 'aa',
      steps: [{ path, before: { text: 'planted\n', mode: 0o755 }, after: null }],
      folders: [],
    }
    const writer = { pid: 1, host: 'elsewhere', startedAt: 0 }
    const lines = [writer, journal].map((line) => `${JSON.stringify(line)}\n`).join('')
    mkdirSync(join(root, '.git/cowrie/undo'), { recursive: true })
    writeFileSync(join(root, '.git/cowrie/journal.json'), lines)
    writeFileSync(join(root, '.git/cowrie/undo/000001-7k2f.json'), lines)
    expect((await cowrie(['undo'])).code).toBe(1)
    expect(existsSync(resolve(root, path))).toBe(false)
  },
)
