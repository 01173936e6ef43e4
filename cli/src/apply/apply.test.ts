// Applying in real repositories, through the command.
import { afterEach, describe, expect, test } from 'vitest'
import { type Files, makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'

let repository: WorkFolder
const open = (files: Files = {}) => {
  repository = makeWorkFolder(files)
  return repository
}
afterEach(() => repository.remove())

const FILES = {
  'src/a.js': 'one\ntwo\nthree\nfour\nfive\n',
  'src/b.js': 'b\n',
  'run.sh': '#!/bin/sh\ntrue\n',
}

describe('a result on files as they were sent', () => {
  test('is applied: files are changed, made and deleted, and nothing is staged', async () => {
    const { result, cowrie, tree, git } = open(FILES)
    const { id } = await result({
      'src/a.js': 'one\n2\nthree\nfour\nfive\n',
      'new/deep/c.js': 'c\n',
      'src/b.js': null,
    })
    const { code, stdout, stderr } = await cowrie(['apply', '--yes'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('M src/a.js  +1 -1\nA new/deep/c.js  +1 -0\nD src/b.js  +0 -1\n3 files, +2 -2\n')
    expect(stderr).toContain(`Take it back with "cowrie undo ${id}"`)
    expect(tree()).toMatchObject({ 'src/a.js': 'one\n2\nthree\nfour\nfive\n', 'new/deep/c.js': 'c\n' })
    expect(tree()).not.toHaveProperty('src/b.js')
    expect(git('status', '--porcelain', '-uall')).toBe(' M src/a.js\n D src/b.js\n?? new/deep/c.js\n')
  })

  test('and undone again, the folders that were made for it too', async () => {
    const { result, cowrie, tree } = open(FILES)
    const before = tree()
    const { id } = await result({
      'src/a.js': 'changed\n',
      'new/deep/c.js': 'c\n',
      'src/b.js': null,
      'run.sh': '#!/bin/sh\nfalse\n',
    })
    expect(await cowrie(['apply', 'last', '--yes'])).toMatchObject({ code: 0 })
    expect(tree()['run.sh']).toBe('x #!/bin/sh\nfalse\n')
    const { code, stdout } = await cowrie(['undo', id])
    expect([code, stdout]).toEqual([0, `Undone ${id}: src/a.js, new/deep/c.js, src/b.js, run.sh.\n`])
    expect(tree()).toEqual(before)
  })
})
