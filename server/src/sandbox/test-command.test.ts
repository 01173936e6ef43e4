import { expect, test } from 'vitest'
import { detectTestCommand } from './test-command.ts'

const detect = (files: Record<string, string>) =>
  detectTestCommand({
    paths: new Set(Object.keys(files)),
    read: async (path) => files[path] ?? null,
  })

const SCRIPT = '{"scripts":{"test":"node --test"}}'

test.for<[string, Record<string, string>, string]>([
  ['a package script', { 'package.json': SCRIPT }, 'npm test --silent'],
  ['the lockfile of npm', { 'package.json': SCRIPT, 'package-lock.json': '{}' }, 'npm test --silent'],
  ['the lockfile of pnpm', { 'package.json': SCRIPT, 'pnpm-lock.yaml': '' }, 'pnpm test'],
  ['the lockfile of Yarn', { 'package.json': SCRIPT, 'yarn.lock': '' }, 'yarn test'],
  ['the lockfile of Bun', { 'package.json': SCRIPT, 'bun.lock': '' }, 'bun run test'],
  ['a pytest section', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python3 -m pytest'],
  ['a dependency on pytest', { 'requirements.txt': 'requests==2\npytest>=8\n' }, 'python3 -m pytest'],
  ['a lockfile with pytest', { 'uv.lock': 'name = "pytest"\n' }, 'python3 -m pytest'],
  ['tox', { 'tox.ini': '[testenv]\ncommands = pytest\n' }, 'python3 -m pytest'],
  [
    'unittest in a folder',
    { 'setup.py': '', 'tests/test_a.py': 'import unittest\n' },
    'python3 -m unittest discover -v -s "tests"',
  ],
  [
    'unittest in a package',
    { 'tests/__init__.py': '', 'tests/test_a.py': 'from unittest import TestCase\n' },
    'python3 -m unittest discover -v',
  ],
  ['plain test functions', { 'tests/test_a.py': 'def test_a(): assert True\n' }, 'python3 -m pytest'],
  ['a Go module', { 'go.mod': 'module a\n' }, 'go test ./...'],
  ['a crate', { 'Cargo.toml': '[package]\n' }, 'cargo test'],
  ['a Maven project', { 'pom.xml': '<project/>' }, 'mvn -q test'],
  ['a Maven wrapper', { 'pom.xml': '<project/>', mvnw: '' }, 'sh ./mvnw -q test'],
  ['a Gradle project', { 'build.gradle.kts': '' }, 'gradle test'],
  ['a Gradle wrapper', { 'build.gradle': '', gradlew: '' }, 'sh ./gradlew test'],
  ['a Composer script', { 'composer.json': '{"scripts":{"test":"phpunit"}}' }, 'composer test'],
  ['PHPUnit', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, 'vendor/bin/phpunit'],
  [
    'a dependency on PHPUnit',
    { 'composer.json': '{"require-dev":{"phpunit/phpunit":"^11"}}' },
    'vendor/bin/phpunit tests',
  ],
  ['a make target', { Makefile: 'all: a\n\ntest: a\n\t./a\n' }, 'make test'],
  ['a make target named check', { Makefile: 'check:\n\t./a\n' }, 'make check'],
  ['tests of Node.js alone', { 'a.test.mjs': "import test from 'node:test'" }, 'node --test'],
  [
    'the target when the script is only the placeholder',
    {
      'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      Makefile: 'test:\n\tnode a.js\n',
    },
    'make test',
  ],
])('%s determines the test command', async ([, files, command]) => {
  expect(await detect(files)).toMatchObject({ command })
})

test.for<[string, Record<string, string>]>([
  ['nothing', {}],
  ['only a program', { 'a.py': 'print()', 'README.md': '' }],
  ['a broken package', { 'package.json': '{' }],
  ['a package that is no object', { 'package.json': 'null' }],
  ['scripts of another type', { 'package.json': '{"scripts":{"test":{"a":1}}}' }],
  ['a make variable', { Makefile: 'test := 1\n' }],
])('%s determines none', async ([, files]) => {
  expect(await detect(files)).toBeNull()
})
