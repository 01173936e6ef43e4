// docs/architecture.md and docs/glossary.md name files, types and tables that exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './install.mjs'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('docs/architecture.md names only files that exist', () => {
  const paths = [...read('docs/architecture.md').matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|sql))`/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(20)
  const missing = paths.filter(
    (path) => !['', 'server/src'].some((base) => existsSync(join(ROOT, base, path))),
  )
  expect(missing).toEqual([])
})

test('docs/glossary.md names only types and tables that exist', () => {
  const rows = [
    ...read('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm),
  ].slice(1)
  expect(rows.length).toBeGreaterThan(50)
  const source = textOf('{analysis,server,sdk}/**/*.ts')
  const schema = textOf('server/migrations/**/*.sql')
  const missing = rows.flatMap(([, term, types = '', tables = '']) => [
    ...namesIn(types)
      .filter((name) => !new RegExp(`\\b(?:type|class|interface|function|const) ${name}\\b`).test(source))
      .map((name) => `${term}: type ${name}`),
    ...namesIn(tables)
      .filter((name) => !new RegExp(`create table (?:if not exists )?(?:\\w+\\.)?${name}\\b`).test(schema))
      .map((name) => `${term}: table ${name}`),
  ])
  expect(missing).toEqual([])
})

const namesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name)

function textOf(pattern: string): string {
  const exclude = (path: string) => /(^|\/)(node_modules|dist|testdata)(\/|$)/.test(path)
  return globSync(pattern, { cwd: ROOT, exclude }).map(read).join('\n')
}
