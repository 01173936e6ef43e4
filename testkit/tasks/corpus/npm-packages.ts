// The npm packages that repositories of the corpus depend on. Small, but packed and locked as real ones.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { packFiles } from '@cowrie/server/src/sandbox/archive.ts'
import { PUBLIC_REGISTRY } from '../../fakes/npm-registry.ts'
import type { Files } from './task.ts'

export type NpmPackage = {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly files: Files
}

const packageOf = (
  name: string,
  version: string,
  main: string,
  files: Files,
  dependencies: Readonly<Record<string, string>> = {},
): NpmPackage => {
  const isModule = main.endsWith('.mjs')
  const manifest = {
    name,
    version,
    license: 'MIT',
    main,
    ...(isModule && { exports: `./${main}` }),
    dependencies,
  }
  return {
    name,
    version,
    dependencies,
    files: { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, 'README.md': `# ${name}\n`, ...files },
  }
}

/** By name. */
export const NPM_PACKAGES: Readonly<Record<string, NpmPackage>> = Object.fromEntries(
  [
    packageOf('tiny-decimal', '1.2.0', 'index.js', {
      'index.js': `'use strict'
// Exact arithmetic on decimal strings with up to 20 places.
const parse = (text) => {
  const match = /^(-?)([0-9]+)(?:[.]([0-9]{1,20}))?$/.exec(String(text))
  if (!match) throw new TypeError('not a decimal: ' + text)
  const places = (match[3] || '').length
  const digits = BigInt(match[2] + (match[3] || ''))
  return { digits: match[1] ? -digits : digits, places }
}
const format = (digits, places) => {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  return places === 0 ? sign + text : sign + text.slice(0, -places) + '.' + text.slice(-places)
}
const align = (a, b) => {
  const [x, y] = [parse(a), parse(b)]
  const places = Math.max(x.places, y.places)
  return [x.digits * 10n ** BigInt(places - x.places), y.digits * 10n ** BigInt(places - y.places), places]
}
exports.add = (a, b) => { const [x, y, places] = align(a, b); return format(x + y, places) }
exports.subtract = (a, b) => { const [x, y, places] = align(a, b); return format(x - y, places) }
exports.compare = (a, b) => { const [x, y] = align(a, b); return x < y ? -1 : x > y ? 1 : 0 }
exports.multiply = (a, b) => {
  const [x, y] = [parse(a), parse(b)]
  return format(x.digits * y.digits, x.places + y.places)
}
/** Half away from zero. */
exports.round = (a, places) => {
  const { digits, places: had } = parse(a)
  if (had <= places) return format(digits * 10n ** BigInt(places - had), places)
  const unit = 10n ** BigInt(had - places)
  const size = digits < 0n ? -digits : digits
  const rounded = (size + unit / 2n) / unit
  return format(digits < 0n ? -rounded : rounded, places)
}
`,
    }),
    packageOf('@harbor/result', '0.3.1', 'result.mjs', {
      'result.mjs': `export const ok = (value) => ({ ok: true, value })
export const err = (error) => ({ ok: false, error })
export const unwrap = (result) => {
  if (!result.ok) throw new Error(String(result.error))
  return result.value
}
`,
    }),
    packageOf('slug-words', '2.0.0', 'slug.js', {
      'slug.js': `'use strict'
exports.slug = (text) =>
  String(text).normalize('NFKD').replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '').toLowerCase()
`,
    }),
    packageOf('list-tools', '3.1.0', 'index.mjs', {
      'index.mjs': `export const chunk = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
export const groupBy = (list, keyOf) => {
  const groups = new Map()
  for (const each of list) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each])
  return groups
}
export const without = (list, item) => list.filter((each) => each !== item)
`,
    }),
    packageOf(
      'event-bus-lite',
      '1.0.4',
      'bus.mjs',
      {
        'bus.mjs': `import { without } from 'list-tools'
export const createBus = () => {
  let handlers = []
  return {
    on(name, handler) {
      const entry = { name, handler }
      handlers = [...handlers, entry]
      return () => { handlers = without(handlers, entry) }
    },
    emit(name, value) {
      for (const each of handlers) if (each.name === name) each.handler(value)
    },
    count: (name) => handlers.filter((each) => each.name === name).length,
  }
}
`,
      },
      { 'list-tools': '^3.0.0' },
    ),
    packageOf('parse-flags', '1.1.0', 'flags.js', {
      'flags.js': `'use strict'
// ['--limit', '3', '--dry', 'file'] -> { flags: { limit: '3', dry: true }, rest: ['file'] }
exports.parse = (words, switches = []) => {
  const flags = {}
  const rest = []
  for (let i = 0; i < words.length; i++) {
    const match = /^--([a-z-]+)(?:=(.*))?$/.exec(words[i])
    if (!match) rest.push(words[i])
    else if (match[2] !== undefined) flags[match[1]] = match[2]
    else flags[match[1]] = switches.includes(match[1]) ? true : words[++i]
  }
  return { flags, rest }
}
`,
    }),
  ].map((each) => [each.name, each]),
)

const packed = new Map<string, Buffer>()

/** The same bytes every time. */
export function tarballOf(name: string): Buffer {
  const known = packed.get(name)
  if (known) return known
  const result = packFiles(
    new Map(Object.entries(npmPackage(name).files).map(([path, text]) => [`package/${path}`, text])),
  )
  if ('refused' in result) throw new Error(result.refused)
  const tarball = gzipSync(result.archive)
  packed.set(name, tarball)
  return tarball
}

export function npmPackage(name: string): NpmPackage {
  const found = NPM_PACKAGES[name]
  if (!found) throw new Error(`the corpus has no package ${name}`)
  return found
}

/** These packages and all that they need. */
export function withDependencies(names: readonly string[]): string[] {
  const all = new Set(names)
  for (const name of all) for (const needed of Object.keys(npmPackage(name).dependencies)) all.add(needed)
  return [...all].sort()
}

export const integrityOf = (name: string): string =>
  `sha512-${createHash('sha512').update(tarballOf(name)).digest('base64')}`

/** A package-lock.json as npm writes it. */
export function npmLock(name: string, version: string, packages: readonly string[]): string {
  const entries = withDependencies(packages).map((each) => {
    const { version: locked, dependencies } = npmPackage(each)
    const file = `${each.split('/').at(-1)}-${locked}.tgz`
    return [
      `node_modules/${each}`,
      {
        version: locked,
        resolved: `${PUBLIC_REGISTRY}/${each}/-/${file}`,
        integrity: integrityOf(each),
        license: 'MIT',
        ...(Object.keys(dependencies).length > 0 && { dependencies }),
      },
    ]
  })
  const root = { name, version, ...(packages.length > 0 && { dependencies: rangesOf(packages) }) }
  const lock = {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** The ranges of a package.json. */
export const rangesOf = (packages: readonly string[]): Record<string, string> =>
  Object.fromEntries([...packages].sort().map((each) => [each, `^${npmPackage(each).version}`]))

/** The packages as files of node_modules. */
export const installedFiles = (packages: readonly string[]): Files =>
  Object.fromEntries(
    withDependencies(packages).flatMap((each) =>
      Object.entries(npmPackage(each).files).map(([path, text]) => [`node_modules/${each}/${path}`, text]),
    ),
  )
