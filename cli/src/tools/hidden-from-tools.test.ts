// The tools never show or touch secrets and the targets of a hostile repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { KEY, openTestToolbox, SHOP } from '../../test/toolbox.ts'
import { makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'

let folder: WorkFolder
afterEach(() => folder.remove())

const open = (more: Parameters<typeof openTestToolbox>[1] = {}, files: Record<string, string> = SHOP) => {
  folder = makeWorkFolder(files)
  return openTestToolbox(folder, more)
}

describe('secrets', () => {
  test('are shown as placeholders, which edits restore', async () => {
    const { call, box } = await open()
    const read = (await call('read', { path: 'src/config.ts' })).output
    const [placeholder = ''] = /WITHHELD_SECRET_\w+_/.exec(read) ?? []
    expect([read.includes(KEY), placeholder === '']).toEqual([false, false])
    const report = await call('edit', {
      path: 'src/config.ts',
      edits: [
        { find: `export const key = '${placeholder}'`, replace: `export const secretKey = '${placeholder}'` },
      ],
    })
    expect(report.ok).toBe(true)
    expect(folder.read('src/config.ts')).toContain(`export const secretKey = '${KEY}'`)
    expect(JSON.stringify([report, await box.changes()])).not.toContain(KEY)
    const moved = await call('create', { path: 'b.ts', content: `export const key = '${placeholder}'\n` })
    expect(moved.output).toContain('cannot be moved to another file')
  })

  test('stay the same after a restart', async () => {
    const { call, box } = await open()
    const before = (await call('read', { path: 'src/config.ts' })).output
    await box.close()
    const again = await openTestToolbox(folder)
    expect((await again.call('read', { path: 'src/config.ts' })).output).toBe(before)
  })

  test('of an ignored .env are withheld there and hidden everywhere else', async () => {
    const { call, assess } = await open()
    folder.write({ '.env': 'DB_PASSWORD=hunter2xyz\n', 'notes.md': 'the password is hunter2xyz\n' })
    expect((await call('read', { path: '.env' })).output).toContain('.env holds secrets and is withheld')
    expect((await call('read', { path: '.ENV' })).output).not.toContain('hunter2xyz')
    const notes = (await call('read', { path: 'notes.md' })).output
    expect([notes.includes('hunter2xyz'), notes.includes('WITHHELD_SECRET_')]).toEqual([false, true])
    const found = await call('search', { query: 'password is', kind: 'text' })
    expect(found.output).toMatch(/the password is WITHHELD_SECRET_/)
    expect((await call('search', { query: 'hunter2', kind: 'text' })).output).toContain('No match')
    const write = { path: '.env', content: 'x', overwrite: true }
    expect(await assess('create', write)).toEqual({ kind: 'free' })
    expect((await call('create', write)).output).toContain('is withheld')
    expect((await call('delete', { path: '.env' })).ok).toBe(false)
  })

  test('in the reports of other tools are hidden, also those that a command learned from a file', async () => {
    folder = makeWorkFolder(SHOP)
    const group = {
      definitions: [],
      names: ['run'],
      isReadOnly: () => false,
      assess: async () => ({ kind: 'free' as const }),
      run: async () => ({
        ok: true,
        output: `it printed ${KEY.slice(0, 30)}`,
        summary: 'ran',
        changes: [{ path: 'x', patch: `+key = '${KEY}'\n` }],
      }),
      close: async () => undefined,
    }
    const { call } = await openTestToolbox(folder, { groups: [group] })
    const report = await call('run', { command: 'cat' })
    expect(JSON.stringify(report)).not.toContain(KEY.slice(0, 30))
    expect(report.output).toContain('WITHHELD_SECRET_')
  })

  test('in conventions are hidden, and a link to the file is followed', async () => {
    const { box } = await open({}, { 'docs/rules.md': `Use ${KEY}.\n` })
    expect(await box.conventions()).toBeNull()
    symlinkSync('docs/rules.md', join(folder.root, 'AGENTS.md'))
    const found = await box.conventions()
    expect(found?.path).toBe('AGENTS.md')
    expect(found?.text).toMatch(/^Use WITHHELD_SECRET_\w+\.\n$/)
    folder.write({ 'CLAUDE.md': 'x'.repeat(30_000) })
    rmSync(join(folder.root, 'AGENTS.md'))
    const long = await box.conventions()
    expect([long?.path, long?.text.length]).toEqual(['CLAUDE.md', 24_000])
    expect(long?.text).toContain('was left out because it is too long')
  })
})

test('a hostile repository cannot make the tools leave the folder, hang or run a program', async () => {
  const { call } = await open()
  const { root } = folder
  writeFileSync(join(root, '../private.txt'), 'private\n')
  mkdirSync(join(root, '../private'))
  writeFileSync(join(root, '../private/a.txt'), 'private\n')
  symlinkSync('../private.txt', join(root, 'file-link'))
  symlinkSync('../private', join(root, 'folder-link'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('/dev/zero', join(root, 'device'))
  symlinkSync('.git/config', join(root, 'git-link'))
  symlinkSync('src/app.ts', join(root, 'inner-link'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  folder.write({ '.env': 'KEY=value12345\n' })
  symlinkSync('.env', join(root, 'env-link'))
  // Git runs neither of these.
  writeFileSync(
    join(root, '.git/config'),
    `[core]\n\tfsmonitor = touch ${root}/ran\n\tpager = touch ${root}/ran\n`,
  )
  const reads = [
    'file-link',
    'folder-link/a.txt',
    'loop',
    'device',
    'pipe',
    'git-link',
    'env-link',
    '.git/config',
    '.GIT/config',
    'src/../.git/config',
    '/dev/stdin',
    'a\0b',
    'src\\app.ts',
    'x'.repeat(10_000),
    '%2e%2e/private.txt',
    '',
  ]
  for (const path of reads) {
    const { ok, output } = await call('read', { path })
    expect([path.slice(0, 20), ok, /private\n|fsmonitor =|value12345/.test(output)]).toEqual([
      path.slice(0, 20),
      false,
      false,
    ])
  }
  expect((await call('read', { path: 'inner-link', to: 1 })).output).toContain('export class Cart')
  for (const path of [
    'file-link',
    'inner-link',
    'folder-link/new.txt',
    'pipe',
    'src/APP.ts',
    'SRC/new.ts',
    'README.md/x',
  ]) {
    const { ok } = await call('create', { path, content: 'x\n', overwrite: true })
    expect([path, ok]).toEqual([path, false])
    expect([path, (await call('delete', { path })).ok]).toEqual([path, false])
  }
  for (const path of [
    '.git/hooks/pre-commit',
    '.Git/config',
    'node_modules/x.js',
    'con',
    'a/./b',
    'x\u202etxt.exe',
  ])
    expect([path, (await call('create', { path, content: 'x\n' })).ok]).toEqual([path, false])
  const search = await call('search', { query: 'private', kind: 'text' })
  expect(search.output).toContain('No match')
  expect((await call('read', { path: 'pipe' })).output).toBe('pipe is neither a file nor a folder.')
  expect(readFileSync(join(root, '../private.txt'), 'utf8')).toBe('private\n')
  expect(existsSync(join(root, 'ran'))).toBe(false)
})
