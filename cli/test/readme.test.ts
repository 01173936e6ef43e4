import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../src/commands/index.ts'
import { withTables } from '../tables.ts'

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the tables in the README match the commands ("node cli/tables.ts" writes them)', () => {
  expect(withTables(text)).toBe(text)
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
