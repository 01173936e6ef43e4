// Finds files that only tests use; they decide about the tests as much as the tests do. Uses are read from imports
// and quoted paths.
import { posix } from 'node:path'
import type { ProjectFiles } from './project-files.ts'
import { fileName, folderOf, isConfiguration, isSupportName, isTest } from './test-files.ts'

const SCANNED_CHARACTERS = 400_000
const REFERENCES_MAX = 2_000

/**
 * Files that tests reach, that are named like test helpers, and that no program file uses. Without such a name among the
 * changes, nothing is read.
 */
export function findTestSupport(files: ProjectFiles, changes: readonly string[]): Set<string> {
  if (!changes.some(isPossibleSupport)) return new Set()
  const paths = [...files.keys()]
  const subjects = new Set(paths.filter(isTest).map(testSubject))
  const candidates = new Set(paths.filter((path) => isPossibleSupport(path) && !subjects.has(stemOf(path))))
  if (candidates.size === 0) return candidates
  const referencesOf = createReferenceFinder(files)
  const reached = new Set<string>()
  // Configuration names files that run before the tests.
  const queue = paths.filter((path) => isTest(path) || isConfiguration(path) || path === 'package.json')
  for (const path of queue)
    for (const used of referencesOf(path))
      if (candidates.has(used) && !reached.has(used)) {
        reached.add(used)
        queue.push(used)
      }
  const programs = paths.filter(
    (path) => !isTest(path) && !isConfiguration(path) && path !== 'package.json' && !candidates.has(path),
  )
  for (const path of reached.size === 0 ? [] : programs)
    for (const used of referencesOf(path)) reached.delete(used)
  return reached
}

/** Whether the name of a file outside of the tests is that of a test helper. */
export const isPossibleSupport = (path: string): boolean => isSupportName(path) && !isTest(path)

/** Returns a function that lists the files which a file refers to. */
export function createReferenceFinder(files: ProjectFiles): (path: string) => Set<string> {
  const parts = new Set([...files.keys()].flatMap((path) => path.split('/').map(stemOf)))
  return (path) => {
    const text = (files.get(path) ?? '').slice(0, SCANNED_CHARACTERS).replaceAll('<rootDir>/', '')
    const names = new Set(path.endsWith('.py') ? pythonNames(text) : quotedNames(text))
    const found = new Set<string>()
    for (const name of [...names].slice(0, REFERENCES_MAX)) {
      // Most quoted strings are not files.
      if (!parts.has(stemOf(name))) continue
      for (const from of [folderOf(path), '', 'src', 'lib'])
        for (const place of candidatePaths(posix.join(from, name))) if (files.has(place)) found.add(place)
    }
    found.delete(path)
    return found
  }
}

const QUOTED = /['"`]([\w@./-][\w@./ -]{0,199})['"`]/g

const quotedNames = (text: string): string[] => [...text.matchAll(QUOTED)].map((match) => match[1] ?? '')

const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w., \t]+))/gm

function pythonNames(text: string): string[] {
  const imported = [...text.matchAll(PYTHON_IMPORT)].flatMap(([, from, names = '', plain = '']) => {
    const words = (list: string) =>
      list
        .split(',')
        .map((part) => part.trim().split(/\s/)[0] ?? '')
        .filter((word) => word !== '')
    if (from === undefined) return words(plain).map((name) => name.replaceAll('.', '/'))
    const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(from) ?? []
    const module = `${'../'.repeat(Math.max(0, dots.length - 1))}${rest.replaceAll('.', '/')}`
    return [module, ...words(names).map((name) => posix.join(module, name))]
  })
  return [...imported.filter((name) => name !== ''), ...quotedNames(text)]
}

const ENDINGS = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'py', 'rb', 'php', 'sh', 'exs']

/** A module may be imported without extension, with that of its build output, or by its folder. */
function* candidatePaths(place: string): Generator<string> {
  yield place
  for (const ending of ENDINGS) {
    yield `${place}.${ending}`
    yield `${place}/index.${ending}`
  }
  yield `${place}/__init__.py`
  if (/\.[cm]?jsx?$/.test(place)) yield place.replace(/js(x?)$/, 'ts$1')
}

const stemOf = (path: string): string =>
  fileName(path)
    .replace(/\.\w+$/, '')
    .toLowerCase()

/** The name of the file that a test is about. */
const testSubject = (path: string): string =>
  stemOf(path).replace(/^(test|spec)[._-]?|[._-]?(tests?|specs?|it)$/g, '')
