// What decides whether tests pass, and is not the program: tests, snapshots, configuration of runners and builds. A loop
// that changes it has not shown that the program works.
import { changedPaths, type Workspace } from './workspace.ts'

/**
 * The paths among the changes that decide about the tests. A new test counts for nothing here, because it cannot make the
 * others pass; a new configuration can.
 */
export function decisiveChanges(base: Workspace, now: Workspace, testCommand: string): string[] {
  return changedPaths(base, now).filter((path) => {
    const [before, after] = [base.get(path), now.get(path)]
    if (before !== undefined && (isTest(path) || isNamed(testCommand, path))) return true
    if (isManifest(path)) return testPartsOf(path, before) !== testPartsOf(path, after)
    return isConfiguration(path)
  })
}

/** Tests among the files that were not there before. */
export const addedTests = (base: Workspace, now: Workspace): string[] =>
  changedPaths(base, now).filter((path) => !base.has(path) && isTest(path))

const TEST_FOLDER = /(^|\/)(tests?|specs?|__tests__|__snapshots__|__mocks__|e2e|testdata|fixtures)\//i
const TEST_NAME = new RegExp(
  [
    String.raw`[._-](test|tests|spec|specs|e2e)\.[cm]?[jt]sx?$`,
    String.raw`^(test|spec)\.[cm]?[jt]sx?$`,
    String.raw`^test_[^/]*\.py$`,
    String.raw`_tests?\.(py|go|rb|rs|exs|dart|c|cc|cpp)$`,
    String.raw`^tests?\.(py|rb|php|rs)$`,
    String.raw`(Test|Tests|TestCase|IT|Spec)\.(java|kt|scala|groovy|php|cs|swift)$`,
    String.raw`_spec\.rb$`,
    String.raw`\.(snap|golden)$`,
    String.raw`\.feature$`,
  ].join('|'),
)
const CONFIGURATION = new RegExp(
  [
    String.raw`^(jest|vitest|vite|karma|ava|playwright|cypress|wdio|babel|nyc|c8|tap|mocha|jasmine)\b[^/]*\.(config|conf|workspace|setup)\.[^/]+$`,
    String.raw`^(jest|vitest|jasmine)(\.setup|-setup)?\.(json|[cm]?[jt]s)$`,
    String.raw`^\.(mocharc|nycrc|c8rc|taprc|babelrc|swcrc|coveragerc|rspec|npmrc|noderc)[^/]*$`,
    String.raw`^(conftest|sitecustomize|usercustomize|noxfile|runtests)\.py$`,
    String.raw`^(pytest|tox)\.ini$`,
    String.raw`^setup\.cfg$`,
    String.raw`^phpunit[^/]*\.xml[^/]*$`,
    String.raw`^(makefile|gnumakefile|justfile|taskfile\.ya?ml|rakefile|pom\.xml|build\.gradle(\.kts)?|build\.sbt)$`,
    String.raw`^(deno\.jsonc?|bunfig\.toml)$`,
    String.raw`^\.(gitlab-ci|travis|drone)\.yml$`,
    String.raw`^(jenkinsfile|azure-pipelines\.yml)$`,
  ].join('|'),
  'i',
)
const CONFIGURATION_FOLDER = /^(\.github|\.circleci|\.husky|\.buildkite)\//

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const isTest = (path: string): boolean => TEST_FOLDER.test(path) || TEST_NAME.test(nameOf(path))
const isConfiguration = (path: string): boolean =>
  CONFIGURATION.test(nameOf(path)) || CONFIGURATION_FOLDER.test(path)

/** A script that the command itself runs judges, whatever it is called. */
const isNamed = (testCommand: string, path: string): boolean =>
  testCommand.split(/[\s'"`;|&()<>=]+/).some((word) => word.replace(/^\.\//, '') === path)

const isManifest = (path: string): boolean =>
  /^(package\.json|composer\.json|pyproject\.toml)$/.test(nameOf(path))

/** The parts of a manifest that say how tests are run. What cannot be read is all of it. */
function testPartsOf(path: string, text: string | undefined): string {
  if (text === undefined) return '{}'
  return path.endsWith('.toml') ? testSectionsOf(text) : testFieldsOf(text)
}

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

function testFieldsOf(text: string): string {
  try {
    const fields = JSON.parse(text) as Record<string, unknown> | null
    const found = TEST_FIELDS.filter((field) => fields?.[field] !== undefined)
    return found.length === 0 ? '{}' : JSON.stringify(found.map((field) => [field, fields?.[field]]))
  } catch {
    return text
  }
}

function testSectionsOf(text: string): string {
  const sections = text.split(/^(?=\s*\[)/m)
  const found = sections.filter((section) =>
    /^\s*\[+\s*tool\.(pytest|coverage|tox|nose|hatch|pdm|poe)/.test(section),
  )
  return found.length === 0 ? '{}' : found.join('\n')
}
