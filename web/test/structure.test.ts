// The structure of web/src: layers, import cycles, and the size of files and folders.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Source, sourceOf } from '../../server/test/sources.ts'

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url))
const LINES_MAX = 300
const FILES_MAX = 12

/**
 * From the bottom to the top. A file imports from its own layer and from layers below it.
 *
 * - data: API client, session, browser storage, preferences
 * - i18n: translations, and formats of money, dates and sizes
 * - ui: components and styles. It never fetches data: of `data` it loads only UI_LOADS
 * - router: addresses, redirects, loading of screens
 * - screens: one folder per area, the frame around them, and the table of all screens
 *
 * Entry points (main.tsx, boot.ts, worker.ts) import every layer. The reference page and the public pages are
 * separate.
 */
const LAYERS = ['data', 'i18n', 'ui', 'router', 'screens']
const ENTRIES = ['boot.ts', 'main.tsx', 'worker.ts']

/** Types of failures and requests, and preferences. Other files of `data` only give types to `ui`. */
const UI_LOADS = /^data\/(failure|network|use-action|preferences\/[\w-]+)\.ts$/

/** The server and "Try it" print the same samples. */
const SAMPLE_CODE = /server\/src\/platform\/http\/openapi\/docs\/(print-sample|code-tokens)\.ts$/

/** Inside `screens`: an area imports `shared` and these other areas. The frame imports the table, the table every area. */
const AREA_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  billing: ['wallet'],
  catalogue: ['ops'],
  chat: ['repo-index'],
  projects: ['research'],
  'sign-in': ['identity'],
  team: ['billing'],
  tools: ['identity'],
  wallet: ['home'],
}

/** Folders with more files than FILES_MAX, and the reason. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {
  'ui/style': 'style sheets are loaded in one piece',
}

const paths = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
  .sort()
const sources = paths
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => sourceOf(path, readFileSync(join(SOURCE, path), 'utf8')))

describe('the source of the web app', () => {
  test('imports only downwards', () => {
    expect(sources.flatMap(upwardImports)).toEqual([])
  })

  test('has no import cycles, type-only imports included', () => {
    expect(cyclesIn(sources)).toEqual([])
  })

  test('has no area of screens that imports another without need', () => {
    const used = new Set(sources.flatMap((source) => areaImports(source).map((pair) => pair.join(' → '))))
    const declared = Object.entries(AREA_IMPORTS).flatMap(([area, all]) =>
      all.map((each) => `${area} → ${each}`),
    )
    expect(declared.filter((pair) => !used.has(pair))).toEqual([])
  })

  test(`has at most ${LINES_MAX} lines in a file`, () => {
    const long = sources.filter(({ text }) => text.split('\n').length - 1 > LINES_MAX).map(({ path }) => path)
    expect(long).toEqual([])
  })

  test(`has at most ${FILES_MAX} files in a folder, tests and style sheets aside`, () => {
    const counts = new Map<string, number>()
    for (const path of paths)
      if (!/\.(test|fixture)\.ts$/.test(path) && (!path.endsWith('.css') || path.startsWith('ui/')))
        counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    const large = [...counts].filter(([, count]) => count > FILES_MAX).map(([folder]) => folder)
    expect(large).toEqual(Object.keys(LARGE_FOLDERS))
  })
})

describe('the rules reject', () => {
  test.for<[path: string, text: string]>([
    ['data/session.ts', "import { t } from '../i18n/t.ts'"],
    ['ui/base/sheet.tsx', "import type { Screen } from '../../router/screen.ts'"],
    ['ui/base/sheet.tsx', "import { api } from '../../data/api.ts'"],
    ['router/location.ts', "const later = import('../screens/home/home.tsx')"],
    ['screens/home/home.tsx', "import { zipOf } from '../agent/zip.ts'"],
    ['screens/home/home.tsx', "import { App } from '../frame/app.tsx'"],
    ['screens/home/home.tsx', "import { screenAt } from '../table.ts'"],
    ['screens/shared/about.tsx', "import { Home } from '../home/home.tsx'"],
    ['screens/home/home.tsx', "import '../../main.tsx'"],
    ['reference/search.ts', "import { t } from '../i18n/t.ts'"],
  ])('%s with %j', ([path, text]) => {
    expect(upwardImports(sourceOf(path, text))).toHaveLength(1)
  })

  test('a cycle of type-only imports', () => {
    const files = [
      sourceOf('data/a.ts', "import type { B } from './b.ts'"),
      sourceOf('data/b.ts', "import type { A } from './a.ts'"),
    ]
    expect(cyclesIn(files)).toEqual(['data/a.ts → data/b.ts → data/a.ts'])
  })
})

function upwardImports(source: Source): string[] {
  return source.imports
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTestOnly(source.path))
    .filter(({ path, typeOnly }) => !mayImport(source.path, path, typeOnly))
    .map(({ path }) => `${source.path} imports ${path}`)
}

const isTestOnly = (path: string): boolean => /\.(test|fixture)\.ts$/.test(path)

function mayImport(from: string, to: string, typeOnly: boolean): boolean {
  if (ENTRIES.includes(from)) return true
  const [lower = '', upper = ''] = [to.split('/')[0], from.split('/')[0]]
  if (upper === 'reference' && SAMPLE_CODE.test(to)) return true
  if (upper === 'reference' || upper === 'site') return lower === upper
  if (!LAYERS.includes(lower) || LAYERS.indexOf(lower) > LAYERS.indexOf(upper)) return false
  if (upper === 'ui' && lower === 'data') return typeOnly || UI_LOADS.test(to)
  return lower !== 'screens' || areaMayImport(areaOf(from), areaOf(to))
}

/** `home` for screens/home/home.tsx, `table.ts` for the table of screens. */
const areaOf = (path: string): string => path.split('/')[1] ?? ''

function areaMayImport(from: string, to: string): boolean {
  if (from === to || to === 'shared') return true
  if (from === 'table.ts') return true
  if (from === 'frame') return to === 'table.ts' || to === 'palette'
  return AREA_IMPORTS[from]?.includes(to) ?? false
}

const areaImports = ({ path, imports }: Source): [string, string][] =>
  path.startsWith('screens/') ? imports.map((each) => [areaOf(path), areaOf(each.path)]) : []

/** One way round for each group of files that import each other. */
function cyclesIn(files: readonly Source[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports.map((each) => each.path)]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start >= 0) found.push([...way.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const next of importsOf.get(path) ?? []) visit(next, [...way, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}
