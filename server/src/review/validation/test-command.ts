// Finds the command that runs the project's tests: from the policy, else from the project's files. Both are read from the
// default branch, because the pull request itself is under review.
import type { Forge } from '../../forge/forge.ts'
import { detectTestCommand } from '../../sandbox/sandbox.ts'
import type { RepoPolicy } from '../pull/repo-policy.ts'

const FILE_BYTES_MAX = 1024 * 1024

/** Files that determine how the tests run, besides the command. */
const TEST_CONFIG_FILES = new Set([
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
  ...['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock', 'requirements.txt', 'pytest.ini'],
  ...['package.json', 'Makefile', 'pyproject.toml', 'tox.ini', 'conftest.py', 'setup.cfg'],
  ...['go.mod', 'go.sum', 'Cargo.toml', 'Cargo.lock', 'pom.xml', 'build.gradle', 'build.gradle.kts'],
  ...['composer.json', 'composer.lock', 'phpunit.xml', 'phpunit.xml.dist'],
])

/** The changed files that determine how the tests run. */
export const findTestConfigFiles = (paths: Iterable<string>): string[] =>
  [...new Set(paths)].filter((path) => TEST_CONFIG_FILES.has(path.slice(path.lastIndexOf('/') + 1)))

/** Null when neither the policy nor the project determines one. */
export async function findTestCommand(forge: Forge, policy: RepoPolicy): Promise<string | null> {
  if (policy.command !== null) return policy.command
  const paths = await forge.listRootFiles(null)
  const read = (path: string) => forge.fetchFile(path, null, FILE_BYTES_MAX)
  return (await detectTestCommand({ paths, read }))?.command ?? null
}
