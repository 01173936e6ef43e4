// Lock files and manifests that are read by lines: Yarn, pnpm, Python, Go, Ruby, Rust, Dart, Gradle, Maven and NuGet.
import { type Dependency, lineFinder, matchAll } from './dependency.ts'

/** Classic and current Yarn: a key such as `"@a/b@^1.0.0, @a/b@^1.1.0":` and then the version. */
export const yarnLock = (text: string): Dependency[] =>
  matchAll(
    text,
    /^"?(?<name>@?[^@\s"]{1,200})@[^\n]{0,2000}:\r?\n[ \t]{1,8}version:?[ \t]"?(?<version>[\w.+-]{1,100})/gm,
    'npm',
  ).filter(({ name }) => !name.startsWith('__'))

/** `/a/1.0.0:`, `/@a/b@1.0.0(peer@2):` and `'@a/b@1.0.0':` in the section `packages`. */
export const pnpmLock = (text: string): Dependency[] =>
  matchAll(
    text,
    /^ {2}'?\/?(?<name>@[\w.-]{1,100}\/[\w.-]{1,100}|[\w.-]{1,200})[@/](?<version>\d[\w.+-]{0,100})(?:\([^\n]{0,500}\))?'?:[ \t]*(?:\{[^\n]*)?\r?$/gm,
    'npm',
  )

export const requirements = (text: string): Dependency[] =>
  matchAll(
    text,
    /^[ \t]*(?<name>[A-Za-z0-9][\w.-]{0,100})(?:\[[^\]\n]{0,200}\])?[ \t]*={2,3}[ \t]*(?<version>\d[\w.!+-]{0,100})/gm,
    'PyPI',
  )

const TOML_PACKAGE =
  /^\[\[package\]\]\s*\r?\nname[ \t]*=[ \t]*"(?<name>[^"\n]{1,200})"\s*\r?\nversion[ \t]*=[ \t]*"(?<version>[^"\n]{1,100})"/gm

export const pythonTomlLock = (text: string): Dependency[] => matchAll(text, TOML_PACKAGE, 'PyPI')
export const cargoLock = (text: string): Dependency[] => matchAll(text, TOML_PACKAGE, 'crates.io')

/** Replaced modules are not built. */
export function goMod(text: string): Dependency[] {
  const replaced = new Set(
    [...text.matchAll(/^[ \t]*(?:replace[ \t]+)?([^\s/]\S{0,300})(?:[ \t]+v\S{1,100})?[ \t]+=>/gm)].map(
      ([, name]) => name,
    ),
  )
  return matchAll(
    text,
    /^[ \t]*(?:require[ \t]+)?(?<name>[a-z0-9][\w-]{0,60}\.[\w./~-]{1,300})[ \t]+v(?<version>\d[\w.+-]{0,100})[ \t]*(?:\/\/[^\n]*)?\r?$/gm,
    'Go',
  ).filter(({ name }) => !replaced.has(name))
}

export const gemfileLock = (text: string): Dependency[] =>
  matchAll(
    text,
    /^ {4}(?<name>[\w.-]{1,200}) \((?<version>\d[\w.]{0,100})(?:-[\w-]{1,60})?\)\r?$/gm,
    'RubyGems',
  )

export const pubspecLock = (text: string): Dependency[] =>
  matchAll(
    text,
    /^ {2}(?<name>\w{1,100}):\r?\n(?: {4}[^\n]*\n){1,20}? {4}version: "(?<version>[^"\n]{1,100})"/gm,
    'Pub',
  )

export const gradleLock = (text: string): Dependency[] =>
  matchAll(text, /^(?<name>[\w.-]{1,200}:[\w.-]{1,200}):(?<version>[\w.+-]{1,100})=/gm, 'Maven')

/** `implementation 'group:artifact:1.0'`. */
export const gradleBuild = (text: string): Dependency[] =>
  matchAll(text, /["'](?<name>[\w.-]{1,200}:[\w.-]{1,200}):(?<version>\d[\w.+-]{0,100})["'@:]/g, 'Maven')

export const nugetProject = (text: string): Dependency[] => [
  ...matchAll(
    text,
    /<PackageReference\b[^<>]{0,200}?\bInclude="(?<name>[\w.-]{1,200})"[^<>]{0,200}?\bVersion="\[?(?<version>\d[\w.+-]{0,100})\]?"/g,
    'NuGet',
  ),
  ...matchAll(
    text,
    /<PackageReference\b[^<>]{0,200}?\bInclude="(?<name>[\w.-]{1,200})"[^<>]{0,200}>\s{0,200}<Version>(?<version>\d[\w.+-]{0,100})<\/Version>/g,
    'NuGet',
  ),
  ...matchAll(
    text,
    /<package\b[^<>]{0,200}?\bid="(?<name>[\w.-]{1,200})"[^<>]{0,200}?\bversion="(?<version>\d[\w.+-]{0,100})"/g,
    'NuGet',
  ),
]

/** A block ends before the next one of its name, so that blocks without an end take no longer than others. */
const POM_BLOCK = /<(dependency|plugin|parent)>((?:(?!<\1>)[\s\S]){0,3000}?)<\/\1>/g
const PROPERTY = /<([\w.-]{1,100})>\s{0,50}([^<\s]{1,100})\s{0,50}<\/\1>/g

/** Versions may be properties of the same file. */
export function mavenPom(text: string): Dependency[] {
  const lineOf = lineFinder(text)
  const properties = new Map<string, { readonly value: string; readonly line: number }>()
  for (const block of text.matchAll(/<properties>((?:(?!<properties>)[\s\S]){0,100000}?)<\/properties>/g))
    for (const found of (block[1] ?? '').matchAll(PROPERTY)) {
      const at = block.index + '<properties>'.length + found.index
      properties.set(found[1] ?? '', { value: found[2] ?? '', line: lineOf(at) })
    }
  return [...text.matchAll(POM_BLOCK)].flatMap((match): Dependency[] => {
    const block = match[2] ?? ''
    const of = (name: string) =>
      new RegExp(`<${name}>\\s{0,50}([^<\\s]{1,200})\\s{0,50}</${name}>`).exec(block)?.[1]
    const [group, artifact] = [of('groupId'), of('artifactId')]
    const written = of('version')
    const property = properties.get(/^\$\{(.+)\}$/.exec(written ?? '')?.[1] ?? '')
    const version = property?.value ?? written
    if (!group || !artifact || !version || !/^\d/.test(version)) return []
    return [
      {
        ecosystem: 'Maven',
        name: `${group}:${artifact}`,
        version,
        line: property?.line ?? lineOf(match.index + match[0].indexOf('<version>')),
      },
    ]
  })
}
