import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/repository.ts'
import type { Context } from '../command.ts'
import { findPaths } from '../system/paths.ts'
import { gather } from './gather.ts'

let repo: TestRepository
beforeEach(() => {
  repo = makeRepository({
    '.gitignore': 'made/\n',
    'package.json': '{}\n',
    'src/add.ts': 'add',
    'src/deep/sub.ts': 'subtract',
    'src/deep/index.ts': 'i',
    'docs/index.ts': 'i',
    'docs/guide.md': 'guide',
    '.env': 'SECRET=1',
  })
  repo.write({ 'made/out.js': 'out' })
})
afterEach(() => repo.remove())

type Line = { files?: string[]; cwd?: string; config?: Context['config']; prompt?: string }
const around = ({ files, cwd = repo.root, config = {} }: Line) =>
  ({
    paths: findPaths({ HOME: repo.root }, cwd, undefined),
    config,
    values: files ? { file: files } : {},
    env: { PATH: process.env.PATH, HOME: repo.root },
    signal: undefined,
  }) as unknown as Context
const pathsFor = async (line: Line) =>
  (await gather(around(line), line.prompt ?? 'x')).files.map(({ path }) => path)

test('-f takes files, folders and patterns relative to the current folder', async () => {
  expect(await pathsFor({ files: ['src/add.ts'] })).toEqual(['src/add.ts'])
  expect(await pathsFor({ files: ['src'] })).toEqual(['src/add.ts', 'src/deep/index.ts', 'src/deep/sub.ts'])
  expect(await pathsFor({ files: ['src/*.ts', 'docs/**'] })).toEqual([
    'docs/guide.md',
    'docs/index.ts',
    'src/add.ts',
  ])
  expect(await pathsFor({ files: ['sub.ts', '../add.ts'], cwd: join(repo.root, 'src/deep') })).toEqual([
    'src/add.ts',
    'src/deep/sub.ts',
  ])
})

test('an ignored file is sent if it is named explicitly', async () => {
  expect(await pathsFor({ files: ['made/out.js'] })).toEqual(['made/out.js'])
  await expect(pathsFor({ files: ['made'] })).rejects.toThrow('matches no file that can be sent')
})

test.for([
  ['absent.ts', 'matches no file.'],
  ['../elsewhere.ts', 'is outside'],
  ['/etc/passwd', 'is outside'],
  ['.env', 'files with this name contain secrets'],
] as const)('-f %s is rejected: %s', async ([file, words]) => {
  await expect(pathsFor({ files: [file] })).rejects.toThrow(words)
})

test('files named in the prompt are taken, by path or unique name', async () => {
  expect(await pathsFor({ prompt: 'Why does sub.ts subtract? See `docs/index.ts`.' })).toEqual([
    'docs/index.ts',
    'src/deep/sub.ts',
  ])
  expect((await gather(around({}), 'Look at index.ts')).how).toBe('chosen')
})

test('files in the setting include are always sent, those in exclude never', async () => {
  const config = { include: ['docs/*.md'], exclude: ['src/deep'] }
  expect(await pathsFor({ files: ['src'], config })).toEqual(['docs/guide.md', 'src/add.ts'])
  await expect(pathsFor({ files: ['src/deep/sub.ts'], config })).rejects.toThrow('is excluded')
})

test('without named files, files are chosen, also in a repository without commits', async () => {
  expect(await pathsFor({ prompt: 'Make it add' })).toContain('src/add.ts')
  const young = makeRepository()
  try {
    young.write({ 'add.ts': 'add' })
    const paths = findPaths({ HOME: young.root }, young.root, undefined)
    const { files, how } = await gather({ ...around({}), paths }, 'Make it add')
    expect({ how, paths: files.map(({ path }) => path) }).toEqual({ how: 'chosen', paths: ['add.ts'] })
  } finally {
    young.remove()
  }
})

test('outside of git only named files are sent', async () => {
  const cwd = join(repo.root, 'made')
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  const paths = { ...findPaths({ HOME: cwd }, cwd, undefined), repository: null }
  const here = { ...around({}), paths }
  expect((await gather(here, 'change out.js')).files).toEqual([])
  expect((await gather({ ...here, values: { file: ['.'] } }, 'x')).files).toEqual([
    { path: 'out.js', content: 'out' },
  ])
})

test('input over the limit of the service is refused before it is sent', async () => {
  repo.write(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`many/${n}.txt`, 'x'])))
  await expect(pathsFor({ files: ['many'] })).rejects.toThrow('201 files exceed the limit')
  repo.write({ 'large/a.txt': 'x'.repeat(900_000), 'large/b.txt': 'x'.repeat(900_000) })
  await expect(pathsFor({ files: ['large'] })).rejects.toThrow('1,800,000 characters exceed the limit')
})
