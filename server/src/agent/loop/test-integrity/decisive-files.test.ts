import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import type { WorkspaceFiles } from '../../run/workspace.ts'
import { findAddedTests, findDecisiveChanges, removeAddedTests } from './decisive-files.ts'

const files = (entries: Record<string, string>): WorkspaceFiles => new Map(Object.entries(entries))
const changed = (path: string, before: string | null, after: string | null, command = 'npm test') =>
  findDecisiveChanges(
    files(before === null ? {} : { [path]: before }),
    files(after === null ? {} : { [path]: after }),
    command,
  )

describe('a change affects the tests', () => {
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
    'tests.mjs',
    'checks/calc.bats',
  ])('when %s is changed or deleted', (path) => {
    expect(changed(path, 'a', 'b')).toEqual([path])
    expect(changed(path, 'a', null)).toEqual([path])
  })

  test.for([
    "import assert from 'node:assert'\nexport const eq = (a, b) => assert.equal(a, b)\n",
    'export function expect(a) {\n  return { toBe(b) { if (a !== b) throw new Error() } }\n}\n',
    'def assert_money(a, b):\n    if a != b:\n        raise ValueError(a)\n',
    'func assertEqual(t *testing.T, a, b int) {\n\tif a != b { t.Fatalf("%d", a) }\n}\n',
  ])('when a file that defines assertions is changed: %j', (text) => {
    expect(changed('lib/check.js', text, '// nothing\n')).toEqual(['lib/check.js'])
  })

  test.for([
    'export const eq = (a, b) => ({ type: "eq", a, b })\n',
    'export function isEqual(a, b) { if (!a) throw new Error(); return a === b }\n',
  ])('but not when a program only compares: %j', (text) => {
    expect(changed('src/query.js', text, '// nothing\n')).toEqual([])
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
    'src/setupTests.ts',
    'jest-setup.js',
    'spec_helper.rb',
    'test_helper.exs',
    '.rspec',
    'node_modules/chai/index.js',
    'vendor/bin/phpunit',
  ])('when %s is changed, deleted or new', (path) => {
    expect(changed(path, 'a', 'b')).toEqual([path])
    expect(changed(path, 'a', null)).toEqual([path])
    expect(changed(path, null, 'b')).toEqual([path])
  })

  test.for<[string, string]>([
    ['check.sh', 'sh ./check.sh --all'],
    ['check.sh', 'set -o pipefail; sh check.sh 2>&1 | tee log.txt'],
    ['tools/check.mjs', "sh -c 'node tools/check.mjs && true'"],
    ['run.sh', 'sh run.sh && echo ok'],
    ['sub/verify.sh', 'cd sub && sh verify.sh'],
    ['check.py', 'python3 -m check'],
    ['tools/check/__main__.py', 'python3 -m tools.check'],
    ['ci/all-tests.sh', 'sh ci/*.sh'],
    ['load.mjs', 'node --import ./load.mjs app.mjs'],
    ['manage.py', 'python manage.py test'],
    ['expected.txt', 'node app.mjs | diff - expected.txt'],
  ])('when %s is changed and the command is %s', ([path, command]) => {
    const base = files({ [path]: 'a', 'app.mjs': '', 'app.py': '' })
    expect(findDecisiveChanges(base, new Map([...base, [path, 'b']]), command)).toEqual([path])
  })

  test.for<[string, Record<string, string>, string]>([
    ['make check', { Makefile: 'check: build\n\t@sh ./scripts/verify.sh\n' }, 'scripts/verify.sh'],
    ['make -C tools check', { 'tools/Makefile': 'check:\n\t./go.sh\n' }, 'tools/go.sh'],
    ['npm test', { 'package.json': '{"scripts":{"test":"npm run a","a":"sh all.sh"}}' }, 'all.sh'],
    ['npm t', { 'package.json': '{"scripts":{"pretest":"sh all.sh","test":"true"}}' }, 'all.sh'],
    ['sh check.sh', { 'check.sh': 'cd lib\n./verify --fast\n' }, 'lib/verify'],
  ])('when %s runs the changed file indirectly', ([command, through, path]) => {
    const base = files({ ...through, [path]: 'a', 'app.mjs': '' })
    expect(findDecisiveChanges(base, new Map([...base, [path, 'b']]), command)).toEqual([path])
  })

  test.for<[string, string, string]>([
    ['helpers.mjs', 'a.test.mjs', "import { same } from './helpers.mjs'"],
    ['lib/test-support.ts', 'lib/a.test.ts', "import { same } from './test-support.js'"],
    ['helpers.py', 'test_a.py', 'from helpers import same'],
    ['pkg/fakes.py', 'pkg/test_a.py', 'from . import fakes'],
    ['expected.json', 'a.test.mjs', "readFileSync('expected.json')"],
  ])('when %s is changed, which only %s uses', ([path, tester, text]) => {
    const base = files({ [path]: 'a', [tester]: text, 'app.mjs': '', 'app.py': '' })
    expect(findDecisiveChanges(base, new Map([...base, [path, 'b']]), 'npm test')).toEqual([path])
  })

  test('when a helper is changed that only another helper uses', () => {
    const base = files({
      'a.test.mjs': "import './helpers.mjs'",
      'helpers.mjs': "import './fixtures.mjs'",
      'fixtures.mjs': '',
      'a.mjs': '',
    })
    expect(findDecisiveChanges(base, new Map([...base, ['fixtures.mjs', 'b']]), '')).toEqual(['fixtures.mjs'])
  })

  test.for([
    'unittest.py',
    'unittest/__init__.py',
    'pytest.py',
    'json.py',
    'src/argparse.py',
    'x.pth',
    'lib/minitest/autorun.rb',
    'assert.js',
  ])('when the new file %s shadows a module of the runner', (path) => {
    expect(changed(path, null, 'b')).toEqual([path])
    expect(changed(path, 'a', 'b')).toEqual([])
  })

  test('when a new package changes the resolution of existing modules', () => {
    const base = files({ 'src/a.js': '' })
    const more = (path: string) => new Map([...base, [path, '{"imports":{"#a":"./b.js"},"type":"module"}']])
    expect(findDecisiveChanges(base, more('src/package.json'), '')).toEqual(['src/package.json'])
    expect(
      findDecisiveChanges(base, new Map([...base, ['new/package.json', '{"type":"module"}']]), ''),
    ).toEqual([])
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

describe('a change does not affect the tests', () => {
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

  test.for<[string, string]>([
    ['calc.mjs', 'node calc.mjs 2 3 | grep -qx 5'],
    ['word.txt', 'grep -q good word.txt'],
    ['say.sh', 'sh say.sh | grep -q good'],
    ['say.sh', 'test "$(sh say.sh)" = good'],
    ['say.sh', 'sh say.sh > out.txt && diff out.txt wanted.txt'],
    ['build.sh', './build.sh && node app.mjs'],
    ['app.mjs', 'node app.mjs'],
    ['check.mjs', 'node check.mjs 2 3 | grep -qx 5'],
  ])('when the program %s is changed and the command is %s', ([path, command]) => {
    const alone = files({ [path]: 'a' })
    expect(findDecisiveChanges(alone, files({ [path]: 'b' }), command)).toEqual([])
    if (path === 'check.mjs') return
    const base = files({ [path]: 'a', 'other.mjs': '' })
    expect(findDecisiveChanges(base, new Map([...base, [path, 'b']]), command)).toEqual([])
  })

  test('when the script itself is the task, unless it is named like a judge', () => {
    expect(changed('app.sh', 'a', 'b', 'sh app.sh')).toEqual([])
    expect(changed('check.sh', 'a', 'b', 'sh check.sh')).toEqual(['check.sh'])
  })

  test('when a so-called helper belongs to the program, or is the tested code', () => {
    const used = files({
      'a.test.mjs': "import './a.mjs'\nimport './helpers.mjs'",
      'a.mjs': "import './helpers.mjs'",
      'helpers.mjs': '',
    })
    expect(findDecisiveChanges(used, new Map([...used, ['helpers.mjs', 'b']]), '')).toEqual([])
    const tested = files({ 'helpers.test.mjs': "import './helpers.mjs'", 'helpers.mjs': '', 'a.mjs': '' })
    expect(findDecisiveChanges(tested, new Map([...tested, ['helpers.mjs', 'b']]), '')).toEqual([])
    const alone = files({ 'a.test.mjs': "import './helpers.mjs'", 'helpers.mjs': '', 'README.md': '' })
    expect(findDecisiveChanges(alone, new Map([...alone, ['helpers.mjs', 'b']]), '')).toEqual([])
  })

  test('when a module inside a package has the name of another one', () => {
    const base = files({ 'app/__init__.py': '', 'app/main.py': '' })
    expect(findDecisiveChanges(base, new Map([...base, ['app/types.py', '']]), 'pytest')).toEqual([])
  })

  test('when a test is new', () => {
    expect(changed('src/add.test.ts', null, 'b')).toEqual([])
    expect(findAddedTests(files({}), files({ 'src/add.test.ts': 'b', 'src/add.ts': '' }))).toEqual([
      'src/add.test.ts',
    ])
  })

  test('when a package changes its dependencies', () => {
    const before = '{"scripts":{"test":"x"},"dependencies":{}}'
    expect(changed('package.json', before, '{"scripts":{"test":"x"},"dependencies":{"a":"1"}}')).toEqual([])
  })
})

describe('the workspace without the tests that were added', () => {
  const base = files({ 'a.mjs': '', 'a.test.mjs': '' })
  const left = (added: Record<string, string>, command = 'node --test', from = base) => [
    ...removeAddedTests(from, new Map([...from, ...files(added)]), command).keys(),
  ]

  test('has the original tests and the whole program', () => {
    expect(left({ 'b.test.mjs': '', 'test/c.mjs': '', 'b.mjs': '' })).toEqual([
      'a.mjs',
      'a.test.mjs',
      'b.mjs',
    ])
  })

  test('keeps a new test that the command names', () => {
    expect(left({ 'b.test.mjs': '' }, 'node --test b.test.mjs')).toContain('b.test.mjs')
  })

  test('keeps files of the program in a folder that could contain tests', () => {
    expect(left({ 'spec/parse.mjs': '', 'b.mjs': "import './spec/parse.mjs'" })).toContain('spec/parse.mjs')
  })

  test('keeps everything when there were no tests', () => {
    expect(left({ 'b.test.mjs': '' }, 'node --test', files({ 'a.mjs': '' }))).toContain('b.test.mjs')
  })
})

test('a project of the maximum size is searched quickly', () => {
  const texts = [
    "'./a/b/c' ",
    "import './helpers.mjs'\n",
    'from . import a, b\n',
    '$( ` | > ; && ',
    "'".repeat(9),
  ]
  for (const text of texts) {
    const content = text.repeat(7_500 / text.length)
    const entries = Array.from({ length: 200 }, (_, i) => [
      i % 3 ? (i % 3 === 1 ? `helpers-${i}.mjs` : `test_${i}.py`) : `run-${i}.sh`,
      content,
    ])
    const base: WorkspaceFiles = new Map(entries as [string, string][])
    const now = new Map([...base, ['helpers-1.mjs', 'x'], ['c.test.mjs', content]])
    const look = () => {
      findDecisiveChanges(base, now, 'sh *.sh; npm test')
      removeAddedTests(base, now, 'sh *.sh; npm test')
    }
    expect(measureCost(look), text).toBeLessThan(600)
  }
})
