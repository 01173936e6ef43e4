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
  [/^composer\.lock$/i, composerLock],
  [/^gemfile\.lock$|^gems\.locked$/i, gemfileLock],
  [/^packages\.lock\.json$/i, nugetLock],
  [/\.(?:cs|fs|vb)proj$|^(?:packages\.config|directory\.(?:build|packages)\.props)$/i, nugetProject],
  [/^cargo\.lock$/i, cargoLock],
  [/^pubspec\.lock$/i, pubspecLock],
]

const parserOf = (path: string): Parse | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return FILES.find(([pattern]) => pattern.test(name))?.[1]
}

export const isDependencyFile = (path: string): boolean => parserOf(path) !== undefined

export type FoundDependency = Dependency & { readonly path: string }

const DEPENDENCIES_PER_FILE_MAX = 20_000

export type DependencyReport = {
  readonly dependencies: readonly FoundDependency[]
  /** The paths of files that are not valid JSON. */
  readonly unreadable: readonly string[]
}

/** Each version once per file, at its first line. */
export function findDependencies(files: readonly ScannedFile[]): DependencyReport {
  const dependencies: FoundDependency[] = []
  const unreadable: string[] = []
  for (const file of files) {
    const { path } = file
    // Installed packages have other manifests.
    if (/(?:^|\/)(?:node_modules|bower_components|site-packages)\//.test(path)) continue
    const found = dependenciesOf(file)
    if (found === null) unreadable.push(path)
    else dependencies.push(...found.map((each) => ({ ...each, path })))
  }
  return { dependencies, unreadable }
}

/** Null if the file is not valid JSON. */
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
