// What surrounds a unit test: its imports, its opening and how it says what it expects.
import type { Language } from '../known/known.ts'
import { isTestPath } from './language.ts'
import type { Workspace } from './workspace.ts'

export type TestFrame = {
  /** The top of a new file. */
  head(imported: string): string
  /** One test with its checks; without any, that there is such a function. */
  test(name: string, checks: readonly string[]): string
  check(call: string, expected: string, isDeep: boolean): string
}

export function testFrame(language: Language, workspace: Workspace, isCommon: boolean): TestFrame {
  if (language === 'py') return usesUnittest(workspace) ? unittest : pytest
  if (language === 'go') return goTest
  const runner = runnerOf(workspace)
  return runner === 'node' ? nodeTest(isCommon) : expecting(runner)
}

export function importOf(
  path: string,
  target: string,
  names: readonly string[],
  language: Language,
  isCommon: boolean,
): string {
  if (language === 'go') return ''
  if (language === 'py') {
    const isBeside = folderOf(path) === folderOf(target)
    const module = (isBeside ? path.slice(folderOf(path).length) : path)
      .replace(/\.py$/, '')
      .replaceAll('/', '.')
    return `from ${module} import ${names.join(', ')}`
  }
  const from = `'${relative(folderOf(target), path)}'`
  return isCommon
    ? `const { ${names.join(', ')} } = require(${from});`
    : `import { ${names.join(', ')} } from ${from};`
}

const pytest: TestFrame = {
  head: (imported) => imported,
  test: (name, checks) =>
    `def test_${name}():\n${(checks.length > 0 ? checks : [`assert callable(${name})`]).map((line) => `    ${line}`).join('\n')}`,
  check: (call, expected) =>
    /^(True|False|None)$/.test(expected) ? `assert ${call} is ${expected}` : `assert ${call} == ${expected}`,
}

const unittest: TestFrame = {
  head: (imported) => `import unittest\n\n${imported}`,
  test: (name, checks) =>
    `class ${name.replaceAll(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Test(unittest.TestCase):\n    def test_${name}(self):\n${(checks.length > 0 ? checks : [`self.assertTrue(callable(${name}))`]).map((line) => `        ${line}`).join('\n')}`,
  check: (call, expected) => `self.assertEqual(${call}, ${expected})`,
}

const goTest: TestFrame = {
  head: () => 'package main\n\nimport "testing"',
  test: (name, checks) =>
    `func Test${name}(t *testing.T) {\n${checks.length > 0 ? checks.join('\n') : `\t_ = ${name}`}\n}`,
  check: (call, expected) =>
    `\tif got := ${call}; got != ${expected} {\n\t\tt.Errorf("got %v, want ${expected.replaceAll('"', '\\"')}", got)\n\t}`,
}

const nodeTest = (isCommon: boolean): TestFrame => ({
  head: (imported) =>
    isCommon
      ? `const test = require('node:test');\nconst assert = require('node:assert/strict');\n${imported}`
      : `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${imported}`,
  test: (name, checks) => scriptTest(name, checks, `assert.equal(typeof ${name}, 'function');`),
  check: (call, expected, isDeep) => `assert.${isDeep ? 'deepEqual' : 'equal'}(${call}, ${expected});`,
})

const expecting = (runner: 'vitest' | 'jest'): TestFrame => ({
  head: (imported) =>
    runner === 'vitest' ? `import { expect, test } from 'vitest';\n${imported}` : imported,
  test: (name, checks) => scriptTest(name, checks, `expect(typeof ${name}).toBe('function');`),
  check: (call, expected, isDeep) => `expect(${call}).${isDeep ? 'toEqual' : 'toBe'}(${expected});`,
})

const scriptTest = (name: string, checks: readonly string[], otherwise: string): string =>
  `test('${name}', () => {\n${(checks.length > 0 ? checks : [otherwise]).map((line) => `  ${line}`).join('\n')}\n});`

function runnerOf({ files }: Workspace): 'node' | 'vitest' | 'jest' {
  const manifest = files.get('package.json') ?? ''
  const tests = [...files].filter(([path]) => isTestPath(path)).map(([, text]) => text.slice(0, 20_000))
  if (tests.some((text) => /['"]node:test['"]/.test(text))) return 'node'
  if (/"vitest"/.test(manifest) || tests.some((text) => /['"]vitest['"]/.test(text))) return 'vitest'
  return /"jest"/.test(manifest) || tests.some((text) => /\bexpect\(/.test(text)) ? 'jest' : 'node'
}

const usesUnittest = ({ files }: Workspace): boolean =>
  [...files].some(([path, text]) => path.endsWith('.py') && /^import unittest/m.test(text.slice(0, 20_000)))

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

function relative(folder: string, path: string): string {
  if (path.startsWith(folder)) return `./${path.slice(folder.length)}`
  return `${folder
    .split('/')
    .slice(1)
    .map(() => '../')
    .join('')}${path}`
}
