import { globSync, readFileSync } from 'node:fs'
import { basename, join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS_ON_IMPORT, ALONE, IN_BROWSER, REACHES_ALL } from './alone.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = globSync('{server,sdk,cli,web,scripts}/**/*.ts', {
  cwd: ROOT,
  exclude: (name) => /\bnode_modules$/.test(name),
})
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isTest = (path: string): boolean => path.endsWith('.test.ts')
const tests = files.filter(isTest)
const isAlone = (path: string): boolean => ALONE.some((pattern) => matchesGlob(path, pattern))

test('a test that changes what a process shares has one of its own', () => {
  expect(tests.length).toBeGreaterThan(100)
  const reaching = tests.filter((path) => REACHES_ALL.test(textOf(path)))
  expect(reaching.filter((path) => !isAlone(path) && !path.endsWith('/alone.test.ts'))).toEqual([])
})

test('a test whose help acts on import has a process of its own', () => {
  const acting = files.filter((path) => !isTest(path) && ACTS_ON_IMPORT.test(textOf(path)))
  const helped = tests.filter((path) => acting.some((help) => textOf(path).includes(`/${basename(help)}'`)))
  expect(helped.filter((path) => !isAlone(path))).toEqual([])
})

test('all that are to be alone, or to start early, exist', () => {
  const named = [...ALONE, ...IN_BROWSER]
  expect(named.filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})

test.for([
  "vi.mock('node:dns')",
  'vi.useFakeTimers()',
  "process.env.HOME = '/'",
  "process.env['HOME'] = '/'",
  'globalThis.fetch = other',
  "process.kill(pid, 'SIGKILL')",
])('%s reaches further than the test', (line) => expect(line).toMatch(REACHES_ALL))

test.for(["process.env.HOME === '/'", 'expect(process.env.HOME).toBe(1)', 'vi.waitFor(done)'])(
  '%s does not',
  (line) => expect(line).not.toMatch(REACHES_ALL),
)
