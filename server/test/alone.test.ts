import { globSync, readFileSync } from 'node:fs'
import { basename, join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS_ON_IMPORT, ALONE, CHANGES_PROCESS, EARLY, REVERTIBLE_CHANGES } from './alone.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = globSync('{analysis,models,workspace,server,sdk,cli,web,scripts,deploy,dev,testkit}/**/*.ts', {
  cwd: ROOT,
  exclude: (name) => /\bnode_modules$/.test(name),
})
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isTest = (path: string): boolean => path.endsWith('.test.ts')
const tests = files.filter(isTest)
const isAlone = (path: string): boolean => ALONE.some((pattern) => matchesGlob(path, pattern))

test('a test that changes process-wide state runs in a separate process', () => {
  expect(tests.length).toBeGreaterThan(100)
  const reaching = tests.filter((path) => CHANGES_PROCESS.test(textOf(path)))
  expect(reaching.filter((path) => !isAlone(path) && !path.endsWith('/alone.test.ts'))).toEqual([])
})

test('a test in a shared process reverts its changes', () => {
  for (const [change, takesBack] of REVERTIBLE_CHANGES) {
    const changing = tests.filter((path) => !isAlone(path) && change.test(textOf(path)))
    expect(
      changing.filter((path) => !takesBack.test(textOf(path)) && !path.endsWith('/alone.test.ts')),
    ).toEqual([])
  }
})

test('a test whose helper registers hooks on import runs in a separate process', () => {
  const acting = files.filter((path) => !isTest(path) && ACTS_ON_IMPORT.test(textOf(path)))
  const helped = tests.filter((path) => acting.some((help) => textOf(path).includes(`/${basename(help)}'`)))
  expect(helped.filter((path) => !isAlone(path))).toEqual([])
})

test('every listed test exists', () => {
  const named = [...ALONE, ...EARLY]
  expect(named.filter((pattern) => !tests.some((path) => matchesGlob(path, pattern)))).toEqual([])
})

test.for(['dns.lookup = other', "vi.stubEnv('HOME', '/')", 'process.umask(0)', 'globalThis.fetch = other'])(
  '%s changes process-wide state',
  (line) => expect(line).toMatch(CHANGES_PROCESS),
)

test.for([
  ['vi.useFakeTimers()', 'vi.useRealTimers()'],
  ["vi.spyOn(globalThis, 'fetch')", 'spy.mockRestore()'],
  ["vi.stubGlobal('fetch', other)", 'vi.unstubAllGlobals()'],
  ["process.env.HOME = '/'", 'delete process.env.HOME'],
  ["process.env['HOME'] = '/'", "delete process.env['HOME']"],
])('%s is reverted by %s', ([change = '', back = '']) => {
  const rule = REVERTIBLE_CHANGES.find(([pattern]) => pattern.test(change))
  expect(rule?.[1].test(back)).toBe(true)
})

test.for([
  "process.env.HOME === '/'",
  'expect(process.env.HOME).toBe(1)',
  'vi.waitFor(done)',
  'const own: typeof globalThis.fetch = fetch',
])('%s changes nothing', (line) => {
  for (const pattern of [CHANGES_PROCESS, ...REVERTIBLE_CHANGES.map(([change]) => change)])
    expect(line).not.toMatch(pattern)
})
