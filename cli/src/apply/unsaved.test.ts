// Uncommitted work is never lost, mixed with edits or committed without consent.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { type Files, makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'

let folder: WorkFolder
const open = (files: Files = FILES) => {
  folder = makeWorkFolder(files)
  return folder
}
afterEach(() => folder.remove())

const A = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const FILES = { 'src/a.js': A, 'src/b.js': 'b\n', 'run.sh': '#!/bin/sh\ntrue\n' }
const EDITED = A.replace('two', '2')

describe('uncommitted changes', () => {
  test.for([
    {
      it: 'a modified file',
      make: ({ write }: WorkFolder) => write({ 'src/a.js': A.replace('seven', '7') }),
      says: 'src/a.js is modified',
    },
    {
      it: 'a staged change',
      make: ({ write, git }: WorkFolder) => {
        write({ 'src/a.js': A.replace('seven', '7') })
        git('add', '-A')
        write({ 'src/a.js': A })
      },
      says: 'src/a.js is staged',
    },
    {
      it: 'an untracked file with the same path',
      make: ({ write }: WorkFolder) => write({ 'new.js': 'mine\n' }),
      says: 'new.js is untracked',
    },
    {
      it: 'an executable bit',
      make: ({ root }: WorkFolder) => chmodSync(join(root, 'src/a.js'), 0o755),
      says: 'src/a.js is modified',
    },
  ])('stop the apply: $it', async ({ make, says }) => {
    const work = open()
    await work.result({ 'src/a.js': EDITED, 'new.js': 'n\n' })
    make(work)
    const before = work.tree()
    const { code, stderr } = await work.cowrie(['apply', '-y'])
    expect([code, work.tree()]).toEqual([9, before])
    expect(stderr).toContain(`${says}. (unsaved_changes)`)
    expect(stderr).toContain('--stash')
  })

  test('in other files do not matter, except with --strict', async () => {
    const { result, cowrie, write } = open()
    await result({ 'src/a.js': EDITED })
    write({ 'src/b.js': 'mine\n', 'notes.md': 'mine\n' })
    const strict = await cowrie(['apply', '-y', '--strict'])
    expect(strict.code).toBe(9)
    expect(strict.stderr).toContain('src/b.js is modified; notes.md is untracked. (tree_not_clean)')
    expect((await cowrie(['apply', '-y'])).code).toBe(0)
  })

  test('are merged with --allow-dirty, but never committed', async () => {
    const { result, cowrie, read, write } = open()
    await result({ 'src/a.js': EDITED })
    write({ 'src/a.js': A.replace('seven', '7') })
    expect((await cowrie(['apply', '-y', '--allow-dirty', '--commit'])).code).toBe(64)
    expect((await cowrie(['apply', '-y', '--allow-dirty'])).code).toBe(0)
    expect(read('src/a.js')).toBe(EDITED.replace('seven', '7'))
    expect((await cowrie(['undo'])).code).toBe(0)
    expect(read('src/a.js')).toBe(A.replace('seven', '7'))
  })

  test('are stashed with --stash and can be restored, including staged and untracked files', async () => {
    const { result, cowrie, tree, write, git } = open()
    await result({ 'src/a.js': EDITED, 'new.js': 'n\n' })
    write({ 'src/a.js': A.replace('seven', '7'), 'new.js': 'mine\n', 'src/b.js': 'stays\n' })
    git('add', 'src/a.js')
    const before = tree()
    const { code, stderr } = await cowrie(['apply', '-y', '--stash'])
    expect(code).toBe(0)
    expect(stderr).toContain('git stash pop')
    expect(tree()).toMatchObject({ 'src/a.js': EDITED, 'new.js': 'n\n', 'src/b.js': 'stays\n' })
    expect((await cowrie(['undo'])).code).toBe(0)
    git('stash', 'pop', '-q', '--index')
    expect(tree()).toEqual(before)
    expect(git('diff', '--cached', '--name-only')).toBe('src/a.js\n')
  })

  soakTest('stay unchanged with --branch: the edits become a commit on a new branch', async () => {
    const { result, cowrie, tree, write, git } = open()
    await result({ 'src/a.js': EDITED, 'new.js': 'n\n', 'src/b.js': null })
    write({ 'src/a.js': A.replace('two', 'mine'), 'src/b.js': 'staged\n' })
    git('add', 'src/b.js')
    const before = [tree(), git('status', '--porcelain')]
    const { code, stderr } = await cowrie(['apply', '-y', '--branch', 'add'])
    expect(code).toBe(0)
    expect(stderr).toContain('Your files did not change')
    expect([tree(), git('status', '--porcelain')]).toEqual(before)
    expect(git('diff', '--name-status', 'main', 'add')).toBe('A\tnew.js\nM\tsrc/a.js\nD\tsrc/b.js\n')
    expect(git('show', 'add:src/a.js')).toBe(EDITED)
    expect(git('log', '-1', '--format=%s %an', 'add')).toBe('It adds. Ada\n')
    expect(await cowrie(['apply', '-y', '--branch', 'add'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/branch_exists/),
    })
    expect(await cowrie(['apply', '-y', '--branch', '-x'])).toMatchObject({ code: 64 })
  })
})

describe('with --commit', () => {
  soakTest('the commit contains exactly these files, and other staged changes stay staged', async () => {
    const { result, cowrie, write, git } = open()
    await result({ 'src/a.js': EDITED, 'new.js': 'n\n', 'run.sh': null })
    write({ 'src/b.js': 'staged\n' })
    git('add', 'src/b.js')
    expect((await cowrie(['apply', '-y', '--commit'])).code).toBe(0)
    expect(git('show', '--name-status', '--format=%s')).toBe(
      'It adds.\n\nA\tnew.js\nD\trun.sh\nM\tsrc/a.js\n',
    )
    expect(git('status', '--porcelain')).toBe('M  src/b.js\n')
  })

  test('a refusing hook is reported: the files are written, nothing is staged', async () => {
    const { result, cowrie, read, git, root } = open()
    await result({ 'src/a.js': EDITED, 'new.js': 'n\n' })
    writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\necho no tests >&2; exit 1\n', {
      mode: 0o755,
    })
    const { code, stderr } = await cowrie(['apply', '-y', '--commit'])
    expect([code, read('src/a.js')]).toEqual([1, EDITED])
    expect(stderr).toContain('no tests (not_committed)')
    expect(git('status', '--porcelain')).toBe(' M src/a.js\n?? new.js\n')
    expect((await cowrie(['undo'])).code).toBe(0)
  })
})
