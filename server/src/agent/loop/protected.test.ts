import { describe, expect, test } from 'vitest'
import { addedTests, decisiveChanges } from './protected.ts'
import type { Workspace } from './workspace.ts'

const files = (entries: Record<string, string>): Workspace => new Map(Object.entries(entries))
const changed = (path: string, before: string | null, after: string | null, command = 'npm test') =>
  decisiveChanges(
    files(before === null ? {} : { [path]: before }),
    files(after === null ? {} : { [path]: after }),
    command,
  )

describe('a change decides about the tests', () => {
  test.for([
    'src/add.test.ts',
    'src/add.spec.jsx',
    'src/add-test.mjs',
    '__tests__/add.js',
    'tests/helpers.py',
    'pkg/test/data.json',
    'src/__snapshots__/a.snap',
    'app/test_views.py',
    'app/views_test.py',
    'calc/calc_test.go',
    'src/main/CalcTest.java',
    'tests/CalcTest.php',
    'spec/calc_spec.rb',
    'test.py',
  ])('when %s is changed or deleted', (path) => {
    expect(changed(path, 'a', 'b')).toEqual([path])
    expect(changed(path, 'a', null)).toEqual([path])
  })

  test.for([
    'jest.config.js',
    'packages/a/vitest.config.ts',
    'vite.config.mts',
    'playwright.config.ts',
    '.mocharc.json',
    '.babelrc',
    'conftest.py',
    'src/conftest.py',
    'sitecustomize.py',
    'pytest.ini',
    'tox.ini',
    'setup.cfg',
    'phpunit.xml.dist',
    'Makefile',
    'pom.xml',
    'build.gradle.kts',
    'Rakefile',
  ])('when %s is changed, deleted or new', (path) => {
    expect(changed(path, 'a', 'b')).toEqual([path])
    expect(changed(path, 'a', null)).toEqual([path])
    expect(changed(path, null, 'b')).toEqual([path])
  })

  test('when a script is changed that the command runs', () => {
    expect(changed('check.sh', 'a', 'b', 'sh ./check.sh --all')).toEqual(['check.sh'])
    expect(changed('tools/check.mjs', 'a', 'b', "sh -c 'node tools/check.mjs && true'")).toEqual([
      'tools/check.mjs',
    ])
  })

  test.for<[string, string, string]>([
    ['scripts', '{"scripts":{"test":"node --test"}}', '{"scripts":{"test":"true"}}'],
    ['jest', '{"name":"a"}', '{"name":"a","jest":{"testMatch":[]}}'],
    ['everything, being no JSON any more', '{"scripts":{"test":"node --test"}}', '{'],
  ])('when a package changes its %s', ([, before, after]) => {
    expect(changed('package.json', before, after)).toEqual(['package.json'])
  })

  test('when a project changes how pytest runs', () => {
    const before = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
    expect(changed('pyproject.toml', before, before.replace('tests', 'none'))).toEqual(['pyproject.toml'])
    expect(changed('pyproject.toml', before, before.replace('"a"', '"b"'))).toEqual([])
  })
})

describe('a change does not decide about the tests', () => {
  test.for([
    'src/add.ts',
    'src/contest.ts',
    'src/latest.py',
    'src/attest/index.ts',
    'README.md',
    'src/inspect.js',
  ])('when %s is changed, deleted or new', (path) => {
    expect(changed(path, 'a', 'b')).toEqual([])
    expect(changed(path, 'a', null)).toEqual([])
    expect(changed(path, null, 'b')).toEqual([])
  })

  test('when a test is new', () => {
    expect(changed('src/add.test.ts', null, 'b')).toEqual([])
    expect(addedTests(files({}), files({ 'src/add.test.ts': 'b', 'src/add.ts': '' }))).toEqual([
      'src/add.test.ts',
    ])
  })

  test('when a package changes what it depends on', () => {
    const before = '{"scripts":{"test":"x"},"dependencies":{}}'
    expect(changed('package.json', before, '{"scripts":{"test":"x"},"dependencies":{"a":"1"}}')).toEqual([])
  })
})
