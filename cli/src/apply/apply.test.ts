// Applies results in real repositories through the CLI.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe('a result on unchanged files', () => {
  test('changes, creates and deletes files, and stages nothing', async () => {
    const { result, cowrie, tree, git } = open()
    const { id } = await result({ 'src/a.js': EDITED, 'new/deep/c.js': 'c\n', 'src/b.js': null })
    const { code, stdout, stderr } = await cowrie(['apply', '--yes'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('M src/a.js  +1 -1\nA new/deep/c.js  +1 -0\nD src/b.js  +0 -1\n3 files, +2 -2\n')
    expect(stderr).toContain(`Undo it with "cowrie undo ${id}"`)
    expect(tree()).toMatchObject({ 'src/a.js': EDITED, 'new/deep/c.js': 'c\n' })
    expect(git('status', '--porcelain', '-uall')).toBe(' M src/a.js\n D src/b.js\n?? new/deep/c.js\n')
    expect(await cowrie(['apply', '--json', '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"outcome":"unchanged"/),
    })
  })

  test('that is partial is applied with a warning', async () => {
    const { result, cowrie, tree } = open()
    const { id } = await result({ 'src/a.js': EDITED }, { warnings: ['not_applied: "src/b.js": no end'] })
    const { code, stderr } = await cowrie(['apply', '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain(`The result ${id} is partial.`)
    expect(tree()).toMatchObject({ 'src/a.js': EDITED, 'src/b.js': 'b\n' })
    const whole = await result({ 'src/b.js': 'c\n' })
    expect((await cowrie(['apply', whole.id, '--yes'])).stderr).not.toContain('partial')
  })

  test('can be undone, including new folders and executable bits', async () => {
    const { result, cowrie, tree, git, root } = open()
    const before = tree()
    const { id } = await result({
      'src/a.js': EDITED,
      'new/deep/c.js': 'c\n',
      'src/b.js': null,
      'run.sh': '#!/bin/sh\nfalse\n',
    })
    expect((await cowrie(['apply', 'last', '--yes'])).code).toBe(0)
    expect(tree()['run.sh']).toBe('x #!/bin/sh\nfalse\n')
    const after = tree()
    // The reverse is a patch that git can apply.
    const [patch = ''] = readdirSync(join(root, '.git/cowrie/undo')).filter((name) => name.endsWith('.patch'))
    git('apply', join('.git/cowrie/undo', patch))
    expect(git('status', '--porcelain', '-uall')).toBe('')
    git('apply', '-R', join('.git/cowrie/undo', patch))
    expect(tree()).toEqual(after)
    expect(await cowrie(['undo', id])).toMatchObject({
      code: 0,
      stdout: `Undid ${id}: src/a.js, new/deep/c.js, src/b.js, run.sh.\n`,
    })
    expect(tree()).toEqual(before)
    expect((await cowrie(['undo'])).stderr).toContain('Nothing was applied here. (nothing_to_undo)')
  })

  test('is not undone if one of its files changed, and the error names it', async () => {
    const { result, cowrie, tree, write } = open()
    await result({ 'src/a.js': EDITED, 'src/b.js': 'B\n' })
    await cowrie(['apply', '--yes'])
    write({ 'src/b.js': 'mine\n' })
    const before = tree()
    const { code, stderr } = await cowrie(['undo'])
    expect(code).toBe(9)
    expect(stderr).toMatch(/changed since \w+: src\/b\.js\. \(touched_since\)/)
    expect(tree()).toEqual(before)
  })

  test('is only shown with --dry-run, and can be applied later at no cost', async () => {
    const { result, cowrie, tree } = open()
    await result({ 'src/a.js': EDITED })
    const before = tree()
    const { code, stdout, stderr } = await cowrie(['apply', '--dry-run'])
    expect([code, tree()]).toEqual([0, before])
    expect(stdout).toBe(
      'diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n',
    )
    expect(stderr).toContain('Nothing was written.')
    expect((await cowrie(['apply', '-y'])).code).toBe(0)
  })

  test('is not applied without confirmation when there is no terminal', async () => {
    const { result, cowrie, tree } = open()
    await result({ 'src/a.js': EDITED })
    const before = tree()
    const { code, stderr } = await cowrie(['apply'])
    expect([code, tree()]).toEqual([64, before])
    expect(stderr).toContain('Use --yes to apply, or --dry-run to look')
  })

  test('is applied partially with --only', async () => {
    const { result, cowrie, tree } = open()
    await result({ 'src/a.js': EDITED, 'src/b.js': 'B\n', '.env': 'KEY=1\n' })
    expect((await cowrie(['apply', '-y', '--only', 'src/**', '--only', '*.md'])).code).toBe(0)
    expect(tree()).toEqual({
      'src/': '',
      'src/a.js': EDITED,
      'src/b.js': 'B\n',
      'run.sh': 'x #!/bin/sh\ntrue\n',
    })
    expect(await cowrie(['apply', '-y', '--only', '*.css'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/matches \*\.css/),
    })
  })
})

describe('the format of a file is preserved', () => {
  test('Windows line ends, byte order mark, missing final newline and executable bit', async () => {
    const windows = 'one\r\ntwo\r\n'
    const { result, cowrie, tree } = open({
      'w.txt': windows,
      'bom.txt': '\ufeffa\n',
      'end.txt': 'a\nb',
      'x.sh': '#!/bin/sh\n',
    })
    await result({ 'w.txt': 'one\n2\n', 'bom.txt': 'b\n', 'end.txt': 'a\nc', 'x.sh': '#!/bin/sh\n:\n' })
    expect((await cowrie(['apply', '-y'])).code).toBe(0)
    expect(tree()).toEqual({
      'w.txt': 'one\r\n2\r\n',
      'bom.txt': Buffer.from('\ufeffb\n').toString('latin1'),
      'end.txt': 'a\nc',
      'x.sh': 'x #!/bin/sh\n:\n',
    })
  })

  test('a file that git checked out with CRLF counts as unchanged and is merged', async () => {
    const { result, cowrie, read, git, write } = open({ 'a.txt': A })
    git('config', 'core.autocrlf', 'true')
    await result({ 'a.txt': EDITED })
    write({ 'a.txt': A.replaceAll('\n', '\r\n') })
    expect((await cowrie(['apply', '-y'])).code).toBe(0)
    expect(read('a.txt')).toBe(EDITED.replaceAll('\n', '\r\n'))
  })
})

describe('files that changed since they were sent', () => {
  test('are merged if the changes do not overlap', async () => {
    const { result, cowrie, read, write, git } = open()
    await result({ 'src/a.js': EDITED })
    write({ 'src/a.js': A.replace('seven', '7') })
    git('commit', '-qam', 'second')
    const { code, stderr } = await cowrie(['apply', '-y'])
    expect(code).toBe(0)
    expect(stderr).toContain('merged with your changes')
    expect(read('src/a.js')).toBe(EDITED.replace('seven', '7'))
  })

  test('stop the whole apply if lines overlap, or a file was deleted or created', async () => {
    const { result, cowrie, tree, write, git } = open()
    await result({ 'src/a.js': EDITED, 'src/b.js': 'B\n', 'run.sh': null, 'new.js': 'n\n', 'fine.js': 'f\n' })
    write({ 'src/a.js': A.replace('two', 'zwei'), 'new.js': 'other\n', 'run.sh': '#!/bin/sh\n:\n' })
    git('rm', '-q', 'src/b.js')
    git('add', '-A')
    git('commit', '-qm', 'second')
    const before = tree()
    const { code, stderr } = await cowrie(['apply', '-y'])
    expect([code, tree()]).toEqual([9, before])
    expect(stderr).toContain(
      'Nothing was written: src/a.js was changed since in the same place; src/b.js was deleted since; ' +
        'run.sh was changed since, and would be deleted; new.js already exists. (edits_conflict)',
    )
    expect(existsSync(join(folder.root, '.git/cowrie/journal.json'))).toBe(false)
  })
})

describe('paths', () => {
  test('nothing is written through a link, into another repository, or over a folder', async () => {
    const { result, cowrie, tree, root } = open()
    const outside = join(root, '..', 'outside')
    mkdirSync(outside)
    symlinkSync(outside, join(root, 'out'))
    symlinkSync('.git', join(root, 'inner'))
    symlinkSync('../../outside/x', join(root, 'src/link.js'))
    mkdirSync(join(root, 'other/.git'), { recursive: true })
    const before = tree()
    await result({
      'out/x': 'x\n',
      'inner/config': 'x\n',
      'src/link.js': 'x\n',
      'other/x': 'x\n',
      src: 'x\n',
      'fine.js': 'f\n',
    })
    const { code, stderr } = await cowrie(['apply', '-y'])
    expect([code, tree(), readdirSync(outside)]).toEqual([9, before, []])
    for (const why of [
      'out/x is behind the symbolic link out',
      'inner/config is behind the symbolic link inner',
      'src/link.js is a symbolic link',
      'other/x belongs to the other repository other',
    ])
      expect(stderr).toContain(why)
  })

  test('hostile paths stop the whole apply and send no escape codes to the terminal', async () => {
    const { result, cowrie, tree } = open()
    const before = tree()
    await result({ '../evil': 'x', 'a\x1b[2J': 'x', '.GIT/hooks/post-commit': 'x', 'fine.js': 'f\n' })
    const { code, stderr } = await cowrie(['apply', '-y', '--allow-sensitive', '--allow-dirty'])
    expect([code, tree()]).toEqual([9, before])
    expect(stderr).toContain(
      '../evil leaves the folder; a\\u{1b}[2J has control characters; .GIT/hooks/post-commit belongs to git',
    )
  })

  test('sensitive files need an explicit option', async () => {
    const { result, cowrie, tree } = open()
    await result({ '.env': 'KEY=1\n', '.github/workflows/ci.yml': 'on: push\n' })
    const refused = await cowrie(['apply', '-y'])
    expect(refused.code).toBe(9)
    expect(refused.stderr).toContain('.env may contain secrets')
    expect(tree()).not.toHaveProperty('.env')
    expect((await cowrie(['apply', '-y', '--allow-sensitive'])).code).toBe(0)
    expect(tree()).toMatchObject({ '.env': 'KEY=1\n', '.github/workflows/ci.yml': 'on: push\n' })
  })

  test('a worktree counts as a separate repository, from any of its folders', async () => {
    const work = open()
    const other = join(work.root, '..', 'other')
    work.git('worktree', 'add', '-q', other)
    const options = { machine: { cwd: join(other, 'src') } }
    writeFileSync(join(work.root, '..', 'p'), '--- a/src/b.js\n+++ b/src/b.js\n@@ -1 +1 @@\n-b\n+B\n')
    expect(await work.cowrie(['apply', '-y', '--patch', '../../p'], options)).toMatchObject({ code: 0 })
    expect(readFileSync(join(other, 'src/b.js'), 'utf8')).toBe('B\n')
    expect(work.read('src/b.js')).toBe('b\n')
    expect((await work.cowrie(['undo'], options)).code).toBe(0)
    expect(readFileSync(join(other, 'src/b.js'), 'utf8')).toBe('b\n')
  })
})

describe('without git', () => {
  test('it needs an option, and copies of the old files are stored in a folder', async () => {
    folder = makeWorkFolder(FILES, { isGit: false })
    const { result, cowrie, tree, root } = folder
    await result({ 'src/a.js': EDITED, 'new/c.js': 'c\n' })
    const before = tree()
    expect(await cowrie(['apply', '-y'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/This is not a git repository\. .*\n.*--no-git/),
    })
    expect(tree()).toEqual(before)
    const { code, stdout } = await cowrie(['apply', '-y', '--no-git', '--json'])
    expect([code, tree()['src/a.js']]).toEqual([0, EDITED])
    const { savedTo } = JSON.parse(stdout) as { savedTo: string }
    expect(savedTo.startsWith(root)).toBe(false)
    expect(readFileSync(join(savedTo, 'src/a.js'), 'utf8')).toBe(A)
    expect((await cowrie(['undo', '--no-git'])).code).toBe(0)
    expect(tree()).toEqual(before)
  })

  test('a result for another folder is not applied', async () => {
    folder = makeWorkFolder({}, { isGit: false })
    await folder.result({ 'new.js': 'n\n' }, { root: '/somewhere/else' })
    expect(await folder.cowrie(['apply', '-y', '--no-git'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/belongs to \/somewhere\/else/),
    })
  })
})

describe('results that cannot be applied', () => {
  test('one with an unknown outcome, one without edits, and an unknown one', async () => {
    const { result, cowrie } = open()
    expect(await cowrie(['apply'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There are no results here yet/),
    })
    await result({ 'src/a.js': EDITED }, { state: 'sent' })
    expect(await cowrie(['apply', '-y'])).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/cowrie runs show/),
    })
    await result({})
    expect(await cowrie(['apply', '-y'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has no edits/),
    })
  })
})
