import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { chosenFrom, cyclesIn, filesByEntry, listOf, SOAK } from './soak-list.ts'

const ROOT = join(import.meta.dirname, '../..')
const filesOf = filesByEntry()

test('every soak entry has an existing test file or script and a unique name', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const entry of SOAK) {
    if ('campaign' in entry) expect(scripts).toHaveProperty([entry.campaign[0]])
    else if ('file' in entry) expect(filesOf.get(entry.name)).toEqual([entry.file])
    else expect(filesOf.get(entry.name), entry.name).not.toEqual([])
  }
  expect(new Set(SOAK.map(({ name }) => name)).size).toBe(SOAK.length)
})

test('every soak file belongs to exactly one entry', () => {
  const files = [...filesOf.values()].flat()
  expect(new Set(files).size).toBe(files.length)
  expect(files).toEqual(
    expect.arrayContaining(
      globSync('**/*.soak.test.ts', { cwd: join(ROOT, 'server') }).map((path) => `server/${path}`),
    ),
  )
})

test('no project of npm test runs a *.soak.test.ts', () => {
  const { test: { projects = [] } = {} } = config as {
    test?: { projects?: { test: { exclude?: string[] } }[] }
  }
  expect(projects.length).toBeGreaterThan(0)
  for (const project of projects) expect(project.test.exclude).toContain('**/*.soak.test.ts')
})

test('the list shows what runs, the cycles in test and soak, and the time', () => {
  const lines = listOf(chosenFrom(SOAK, ['kill', 'chaos'])).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toMatch(
    /^kill +server\/test\/kill\.test\.ts +migration kills 1 → 12, .* 2 min +kill -9 of/,
  )
  expect(lines[2]).toMatch(/^chaos +npm run chaos +20 min/)
  expect(lines[3]).toBe('2 in all, about 22 minutes')
})

test('the cycles are read from the source of the test', () => {
  expect(cyclesIn('const KILLS = rounds(2, 6)\nconst x = 1\nconst STEPS = rounds(2_000, 6_000)')).toBe(
    'kills 2 → 6, steps 2_000 → 6_000',
  )
})

test('an unknown name is refused, and the error lists the known ones', () => {
  expect(() => chosenFrom(SOAK, ['nonsense'])).toThrow(/no nonsense\. Choose from: malformed, kill, /)
})
