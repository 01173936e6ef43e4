import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SandboxTree } from '../sandbox-tree.ts'
import { detectPrepare, planCommand } from './detect.ts'
import { offlineVariables } from './script.ts'

const toTree = (files: Readonly<Record<string, string>>): SandboxTree => ({
  folder: null,
  files: new Map(Object.entries(files)),
  deleted: new Set(),
})
const detect = (files: Readonly<Record<string, string>>) => detectPrepare(toTree(files))
const MANIFEST = JSON.stringify({ dependencies: { a: '1' } })

test.for<[tool: string, files: Record<string, string>, lockfiles: string[]]>([
  ['npm', { 'package.json': MANIFEST, 'package-lock.json': '{}' }, ['package-lock.json', 'package.json']],
  ['npm', { 'package.json': MANIFEST, 'npm-shrinkwrap.json': '' }, ['npm-shrinkwrap.json', 'package.json']],
  ['npm', { 'package.json': MANIFEST }, ['package.json']],
  ['pnpm', { 'package.json': MANIFEST, 'pnpm-lock.yaml': '', 'package-lock.json': '' }, ['pnpm-lock.yaml']],
  ['yarn', { 'package.json': MANIFEST, 'yarn.lock': '' }, ['yarn.lock']],
  [
    'pip',
    { 'requirements.txt': 'a==1\n', 'requirements-dev.txt': 'b' },
    ['requirements-dev.txt', 'requirements.txt'],
  ],
  ['pip', { 'pyproject.toml': '[project]\nname = "a"\n' }, ['pyproject.toml']],
  ['uv', { 'pyproject.toml': '[project]', 'uv.lock': '' }, ['uv.lock']],
  ['poetry', { 'pyproject.toml': '[project]', 'poetry.lock': '' }, ['poetry.lock']],
  ['go', { 'go.mod': 'module a', 'go.sum': 'b v1 h1:x' }, ['go.sum']],
  ['maven', { 'pom.xml': '<project/>' }, ['pom.xml']],
  [
    'gradle',
    { 'build.gradle.kts': '', 'settings.gradle.kts': '' },
    ['build.gradle.kts', 'settings.gradle.kts'],
  ],
  [
    'composer',
    { 'composer.json': '{"require":{}}', 'composer.lock': '{}' },
    ['composer.json', 'composer.lock'],
  ],
  ['cargo', { 'Cargo.toml': '', 'Cargo.lock': '' }, ['Cargo.lock', 'Cargo.toml']],
  [
    'pip+npm',
    { 'requirements.txt': 'a', 'web/package.json': MANIFEST, 'web/packages/b/package.json': MANIFEST },
    ['requirements.txt', 'web/package.json'],
  ],
])('%s is detected', async ([tool, files, lockfiles]) => {
  expect(await detect({ ...files, 'src/a.txt': 'a' })).toMatchObject({ tool, lockfiles })
})

test.for([
  [{ 'package.json': '{"name":"a","dependencies":{}}', 'package-lock.json': '{}' }],
  [{ 'pyproject.toml': '[tool.ruff]\n' }],
  [{ 'requirements.txt': '# none\n' }],
  [{ 'go.mod': 'module a' }],
  [{ 'go.mod': 'module a', 'go.sum': 'b', 'vendor/modules.txt': '# b' }],
  [{ 'a/b/c/package.json': MANIFEST }],
  [{ 'node_modules/a/package.json': MANIFEST, 'src/index.js': '' }],
  [{}],
] as Record<string, string>[][])('nothing is to be installed for %j', async ([files = {}]) => {
  expect(await detect(files)).toBeNull()
})

test('a layer depends on lockfiles, manifests and the command, and on no other file', async () => {
  const files = { 'package.json': MANIFEST, 'package-lock.json': '{}', 'src/a.js': '1' }
  const inputsOf = async (more: Record<string, string>) => (await detect({ ...files, ...more }))?.inputs
  const first = await inputsOf({})
  expect(await inputsOf({ 'src/a.js': '2', 'README.md': 'new' })).toBe(first)
  expect(await inputsOf({ 'package-lock.json': '{ }' })).not.toBe(first)
  expect(await inputsOf({ '.npmrc': 'registry=x' })).not.toBe(first)
  expect(await inputsOf({ 'packages/a/package.json': '{}' })).not.toBe(first)
  const plan = await detect(files)
  const command = (text: string, more = {}) => planCommand(toTree({ ...files, ...more }), text, plan)
  const custom = await command('make deps')
  expect(custom).toMatchObject({ tool: 'npm', steps: [{ command: 'make deps' }] })
  // A command may run any file of the project.
  const others = await Promise.all([command('make all'), command('make deps', { 'src/a.js': '2' })])
  expect(new Set([first, custom.inputs, ...others.map(({ inputs }) => inputs)]).size).toBe(4)
  expect(await planCommand(toTree({}), 'make deps', null)).toMatchObject({ tool: 'command' })
})

test.for<[name: string, files: Record<string, string>, isHidden: boolean]>([
  ['the program', { 'package.json': MANIFEST }, true],
  [
    'scripts of the project',
    { 'package.json': '{"scripts":{"postinstall":"node a.js"},"dependencies":{"a":"1"}}' },
    true,
  ],
  [
    'packages that are copied',
    { 'package.json': '{"dependencies":{"a":"file:./a"}}', 'yarn.lock': '' },
    false,
  ],
  ['packages that are linked', { 'package.json': '{"dependencies":{"a":"file:./a"}}' }, true],
  ['a linked project', { 'pyproject.toml': '[project]\nname = "a"\n' }, true],
  ['a copied folder', { 'requirements.txt': 'b\n./a\n' }, false],
  ['a compiled project', { 'setup.py': 'setup(ext_modules=[])' }, false],
  ['a path that is copied', { 'pyproject.toml': 'a = { path = "a" }', 'uv.lock': '' }, false],
  ['a path that is linked', { 'pyproject.toml': 'a = { path = "a", editable = true }', 'uv.lock': '' }, true],
  ['classes in a list', { 'composer.json': '{"require":{},"autoload":{"classmap":["a"]}}' }, false],
])('an installation sees no content that its layer does not depend on: %s', async ([, files, isHidden]) => {
  const plan = await detect({ ...files, 'a.js': '1' })
  expect(plan?.isReadable('a.js')).toBe(!isHidden)
  for (const path of Object.keys(files)) expect(plan?.isReadable(path)).toBe(true)
  const changed = await detect({ ...files, 'a.js': '2' })
  expect(plan?.inputs === changed?.inputs).toBe(isHidden)
})

test('the changes of a folder count, and its links are not followed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-detect-'))
  try {
    writeFileSync(join(folder, 'package.json'), MANIFEST)
    writeFileSync(join(folder, 'go.sum'), 'b')
    mkdirSync(join(folder, 'deep'))
    symlinkSync('/etc/passwd', join(folder, 'requirements.txt'))
    symlinkSync(folder, join(folder, 'deep/loop'))
    const tree = { folder, files: new Map([['pom.xml', '']]), deleted: new Set(['go.sum']) }
    expect(await detectPrepare(tree)).toMatchObject({
      tool: 'npm+maven',
      lockfiles: ['package.json', 'pom.xml'],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('later runs work without a network', async () => {
  const plan = await detect({
    'package.json': MANIFEST,
    'go.sum': 'b',
    'Cargo.lock': '',
    'requirements.txt': 'a',
  })
  expect(offlineVariables(plan?.steps ?? [])).toMatchObject({
    HOME: '/tmp/home',
    npm_config_offline: 'true',
    GOPROXY: 'off',
    CARGO_NET_OFFLINE: 'true',
    PIP_NO_INDEX: '1',
  })
})
