// Detects the command that runs the tests of a project, from its own files.

export type ProjectReader = {
  /** Relative paths, at least those of the root folder. */
  readonly paths: ReadonlySet<string>
  /** Null if there is no such file. */
  read(path: string): Promise<string | null>
}

export type DetectedTestCommand = {
  readonly command: string
  /** The file that led to it. */
  readonly from: string
  /** The text of the command comes from a file of the project, such as a package script. */
  readonly isProjectScript: boolean
}

/** Null if the files show no way to run tests. */
export async function detectTestCommand(project: ProjectReader): Promise<DetectedTestCommand | null> {
  for (const detect of DETECTORS) {
    const found = await detect(project)
    if (found !== null) return found
  }
  return null
}

type Detector = (project: ProjectReader) => Promise<DetectedTestCommand | null>

const TEXT_CHARACTERS_MAX = 400_000
const TESTS_READ_MAX = 20

const readText = async ({ paths, read }: ProjectReader, path: string): Promise<string> =>
  paths.has(path) ? ((await read(path)) ?? '').slice(0, TEXT_CHARACTERS_MAX) : ''

const found = (command: string, from: string, isProjectScript = false): DetectedTestCommand => ({
  command,
  from,
  isProjectScript,
})

/** The runner of a package manager, by its lockfile. */
const SCRIPT_RUNNERS: readonly (readonly [lockfile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['bun.lockb', 'bun run test'],
]

const fromPackage: Detector = async (project) => {
  const script = readScript(await readText(project, 'package.json'))
  // The script of `npm init` only fails.
  if (script === null || /^\s*$|no test specified/i.test(script)) return null
  const runner = SCRIPT_RUNNERS.find(([lockfile]) => project.paths.has(lockfile))
  return found(runner?.[1] ?? 'npm test --silent', 'package.json', true)
}

function readScript(text: string): string | null {
  try {
    const { scripts } = (JSON.parse(text) ?? {}) as { scripts?: { test?: unknown } | null }
    const test = [scripts?.test].flat()[0]
    return typeof test === 'string' ? test : null
  } catch {
    return null
  }
}

const PYTEST_FILES = ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'conftest.py']
/** Files that can configure pytest or depend on it. */
const PYTHON_FILES = [
  'pyproject.toml',
  'tox.ini',
  'setup.cfg',
  'setup.py',
  'Pipfile',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
]
const PYTHON_LOCKFILES = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock']
const PYTEST = 'python3 -m pytest'

const fromPython: Detector = async (project) => {
  const config = PYTEST_FILES.find((name) => project.paths.has(name))
  if (config !== undefined) return found(PYTEST, config)
  for (const name of [...PYTHON_FILES, ...PYTHON_LOCKFILES])
    if (/\bpytest\b/.test(await readText(project, name))) return found(PYTEST, name)
  const tests = [...project.paths].filter((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path)).sort()
  const marker = [...PYTHON_FILES, ...PYTHON_LOCKFILES].find((name) => project.paths.has(name))
  const first = tests[0]
  if (first === undefined) return null
  for (const path of tests.slice(0, TESTS_READ_MAX))
    if (/\bunittest\b/.test(await readText(project, path)))
      return found(unittestCommand(project, tests), marker ?? path)
  return found(PYTEST, marker ?? first)
}

/** A folder without `__init__.py` is not searched from the root. */
function unittestCommand({ paths }: ProjectReader, tests: readonly string[]): string {
  const folders = new Set(tests.map((path) => path.split('/').slice(0, -1).join('/').split('/')[0] ?? ''))
  const [folder] = folders
  const isPlain =
    folders.size === 1 && folder !== undefined && folder !== '' && !paths.has(`${folder}/__init__.py`)
  return `python3 -m unittest discover -v${isPlain ? ` -s ${JSON.stringify(folder)}` : ''}`
}

const ifPresent =
  (name: string, command: string): Detector =>
  async ({ paths }) =>
    paths.has(name) ? found(command, name) : null

const fromMaven: Detector = async ({ paths }) =>
  paths.has('pom.xml') ? found(paths.has('mvnw') ? 'sh ./mvnw -q test' : 'mvn -q test', 'pom.xml') : null

const fromGradle: Detector = async ({ paths }) => {
  const name = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'].find((each) =>
    paths.has(each),
  )
  return name === undefined ? null : found(paths.has('gradlew') ? 'sh ./gradlew test' : 'gradle test', name)
}

const fromComposer: Detector = async (project) => {
  const text = await readText(project, 'composer.json')
  if (readScript(text) !== null) return found('composer test', 'composer.json', true)
  const config = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].find((name) =>
    project.paths.has(name),
  )
  const from = config ?? (text.includes('phpunit/phpunit') ? 'composer.json' : undefined)
  if (from === undefined) return null
  return found(from === 'composer.json' ? 'vendor/bin/phpunit tests' : 'vendor/bin/phpunit', from)
}

const fromMakefile: Detector = async (project) => {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const target = /^(test|check)[ \t]*::?(?!=)/m.exec(await readText(project, name))?.[1]
    if (target !== undefined) return found(`make ${target}`, name, true)
  }
  return null
}

/** Tests that need no package and no script. */
const fromNodeTests: Detector = async (project) => {
  const tests = [...project.paths].filter(
    (path) => /[._-]test\.[cm]?js$/.test(path) && !path.includes('node_modules/'),
  )
  for (const path of tests.sort().slice(0, TESTS_READ_MAX))
    if (/['"]node:test['"]/.test(await readText(project, path))) return found('node --test', path)
  return null
}

const DETECTORS: readonly Detector[] = [
  fromPackage,
  fromPython,
  ifPresent('go.mod', 'go test ./...'),
  ifPresent('Cargo.toml', 'cargo test'),
  fromMaven,
  fromGradle,
  fromComposer,
  fromMakefile,
  fromNodeTests,
]
