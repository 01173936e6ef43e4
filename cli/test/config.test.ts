// The config command: stored settings, their sources, and the limits of repository settings.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cowrie } from './cowrie.ts'

let home: string
let repository: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
  repository = join(home, 'work')
  await mkdir(join(repository, '.git'), { recursive: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

const cli = (...args: string[]) =>
  cowrie(args, { env: { XDG_CONFIG_HOME: home }, machine: { cwd: repository } })

test('a setting is stored for this user, shown, and removed', async () => {
  const path = join(home, 'cowrie', 'config.json')
  expect(await cli('config', 'set', 'maxCost', '500')).toMatchObject({
    code: 0,
    stdout: `Set maxCost to 500 in ${path}.\n`,
  })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await cli('config', 'get', 'maxCost')).stdout).toBe('500\n')
  const { settings } = JSON.parse((await cli('config', 'list', '--json', '--org', 'org_1')).stdout)
  expect(settings).toContainEqual({ key: 'maxCost', value: '500', source: 'user' })
  expect(settings).toContainEqual({ key: 'org', value: 'org_1', source: 'flag' })
  expect(settings).toContainEqual({ key: 'apply', value: null, source: 'default' })
  await cli('config', 'unset', 'maxCost')
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({})
})

test('repository settings override those of the user', async () => {
  await cli('config', 'set', 'test', 'make check')
  expect((await cli('config', 'set', 'test', 'npm test', '--project')).code).toBe(0)
  expect(JSON.parse(await readFile(join(repository, '.cowrie.json'), 'utf8'))).toEqual({ test: 'npm test' })
  expect((await cli('config', 'list')).stdout).toContain('npm test (from .cowrie.json)')
  await cli('config', 'set', 'include', 'a/*.ts, b.md', '--project')
  expect(JSON.parse(await readFile(join(repository, '.cowrie.json'), 'utf8'))).toEqual({
    test: 'npm test',
    include: ['a/*.ts', 'b.md'],
  })
})

test('a repository cannot set spending or approval settings', async () => {
  for (const key of ['apply', 'maxCost', 'org']) {
    const value = { apply: 'auto', maxCost: '9', org: 'x' }[key] ?? ''
    expect(await cli('config', 'set', key, value, '--project')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`cannot set ${key}`),
    })
  }
  await writeFile(join(repository, '.cowrie.json'), '{"apply":"auto"}')
  const { stdout, stderr } = await cli('config', 'get', 'apply')
  expect([stdout, stderr]).toEqual(['\n', expect.stringContaining('.cowrie.json cannot set apply')])
})

test.for([
  { args: ['set', 'colour', 'always'], says: 'Unknown setting "colour"' },
  { args: ['set', 'color', 'sometimes'], says: '"sometimes" is not valid for color: auto, always or never.' },
  { args: ['set', 'maxCost', '1,000'], says: 'is not valid for maxCost' },
  { args: ['set', 'org', ' '], says: 'is not valid for org' },
  { args: ['get', 'toString'], says: 'Unknown setting "toString"' },
])('config $args is refused', async ({ args, says }) => {
  expect(await cli('config', ...args)).toMatchObject({ code: 64, stderr: expect.stringContaining(says) })
})

test('an invalid file is reported and left unchanged', async () => {
  await mkdir(join(home, 'cowrie'))
  const path = join(home, 'cowrie', 'config.json')
  await writeFile(path, '{"maxCost":')
  const { code, stderr } = await cli('config', 'set', 'maxCost', '5')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not JSON')])
  expect(await readFile(path, 'utf8')).toBe('{"maxCost":')
})
