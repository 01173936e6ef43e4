// The documents name files, types and tables that exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './install.mjs'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const isOutside = (path: string): boolean => /(^|\/)(node_modules|dist|testdata|\.data)(\/|$)/.test(path)

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/events.md',
  'docs/glossary.md',
  'docs/tasks.md',
  ...globSync('{decisions,deploy}/*.md', { cwd: ROOT }),
  ...globSync('{analysis,cli,models,sdk}/**/README.md', {
    cwd: ROOT,
    exclude: isOutside,
  }),
]

/** A path in backticks starts with one of these folders, or with a folder of server/src. */
const FOLDERS =
  /^(?:analysis|cli|decisions|deploy|dev|docs|models|scripts|sdk|server|testkit|web|workspace|platform|kernel)\//
const SOURCE_FILE = /^[\w-]+(?:\/[\w.-]+)+\.(?:ts|tsx|mjs|sql|md)$/
/** Build results, which exist only after a build. */
const BUILT = /^(?:web\/dist|web\/\.cache)(?:\/|$)/

test.each(DOCUMENTS)('%s names only files that exist', (document) => {
  const missing = pathsIn(read(document)).filter(
    (path) => !['', 'server/src', dirname(document)].some((base) => existsSync(join(ROOT, base, path))),
  )
  expect(missing).toEqual([])
})

test('docs/architecture.md names the files of its walks', () => {
  expect(pathsIn(read('docs/architecture.md')).length).toBeGreaterThan(20)
})

test.each(DOCUMENTS)('%s links only to files that exist', (document) => {
  const targets = [...read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
    ([, target = '']) => target,
  )
  expect(targets.filter((target) => !existsSync(join(ROOT, dirname(document), target)))).toEqual([])
})

test('a file name in a decision exists somewhere', () => {
  const names = new Set(
    globSync('**/*.{ts,tsx,mjs,sql,md,yaml}', { cwd: ROOT, exclude: isOutside }).map(
      (path) => path.split('/').at(-1) ?? '',
    ),
  )
  const missing = globSync('decisions/*.md', { cwd: ROOT }).flatMap((document) =>
    [...read(document).matchAll(/`([\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs|sql|md))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !names.has(name))
      .map((name) => `${document}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('docs/glossary.md names only types and tables that exist', () => {
  const rows = [
    ...read('docs/glossary.md').matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm),
  ].slice(1)
  expect(rows.length).toBeGreaterThan(50)
  const declared = declaredIn(
    '{analysis,workspace,server,sdk}/**/*.ts',
    /\b(?:type|class|interface|function|const) (\w+)/g,
  )
  const created = declaredIn('server/migrations/**/*.sql', /create table (?:if not exists )?(?:\w+\.)?(\w+)/g)
  const missing = rows.flatMap(([, term, types = '', tables = '']) => [
    ...namesIn(types)
      .filter((name) => !declared.has(name))
      .map((name) => `${term}: type ${name}`),
    ...namesIn(tables)
      .filter((name) => !created.has(name))
      .map((name) => `${term}: table ${name}`),
  ])
  expect(missing).toEqual([])
})

/** Repository paths in backticks, without those that contain a placeholder. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([\w-]+\/[\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => (FOLDERS.test(path) || SOURCE_FILE.test(path)) && !BUILT.test(path))
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name)

/** The names that a pattern captures in these files. */
function declaredIn(files: string, pattern: RegExp): Set<string> {
  const paths = globSync(files, { cwd: ROOT, exclude: isOutside })
  return new Set(paths.flatMap((path) => [...read(path).matchAll(pattern)].map(([, name = '']) => name)))
}
