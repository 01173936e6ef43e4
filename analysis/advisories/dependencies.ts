// Finds the dependencies that lock files and manifests name.
import type { ScannedFile } from '../report/finding.ts'
import type { Dependency } from './files/dependency.ts'
import { composerLock, npmLock, npmManifest, nugetLock, pipfileLock } from './files/json-files.ts'
import {
  cargoLock,
  gemfileLock,
  goMod,
  gradleBuild,
  gradleLock,
  mavenPom,
  nugetProject,
  pnpmLock,
  pubspecLock,
  pythonTomlLock,
  requirements,
  yarnLock,
} from './files/text-files.ts'
import { isWellFormed } from './files/well-formed.ts'

type Parse = (text: string) => Dependency[]

const FILES: readonly (readonly [name: RegExp, parse: Parse])[] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/i, npmLock],
  [/^package\.json$/i, npmManifest],
  [/^yarn\.lock$/i, yarnLock],
  [/^pnpm-lock\.ya?ml$/i, pnpmLock],
  [/^(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)$/i, requirements],
  [/^pipfile\.lock$/i, pipfileLock],
  [/^(?:poetry|uv|pdm)\.lock$/i, pythonTomlLock],
  [/^pom\.xml$/i, mavenPom],
  [/^gradle\.lockfile$/i, gradleLock],
  [/\.gradle(?:\.kts)?$/i, gradleBuild],
  [/^go\.mod$/i, goMod],
  // It also lists versions that are not used. Those of `go.mod` are.
  [/^go\.sum$/i, () => []],
  [/^composer\.lock$/i, composerLock],
  [/^gemfile\.lock$|^gems\.locked$/i, gemfileLock],
  [/^packages\.lock\.json$/i, nugetLock],
  [/\.(?:cs|fs|vb)proj$|^(?:packages\.config|directory\.(?:build|packages)\.props)$/i, nugetProject],
  [/^cargo\.lock$/i, cargoLock],
  [/^pubspec\.lock$/i, pubspecLock],
]

/** Lock files without a parser here. */
const UNSUPPORTED =
  /^(?:mix|podfile|deno|flake|bun|rebar|paket|conan|chart|elm|stack\.yaml|cartfile)\.(?:lock|lockb|resolved)$|^package\.resolved$/i

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const parserOf = (path: string): Parse | undefined =>
  FILES.find(([pattern]) => pattern.test(nameOf(path)))?.[1]

export const isDependencyFile = (path: string): boolean =>
  parserOf(path) !== undefined || UNSUPPORTED.test(nameOf(path))

export type FoundDependency = Dependency & { readonly path: string }

const DEPENDENCIES_PER_FILE_MAX = 20_000

export type DependencyReport = {
  readonly dependencies: readonly FoundDependency[]
  /** Files that are damaged, or of a kind without a parser. The dependencies that were read of a damaged file count. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
}

/** Each version once per file, at its first line. */
export function findDependencies(files: readonly ScannedFile[]): DependencyReport {
  const dependencies: FoundDependency[] = []
  const unreadable: { path: string; reason: string }[] = []
  for (const file of files) {
    const { path } = file
    // Installed packages have other manifests.
    if (/(?:^|\/)(?:node_modules|bower_components|site-packages)\//.test(path)) continue
    const found = dependenciesOf(file)
    const reason = unreadReason(file, found)
    if (reason) unreadable.push({ path, reason })
    if (found) dependencies.push(...found.map((each) => ({ ...each, path })))
  }
  return { dependencies, unreadable }
}

function unreadReason({ path, content }: ScannedFile, found: Dependency[] | null): string | null {
  if (UNSUPPORTED.test(nameOf(path))) return 'unsupported_lock_file'
  const isEmpty = content.trim() === ''
  return found === null || (!isEmpty && !isWellFormed(nameOf(path), content)) ? 'syntax_errors' : null
}

/** Null if the file is not valid JSON, or has another form. */
function dependenciesOf({ path, content }: ScannedFile): Dependency[] | null {
  const found = attemptParse(path, content)
  if (found === null) return null
  const unique = new Map(
    found.toReversed().map((each) => [`${each.ecosystem} ${each.name} ${each.version}`, each]),
  )
  return [...unique.values()]
    .slice(0, DEPENDENCIES_PER_FILE_MAX)
    .sort((one, other) => one.line - other.line || (one.name < other.name ? -1 : 1))
}

function attemptParse(path: string, content: string): Dependency[] | null {
  if (content.trim() === '') return []
  try {
    return parserOf(path)?.(content) ?? []
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
