// Extracts the test configuration from package and build manifests.
import { fileName } from './test-files.ts'

export const isManifest = (path: string): boolean =>
  /^(package\.json|composer\.json|pyproject\.toml|Cargo\.toml|CMakeLists\.txt|meson\.build|mix\.exs)$/.test(
    fileName(path),
  )

/** The parts of a manifest that configure tests; all of it if it cannot be parsed. */
export function extractTestConfig(path: string, text: string | undefined): string {
  if (text === undefined) return NOTHING
  if (fileName(path) === 'pyproject.toml') return extractTestSections(text)
  return path.endsWith('.json') ? extractTestFields(text) : extractTestLines(text)
}

/** The fields that control module resolution. */
export function extractModuleResolution(text: string | undefined): string {
  return text === undefined ? NOTHING : extractFields(text, ['main', 'module', 'exports', 'imports', 'type'])
}

const NOTHING = '{}'
const TEST_FIELDS = [
  'scripts',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'babel',
  'jasmine',
  'imports',
  'autoload-dev',
]

const extractTestFields = (text: string): string => extractFields(text, TEST_FIELDS)

function extractFields(text: string, names: readonly string[]): string {
  try {
    const fields = JSON.parse(text) as Record<string, unknown> | null
    const found = names.filter((name) => fields?.[name] !== undefined)
    return found.length === 0 ? NOTHING : JSON.stringify(found.map((name) => [name, fields?.[name]]))
  } catch {
    return text
  }
}

function extractTestSections(text: string): string {
  const sections = text.split(/^(?=[ \t]*\[)/m)
  const found = sections.filter((section) =>
    /^\s*\[+\s*tool\.(pytest|coverage|tox|nose|hatch|pdm|poe)/.test(section),
  )
  return found.length === 0 ? NOTHING : found.join('\n')
}

function extractTestLines(text: string): string {
  const found = text.split('\n').filter((line) => /test|harness/i.test(line.slice(0, 1_000)))
  return found.length === 0 ? NOTHING : found.join('\n')
}
