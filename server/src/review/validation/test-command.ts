// Finds the command that runs the project's tests: from the policy, else from the lockfile. Both are read from the default
// branch, because the pull request itself is under review.
import { listRootFiles, type Repository } from '../../github/github.ts'
import type { RepoPolicy } from '../pull/repo-policy.ts'

const BY_LOCKFILE: readonly (readonly [names: readonly string[], command: string])[] = [
  [
    ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
    'npm test --silent',
  ],
  [['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock', 'requirements.txt', 'pytest.ini'], 'pytest -q'],
  [['go.sum', 'go.mod'], 'go test ./...'],
]

/** Files that determine how the tests run, besides the command. */
const TEST_CONFIG_FILES = new Set([
  ...BY_LOCKFILE.flatMap(([names]) => names),
  ...['package.json', 'Makefile', 'pyproject.toml', 'tox.ini', 'conftest.py', 'setup.cfg'],
])

/** The changed files that determine how the tests run. */
export const findTestConfigFiles = (paths: Iterable<string>): string[] =>
  [...new Set(paths)].filter((path) => TEST_CONFIG_FILES.has(path.slice(path.lastIndexOf('/') + 1)))

/** Null when neither the policy nor a lockfile determines one. */
export async function findTestCommand(repository: Repository, policy: RepoPolicy): Promise<string | null> {
  if (policy.command !== null) return policy.command
  const names = await listRootFiles(repository, null)
  return BY_LOCKFILE.find(([locks]) => locks.some((name) => names.has(name)))?.[1] ?? null
}
