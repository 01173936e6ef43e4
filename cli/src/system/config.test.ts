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

test('without files there are no settings', () => {
  expect(readConfig(paths)).toEqual({ config: {}, ignored: [] })
})

test('repository settings override user settings, and exclude lists are combined', async () => {
  await user({ test: 'make', maxCost: 500, exclude: ['*.pem'], dataSaver: true })
  await project({ test: 'npm test', exclude: ['docs/**'] })
  expect(readConfig(paths).config).toEqual({
    test: 'npm test',
    maxCost: '500',
    exclude: ['*.pem', 'docs/**'],
    dataSaver: true,
  })
})

test('a repository cannot set spending limits, the organisation or automatic apply', async () => {
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
])('an invalid file is reported: $says', async ({ text, says }) => {
  await writeFile(join(folder, 'home', 'config.json'), text)
  expect(() => readConfig(paths)).toThrow(says)
})

test('a settings file that links to an endless file is refused without blocking', async () => {
  await symlink('/dev/zero', join(folder, '.cowrie.json'))
  expect(() => readConfig(paths)).toThrow('is not a file')
})
