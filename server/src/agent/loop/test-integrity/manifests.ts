// Extracts the test configuration from the manifests and lockfiles of packages and builds. Other parts, such as new
// dependencies, may change.
import { extractBuildConfig } from './build-manifests.ts'
import { isRunnerPackage, namesRunnerPackage } from './runner-packages.ts'
import { fileName } from './test-files.ts'

const MANIFEST =
  /^(package\.json|composer\.json|pyproject\.toml|setup\.py|Pipfile|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml|CMakeLists\.txt|meson\.build|mix\.exs|[\w-]*requirements[\w-]*\.txt|[tj]sconfig[^/]*\.json)$/i
const LOCKFILE =
  /^(package-lock\.json|npm-shrinkwrap\.json|composer\.lock|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|gradle\.lockfile)$/

export const isManifest = (path: string): boolean => MANIFEST.test(fileName(path)) || isLockfile(path)

export const isLockfile = (path: string): boolean => LOCKFILE.test(fileName(path))

/** Whether a change of a manifest also changes how tests run, or what runs them. */
export const changesTestConfig = (
  path: string,
  before: string | undefined,
  after: string | undefined,
  testCommand: string,
): boolean =>
  // A first lockfile changes nothing that was fixed before.
  (extractTestConfig(path, before, testCommand) !== extractTestConfig(path, after, testCommand) &&
    !(before === undefined && isLockfile(path))) ||
  (before !== undefined && after !== undefined && replacesPackages(path, before, after))

/** The fields that control module resolution. */
export function extractModuleResolution(text: string | undefined): string {
  return text === undefined ? NOTHING : extractFields(text, ['main', 'module', 'exports', 'imports', 'type'])
}

const NOTHING = '{}'

/** The parts that configure tests; all of it if it cannot be parsed. */
function extractTestConfig(path: string, text: string | undefined, testCommand: string): string {
  if (text === undefined) return NOTHING
  const name = fileName(path)
  if (name === 'package.json') return extractPackage(text, testCommand)
  if (name === 'composer.json') return extractFields(text, COMPOSER_FIELDS, readRunnerPackages)
  if (/^[tj]sconfig/.test(name)) return extractCompiler(text)
  if (LOCKFILE.test(name)) return extractLocked(name, text)
  if (name === 'pyproject.toml') return extractPyproject(text)
  return extractBuildConfig(name, text) ?? extractTestLines(text)
}

const PACKAGE_FIELDS = [
  ...['jest', 'vitest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'babel', 'jasmine', 'imports'],
  ...['overrides', 'resolutions', 'pnpm', 'workspaces', 'nx', 'wireit', 'config'],
]
const COMPOSER_FIELDS = ['scripts', 'autoload-dev', 'repositories', 'config', 'replace', 'provide']

type Fields = Record<string, unknown>

function extractFields(
  text: string,
  names: readonly string[],
  more: (fields: Fields) => readonly unknown[] = () => [],
): string {
  try {
    const fields = (JSON.parse(text) ?? {}) as Fields
    const found = [
      ...names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
      ...more(fields),
    ]
    return found.length === 0 ? NOTHING : JSON.stringify(found)
  } catch {
    return text
  }
}

const extractPackage = (text: string, testCommand: string): string =>
  extractFields(text, PACKAGE_FIELDS, (fields) => [
    ...readTestScripts(fields, testCommand),
    ...readRunnerPackages(fields),
    ...readRunnerNames(fields),
  ])

/** Scripts with these names run tests only if another one calls them. */
const OTHER_SCRIPT =
  /^(lint|format|fmt|prettier|start|dev|serve|build|docs?|clean|release|deploy|typecheck|types|preview|watch|bench)(:|$)/
const CALLS_ANY = /\*|\b(run-[sp]|npm-run-all2?|concurrently|turbo|nx|lerna|wireit)\b/

function readTestScripts({ scripts }: Fields, testCommand: string): unknown[] {
  if (typeof scripts !== 'object' || scripts === null) return scripts === undefined ? [] : [scripts]
  const all = Object.entries(scripts)
  const chosen = new Map(all.filter(([name]) => !OTHER_SCRIPT.test(name)))
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size
    const text = [testCommand, ...[...chosen.values()].map(String)].join('\n')
    const words = new Set(text.split(/[\s'"&|;()=]+/))
    for (const [name, script] of all) if (words.has(name) || CALLS_ANY.test(text)) chosen.set(name, script)
  }
  return all.filter(([name]) => chosen.has(name))
}

const DEPENDENCIES = [
  ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'],
  ...['require', 'require-dev'],
]
/** Packages from elsewhere than the registry can have any content. */
const FOREIGN =
  /^(file|link|portal|patch|npm|git|github|gitlab|bitbucket|https?|ssh|exec)[:+]|^[\w-]+\/[\w.-]+$/

const readRunnerPackages = (fields: Fields): unknown[] =>
  DEPENDENCIES.flatMap((kind) =>
    Object.entries(fields[kind] ?? {}).filter(
      ([name, version]) => isRunnerPackage(name) || FOREIGN.test(String(version)),
    ),
  )

/** A package in a workspace can take the name or the command of a runner. */
const readRunnerNames = ({ name, bin }: Fields): unknown[] =>
  [name, ...(typeof bin === 'object' && bin !== null ? Object.keys(bin) : [])].filter(
    (each) => typeof each === 'string' && isRunnerPackage(each),
  )

const COMPILER_FIELDS = ['include', 'exclude', 'files', 'extends', 'references']
const COMPILER_OPTIONS = ['paths', 'baseUrl', 'rootDir', 'rootDirs', 'outDir', 'plugins', 'moduleSuffixes']

const extractCompiler = (text: string): string =>
  extractFields(text, COMPILER_FIELDS, ({ compilerOptions }) =>
    COMPILER_OPTIONS.flatMap((name) => {
      const value = (compilerOptions as Fields | null | undefined)?.[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The locked runner packages, and packages from elsewhere than a registry. */
function extractLocked(name: string, text: string): string {
  const entries = readLockedEntries(name, text)
  if (entries !== null) {
    const found = [...entries].filter(([key, entry]) => namesRunnerPackage(key) || isForeign(entry))
    return found.length === 0 ? NOTHING : JSON.stringify(found)
  }
  const blocks = text.split(name === 'go.sum' || name === 'gradle.lockfile' ? '\n' : /\n\s*\n/)
  const found = blocks.filter((block) => block.trim().split('\n').slice(0, 3).some(namesRunnerPackage))
  return found.length === 0 ? NOTHING : found.map((block) => block.trim()).join('\n\n')
}

const isForeign = (entry: string): boolean => /"(link)":true|"resolved":"(?!https?:)[^"]{1,20}/.test(entry)

/** A version with another content than before is not the same package. */
function replacesPackages(path: string, before: string, after: string): boolean {
  const [had, has] = [readLockedEntries(fileName(path), before), readLockedEntries(fileName(path), after)]
  if (had === null || has === null) return false
  return [...had].some(([key, entry]) => {
    const now = has.get(key)
    if (now === undefined || now === entry) return false
    const [old, fresh] = [lockedContent(entry), lockedContent(now)]
    return old.version === fresh.version && (old.integrity !== fresh.integrity || old.at !== fresh.at)
  })
}

function lockedContent(entry: string): { version: unknown; integrity: string; at: string } {
  const { version, integrity, resolved } = JSON.parse(entry) as Fields
  return { version, integrity: JSON.stringify(integrity ?? ''), at: JSON.stringify(resolved ?? '') }
}

/** Of lockfiles in JSON: the packages by key. Null for other lockfiles. */
function readLockedEntries(name: string, text: string): Map<string, string> | null {
  if (!/^(package-lock\.json|npm-shrinkwrap\.json|composer\.lock)$/.test(name)) return null
  try {
    const { packages, 'packages-dev': more } = (JSON.parse(text) ?? {}) as Fields
    const named = [packages, more].flatMap((list) => Object.entries((list ?? {}) as Fields))
    return new Map(named.map(([key, entry]) => [readName(entry) ?? key, JSON.stringify(entry ?? null)]))
  } catch {
    return new Map([['', JSON.stringify(text)]])
  }
}

/** Composer lists packages with their names; npm has the paths as keys. */
const readName = (entry: unknown): string | undefined => {
  const name = (entry as Fields | null)?.name
  return typeof name === 'string' && name.includes('/') ? name : undefined
}

const TEST_SECTION =
  /^\s*\[+\s*(tool\.(pytest|coverage|tox|nose|hatch|pdm|poe|uv\.(sources|index)|poetry\.source)|build-system)/

function extractPyproject(text: string): string {
  const sections = text.split(/^(?=[ \t]*\[+[\w."' -]+\]+[ \t]*$)/m)
  const found = sections.flatMap((section) =>
    TEST_SECTION.test(section) ? section : section.split('\n').filter(namesRunnerPackage),
  )
  return found.length === 0 ? NOTHING : found.join('\n')
}

function extractTestLines(text: string): string {
  const found = text
    .split('\n')
    .filter(
      (line) =>
        /test|harness|replace |index-url|git\+|file:|cmdclass|subprocess|\bos\./i.test(
          line.slice(0, 1_000),
        ) || namesRunnerPackage(line),
    )
  return found.length === 0 ? NOTHING : found.join('\n')
}
