// Lock files in JSON: npm, Composer, Pipfile and NuGet.
import type { Ecosystem } from '../ecosystems.ts'
import { type Dependency, lineFinder } from './dependency.ts'

type Json = { readonly [key: string]: unknown }

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/**
 * The parts of a file that must be objects or lists of objects. Some editors begin a file with a byte order mark, which
 * package managers ignore. Throws a SyntaxError if the file has another form.
 */
function parseJson(
  text: string,
  form: { readonly needs?: readonly string[]; readonly groups: readonly string[] },
): Json {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
  const file = asObject(value)
  const isMissing = form.needs?.every((name) => file[name] === undefined) ?? false
  if (file !== value || isMissing || !form.groups.every((name) => isGroup(file[name])))
    throw new SyntaxError('the file has another form')
  return file
}

const isGroup = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.values(value).every(isEntry))
const isEntry = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && hasTextVersion(asObject(value)))
const hasTextVersion = ({ version }: Json): boolean => version === undefined || typeof version === 'string'

/** Finds the line of a version after the next occurrence of its name. Entries are visited in file order. */
function lineOfNext(text: string): (name: string, version: string) => number {
  const lineOf = lineFinder(text)
  let last = 0
  return (name, version) => {
    const next = text.indexOf(name, last)
    const at = next === -1 ? text.indexOf(name) : next
    if (at === -1) return 1
    last = at
    const value = text.indexOf(JSON.stringify(version), at + name.length)
    return lineOf(value === -1 ? at : value)
  }
}

/** Both forms: `packages` by path, or nested `dependencies`. */
export function npmLock(text: string): Dependency[] {
  const lock = parseJson(text, {
    needs: ['lockfileVersion', 'packages', 'dependencies'],
    groups: ['packages', 'dependencies'],
  })
  const lineOf = lineOfNext(text)
  if (lock.packages !== undefined)
    return Object.entries(asObject(lock.packages)).flatMap(([path, entry]) => {
      const { version, name, link } = asObject(entry)
      const at = path.lastIndexOf('node_modules/')
      if (at === -1 || typeof version !== 'string' || link === true) return []
      const own = typeof name === 'string' ? name : path.slice(at + 'node_modules/'.length)
      return [npm(own, version, lineOf(`${JSON.stringify(path)}:`, version))]
    })
  const visit = (dependencies: unknown, depth: number): Dependency[] =>
    depth > 20
      ? []
      : Object.entries(asObject(dependencies)).flatMap(([name, entry]) => {
          const { version, dependencies: inner } = asObject(entry)
          const line = lineOf(`${JSON.stringify(name)}:`, String(version))
          return [
            ...(typeof version === 'string' ? [npm(name, version, line)] : []),
            ...visit(inner, depth + 1),
          ]
        })
  return visit(lock.dependencies, 0)
}

/** `npm:other@1.2.3` installs another package. */
function npm(name: string, version: string, line: number): Dependency {
  const alias = /^npm:(@?[^@]+)@(.+)$/.exec(version)
  return { ecosystem: 'npm', name: alias?.[1] ?? name, version: alias?.[2] ?? version, line }
}

const MANIFEST_GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies']

/** Only exact versions: a range is resolved when it is installed. */
export function npmManifest(text: string): Dependency[] {
  const manifest = parseJson(text, { groups: MANIFEST_GROUPS })
  const lineOf = lineOfNext(text)
  return MANIFEST_GROUPS.flatMap((group) =>
    Object.entries(asObject(manifest[group])).flatMap(([name, version]) => {
      const [, exact] =
        typeof version === 'string' ? (/^=?v?(\d+\.\d+\.\d+[\w.+-]*)$/.exec(version) ?? []) : []
      return exact === undefined
        ? []
        : [npm(name, exact, lineOf(`${JSON.stringify(name)}:`, String(version)))]
    }),
  )
}

export function composerLock(text: string): Dependency[] {
  const lock = parseJson(text, { needs: ['packages'], groups: ['packages', 'packages-dev'] })
  return listed(text, 'Packagist', [lock.packages, lock['packages-dev']])
}

function listed(text: string, ecosystem: Ecosystem, lists: readonly unknown[]): Dependency[] {
  const lineOf = lineOfNext(text)
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((entry) => {
      const { name, version } = asObject(entry)
      if (typeof name !== 'string' || typeof version !== 'string') return []
      return [{ ecosystem, name, version, line: lineOf(JSON.stringify(name), version) }]
    })
}

export function pipfileLock(text: string): Dependency[] {
  const lock = parseJson(text, { needs: ['_meta', 'default', 'develop'], groups: ['default', 'develop'] })
  const lineOf = lineOfNext(text)
  return [lock.default, lock.develop].flatMap((group) =>
    Object.entries(asObject(group)).flatMap(([name, entry]): Dependency[] => {
      const { version } = asObject(entry)
      if (typeof version !== 'string') return []
      return [
        {
          ecosystem: 'PyPI',
          name,
          version: version.replace(/^=+/, ''),
          line: lineOf(`${JSON.stringify(name)}:`, version),
        },
      ]
    }),
  )
}

export function nugetLock(text: string): Dependency[] {
  const lineOf = lineOfNext(text)
  return Object.values(
    asObject(parseJson(text, { needs: ['dependencies'], groups: ['dependencies'] }).dependencies),
  ).flatMap((framework) =>
    Object.entries(asObject(framework)).flatMap(([name, entry]): Dependency[] => {
      const { resolved } = asObject(entry)
      return typeof resolved === 'string'
        ? [
            {
              ecosystem: 'NuGet',
              name,
              version: resolved,
              line: lineOf(`${JSON.stringify(name)}:`, resolved),
            },
          ]
        : []
    }),
  )
}
