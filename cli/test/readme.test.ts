import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../src/commands/index.ts'
import { PAGES, withTables } from '../tables.ts'

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test.for(PAGES)('the tables of %s match the commands ("node cli/tables.ts" writes them)', (page) => {
  const written = readFileSync(page, 'utf8')
  expect(withTables(written)).toBe(written)
})

test('every command in the README exists', () => {
  const names = commands.map(({ name }) => name)
  const written = [...text.matchAll(/(?<![/\w])cowrie ((?:[a-z]+ ?)+)/g)].map(([, words = '']) =>
    words.trim(),
  )
  const unknown = written.filter(
    (words) =>
      !names.some((name) => `${words} `.startsWith(`${name} `) || `${name} `.startsWith(`${words} `)),
  )
  expect(unknown).toEqual([])
})

test('the README installs this version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const named = [...text.matchAll(/cowrie-cli-(\d+\.\d+\.\d+)\.tgz/g)].map(([, each]) => each)
  expect(new Set(named)).toEqual(new Set([version]))
})
