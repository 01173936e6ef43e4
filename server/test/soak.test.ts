import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { chosenFrom, cyclesIn, listOf, SOAK } from './soak-list.ts'

const ROOT = join(import.meta.dirname, '../..')
const tests = globSync('{server,sdk,cli,web,scripts,deploy}/**/*.test.ts', {
  cwd: ROOT,
  exclude: (name) => /\bnode_modules$/.test(name),
})
const helpers = new Map([
  ['server/test/malformed/bodies.ts', 'server/test/malformed.test.ts'],
  ['web/test/axe.ts', 'web/test/every-screen.test.ts'],
])
const listed = new Set(SOAK.flatMap((entry) => ('file' in entry ? [entry.file] : [])))

test('every test that does more in the soak is in its list', () => {
  const isLonger = (path: string) =>
    path.endsWith('.soak.test.ts') || /from '[./\w-]*\/soak\.ts'/.test(readFileSync(join(ROOT, path), 'utf8'))
  const longer = tests.filter((path) => isLonger(path) && path !== 'server/test/soak.test.ts')
  expect(longer.filter((path) => !listed.has(path))).toEqual([])
  for (const [helper, path] of helpers) expect([isLonger(helper), listed.has(path)]).toEqual([true, true])
})

test('every file and script in the list exists, and every name is there once', () => {
  expect([...listed].filter((path) => !tests.includes(path))).toEqual([])
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const entry of SOAK) if ('campaign' in entry) expect(scripts).toHaveProperty([entry.campaign[0]])
  expect(new Set(SOAK.map(({ name }) => name)).size).toBe(SOAK.length)
})

test('no project of npm test runs a *.soak.test.ts', () => {
  const { test: { projects = [] } = {} } = config as {
    test?: { projects?: { test: { exclude?: string[] } }[] }
  }
  expect(projects.length).toBeGreaterThan(0)
  for (const project of projects) expect(project.test.exclude).toContain('**/*.soak.test.ts')
})

test('the list says what runs, how often in the test and in the soak, and how long it takes', () => {
  const lines = listOf(chosenFrom(SOAK, ['kill', 'chaos'])).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toMatch(
    /^kill +server\/test\/kill\.test\.ts +migration kills 3 → 12, .* 2 min +kill -9 of/,
  )
  expect(lines[2]).toMatch(/^chaos +npm run chaos +20 min/)
  expect(lines[3]).toBe('2 in all, about 22 minutes')
})

test('the cycles are read where they are written', () => {
  expect(cyclesIn('const KILLS = rounds(2, 6)\nconst x = 1\nconst STEPS = rounds(2_000, 6_000)')).toBe(
    'kills 2 → 6, steps 2_000 → 6_000',
  )
})

test('an unknown name is refused with the known ones', () => {
  expect(() => chosenFrom(SOAK, ['nonsense'])).toThrow(/no nonsense\. Choose from: malformed, kill, /)
})
