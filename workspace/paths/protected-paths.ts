// Checks where an edit may go. Files that run automatically or hold secrets are protected: they act on the
// developer's machine before review, so no model answer may write them.
import { foldPath, type PathProblem, pathProblem } from './clean-path.ts'

/** `folded` is a clean path with its case folded. */
export function isProtectedPath(folded: string): boolean {
  const segments = folded.split('/')
  const name = segments.at(-1) ?? ''
  return (
    segments.some((segment) => FOLDERS.has(segment)) ||
    FOLDER_PAIRS.some((pair) => `/${folded}/`.includes(`/${pair}/`)) ||
    NAMES.has(name) ||
    NAME_PATTERNS.some((pattern) => pattern.test(name)) ||
    PATH_PATTERNS.some((pattern) => pattern.test(`/${folded}`))
  )
}

/** Protected at any depth, with everything below them. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.husky',
  '.githooks',
  '.git-hooks',
  '.claude',
  '.cursor',
  '.idea',
  '.direnv',
  '.mise',
  'node_modules',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.devcontainer',
  '.semaphore',
  '.teamcity',
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
])

const FOLDER_PAIRS: readonly string[] = [
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.vscode/settings.json',
]

const NAMES: ReadonlySet<string> = new Set([
  '.gitmodules',
  '.gitconfig',
  '.gitattributes',
  '.mcp.json',
  '.mise.toml',
  'mise.toml',
  '.tool-versions',
  '.devcontainer.json',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.netrc',
  '.pypirc',
  'jenkinsfile',
])

const NAME_PATTERNS: readonly RegExp[] = [
  /^\.env/,
  /^\.pnp\./,
  /\.code-workspace$/,
  /^\.?(pre-commit-config|lefthook(-local)?)\.(ya?ml|toml|json)$/,
  /^\.(gitlab-ci|travis|drone|woodpecker|cirrus)\.ya?ml$/,
  /\.gitlab-ci\.ya?ml$/,
  /^\.?(appveyor|cloudbuild)\.ya?ml$/,
  /^(azure|bitbucket)-pipelines/,
  /^jenkinsfile/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk)$/,
]

/** Matched against the path with a leading slash. */
const PATH_PATTERNS: readonly RegExp[] = [
  /\/\.cargo\/config[^/]*$/,
  /\/\.yarn\/(releases|plugins)\//,
  /\/\.gitlab\/ci\//,
]

export type PathRefusal = PathProblem | 'protected'

export type CleanPath = { path: string } | { reason: PathRefusal }

/** The path of an edit, or the reason why it is refused. */
export function cleanPath(text: string): CleanPath {
  const reason = pathProblem(text)
  if (reason) return { reason }
  return isProtectedPath(foldPath(text)) ? { reason: 'protected' } : { path: text }
}
