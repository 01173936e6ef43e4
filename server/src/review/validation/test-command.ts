// What proves that a change works: what the owners say, else what their lockfile tells. Both on the default branch, because what
// a pull request says about that is part of what is reviewed.
import { listRootFiles, type Repository } from '../github/repository.ts'
import type { RepoPolicy } from '../pull/repo-policy.ts'

const BY_LOCKFILE: readonly (readonly [names: readonly string[], command: string])[] = [
  [
    ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
    'npm test --silent',
  ],
  [['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock', 'requirements.txt', 'pytest.ini'], 'pytest -q'],
  [['go.sum', 'go.mod'], 'go test ./...'],
]

/** What decides how tests run beside the command itself. */
const TEST_CONFIG_FILES = new Set([
  ...BY_LOCKFILE.flatMap(([names]) => names),
  ...['package.json', 'Makefile', 'pyproject.toml', 'tox.ini', 'conftest.py', 'setup.cfg'],
])

/** Files of a change that decide how its own tests run. */
export const findTestConfigFiles = (paths: Iterable<string>): string[] =>
  [...new Set(paths)].filter((path) => TEST_CONFIG_FILES.has(path.slice(path.lastIndexOf('/') + 1)))

/** Null when nothing tells. */
export async function findTestCommand(repository: Repository, policy: RepoPolicy): Promise<string | null> {
  if (policy.command !== null) return policy.command
  const names = await listRootFiles(repository, null)
  return BY_LOCKFILE.find(([locks]) => locks.some((name) => names.has(name)))?.[1] ?? null
}
