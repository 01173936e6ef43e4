import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import type { Paths } from './paths.ts'

let folder: string
let paths: Paths
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-config-'))
  await mkdir(join(folder, 'home'))
  paths = {
    cwd: folder,
    config: join(folder, 'home'),
    state: null,
    cache: null,
    repository: { root: folder, gitFolder: join(folder, '.git') },
  }
})
afterEach(() => rm(folder, { recursive: true, force: true }))
const user = (value: unknown) => writeFile(join(folder, 'home', 'config.json'), JSON.stringify(value))
const project = (value: unknown) => writeFile(join(folder, '.cowrie.json'), JSON.stringify(value))

test('without files nothing is set', () => {
  expect(readConfig(paths)).toEqual({ config: {}, ignored: [] })
})

test('the repository goes before the user, and what either excludes is excluded', async () => {
  await user({ test: 'make', maxCost: 500, exclude: ['*.pem'], dataSaver: true })
  await project({ test: 'npm test', exclude: ['docs/**'] })
  expect(readConfig(paths).config).toEqual({
    test: 'npm test',
    maxCost: '500',
    exclude: ['*.pem', 'docs/**'],
    dataSaver: true,
  })
})

test('a repository decides neither what is spent, nor for whom, nor that edits are applied', async () => {
  await user({ apply: 'ask' })
  await project({
    apply: 'auto',
    maxCost: 1_000_000,
    org: 'org_x',
    lane: 'frontier',
    key: 'csk',
    baseUrl: 'http://x',
  })
  expect(readConfig(paths)).toEqual({
    config: { apply: 'ask' },
    ignored: ['apply', 'maxCost', 'org', 'lane', 'key', 'baseUrl'],
  })
})

test.for([
  { text: '{', says: 'is not JSON' },
  { text: '[]', says: 'is not a JSON object' },
  { text: '{"sandbox":"moon"}', says: 'has an invalid value for "sandbox": none, local or docker.' },
  { text: ' '.repeat(70_000), says: 'is larger than 64 KiB' },
])('a damaged file is named: $says', async ({ text, says }) => {
  await writeFile(join(folder, 'home', 'config.json'), text)
  expect(() => readConfig(paths)).toThrow(says)
})

test('a repository that brings a link to something endless is refused, and nothing waits for it', async () => {
  await symlink('/dev/zero', join(folder, '.cowrie.json'))
  expect(() => readConfig(paths)).toThrow('is not a file')
})
