import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makeRepository } from '../../test/repository.ts'
import type { Config } from '../system/config.ts'
import { findPaths } from '../system/paths.ts'
import { gitPaths, listFolder, listRepository } from './list-files.ts'
import { readText } from './read-file.ts'
import { whySkipped } from './sendable.ts'

const removals: (() => void)[] = []
afterEach(() => {
  for (const remove of removals.splice(0)) remove()
})

function repository(files: Record<string, string | Uint8Array>) {
  const made = makeRepository(files)
  removals.push(made.remove)
  return made
}

const around = (root: string, config: Config = {}) => ({
  paths: findPaths({ HOME: root }, root, undefined),
  config,
  env: { PATH: process.env.PATH, HOME: root },
  signal: undefined,
})
const pathsIn = async (root: string, config?: Config) =>
  (await listRepository(around(root, config)))?.files.map(({ path }) => path)

test('tracked and untracked files are listed, ignored ones are not', async () => {
  const repo = repository({ '.gitignore': 'dist/\n', 'src/a.ts': 'a', 'gone.ts': 'b' })
  repo.write({ 'dist/a.js': 'made', 'src/new.ts': 'new', 'src/with space ₦.ts': 'x' })
  rmSync(join(repo.root, 'gone.ts'))
  expect(await pathsIn(repo.root)).toEqual(['.gitignore', 'src/a.ts', 'src/new.ts', 'src/with space ₦.ts'])
})

test('.cowrieignore and the setting exclude also leave out tracked files', async () => {
  const repo = repository({
    '.cowrieignore': 'data/*\n!data/small.csv\n',
    'data/large.csv': '1',
    'data/small.csv': '1',
    'docs/plan.md': 'x',
    'a.ts': 'x',
  })
  expect(await pathsIn(repo.root)).toEqual(['.cowrieignore', 'a.ts', 'data/small.csv', 'docs/plan.md'])
  // A negated pattern works only in .cowrieignore. The setting only excludes.
  expect(await pathsIn(repo.root, { exclude: ['docs', '*.csv', '!data/large.csv'] })).toEqual([
    '.cowrieignore',
    'a.ts',
  ])
})

test('secrets, links and binary files are left out with a reason', async () => {
  const repo = repository({
    '.env': 'KEY=1',
    '.env.local': 'KEY=1',
    'deploy/server.key': 'x',
    'logo.png': 'x',
    'what?.ts': 'x',
    'a.ts': 'x',
  })
  symlinkSync('/etc/passwd', join(repo.root, 'passwd'))
  const listing = await listRepository(around(repo.root))
  expect(listing?.files.map(({ path }) => path)).toEqual(['a.ts'])
  expect(listing?.leftOut).toEqual([
    { path: '.env', why: 'secret' },
    { path: '.env.local', why: 'secret' },
    { path: 'deploy/server.key', why: 'secret' },
    { path: 'logo.png', why: 'binary' },
    { path: 'passwd', why: 'link' },
    { path: 'what?.ts', why: 'name' },
  ])
})

test('no program of the repository is run', async () => {
  const repo = repository({ 'a.ts': 'x' })
  const trap = join(repo.root, 'trap')
  writeFileSync(trap, `#!/bin/sh\ntouch '${repo.root}/caught.ts'\n`, { mode: 0o755 })
  repo.git('config', 'core.fsmonitor', trap)
  expect(await pathsIn(repo.root)).toEqual(['a.ts', 'trap'])
})

test('a signed commit does not run the gpg program of the repository configuration', async () => {
  const repo = repository({ 'a.ts': 'x' })
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n'
  const signed = repo.git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signature}\n`)
  repo.write({ signed, trap: `#!/bin/sh\ntouch '${repo.root}/caught'\n` })
  chmodSync(join(repo.root, 'trap'), 0o755)
  repo.git('update-ref', 'HEAD', repo.git('hash-object', '-t', 'commit', '-w', 'signed').trim())
  repo.git('config', 'gpg.program', join(repo.root, 'trap'))
  repo.git('config', 'log.showSignature', 'true')
  const log = ['log', '-z', '-n', '20', '--name-only', '--format=%x01']
  expect(await gitPaths(repo.root, log, around(repo.root))).toEqual(['\x01', '\na.ts'])
  expect(existsSync(join(repo.root, 'caught'))).toBe(false)
  repo.git(...log)
  expect(existsSync(join(repo.root, 'caught'))).toBe(true)
})

test('a folder outside of git is walked, without generated files', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cowrie-folder-'))
  removals.push(() => rmSync(root, { recursive: true, force: true }))
  const repo = repository({})
  repo.write({ 'node_modules/x/index.js': 'x', 'src/a.ts': 'x', '.env': 'x' })
  const { files, leftOut } = await listFolder(repo.root, around(root))
  expect(files.map(({ path }) => path)).toEqual(['src/a.ts'])
  expect(leftOut).toEqual([{ path: '.env', why: 'secret' }])
  expect(await listRepository(around(root))).toBeNull()
})

test('text is read unchanged; binary, large and outside files are not read', async () => {
  const repo = repository({
    'bom.txt': '\ufeffa\r\nb',
    'zero.txt': 'a\0b',
    'latin.txt': new Uint8Array([0xe9, 0x20]),
    'long.txt': 'x'.repeat(101),
    'wide.txt': '₦'.repeat(100),
  })
  symlinkSync('/etc', join(repo.root, 'etc'))
  const read = (path: string) => readText(repo.root, path, 100)
  expect(await read('bom.txt')).toEqual({ content: '\ufeffa\r\nb' })
  expect(await read('wide.txt')).toEqual({ content: '₦'.repeat(100) })
  expect(await read('zero.txt')).toBe('binary')
  expect(await read('latin.txt')).toBe('binary')
  expect(await read('long.txt')).toBe('large')
  expect(await read('etc/passwd')).toBe('link')
  // A link to a secret file is also rejected.
  repo.write({ '.env': 'x' })
  symlinkSync('.env', join(repo.root, 'notes.txt'))
  symlinkSync('.git/config', join(repo.root, 'readme.txt'))
  expect([await read('notes.txt'), await read('readme.txt')]).toEqual(['secret', 'name'])
  expect(await read('absent.txt')).toBe('unreadable')
})

test.for([
  ['src/env.ts', null],
  ['.envrc', 'secret'],
  ['.ENV.production', 'secret'],
  ['prod.env', 'secret'],
  ['.ssh/config', 'secret'],
  ['id_ed25519.pub', 'secret'],
  ['certs/ca.PEM', 'secret'],
  ['keys.ts', null],
  ['.git/config', 'name'],
  ['sub/.GIT/config', 'name'],
  ['a/../b', 'name'],
  ['a\\b', 'name'],
  ['con.txt', 'name'],
  ['git~1/config', 'name'],
  ['مرحبا.ts', null],
] as const)('%s: %s', ([path, why]) => {
  expect(whySkipped(path)).toBe(why)
})
